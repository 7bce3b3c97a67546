/* The settings of a driver with a clock: when its runs end, how long an attempt takes, and how long a pod until it is
   ready. Under other drivers they are out of sight, and stored as what they usually are; what was typed stays until the page is left. */

import { LATEST, readSeconds, SHORTEST } from "./seconds.js";

const RANGES = {
  until: { min: SHORTEST, max: LATEST, optional: true },
  attempt_seconds: { min: SHORTEST, max: 60, optional: true },
  ready_seconds: { min: SHORTEST, max: LATEST, optional: true },
};
const USUAL = { until: null, attempt_seconds: 0.01, ready_seconds: 20 };

export class ClockFields {
  /** `changed(name)` is called when a setting changes; `unread` holds the text of one that is none. */
  constructor(root, data, { changed, unread }) {
    this.box = root.querySelector("[data-clock]");
    this.changed = changed;
    this.unread = unread;
    this.inputs = Object.fromEntries(Object.keys(USUAL).map((name) => [name, root.querySelector(`#${name}`)]));
    for (const [name, input] of Object.entries(this.inputs)) {
      input.value = data[name] === USUAL[name] ? "" : data[name];
      input.addEventListener("input", () => this.take(name));
    }
  }

  show(hasClock) {
    this.box.hidden = !hasClock;
    for (const name of Object.keys(this.inputs)) this.hold(name);
  }

  /** A setting as REST takes it. */
  value(name) {
    const typed = this.box.hidden ? null : readSeconds(this.inputs[name].value, RANGES[name]).value;
    return typed ?? USUAL[name];
  }

  take(name) {
    if (!this.hold(name)) this.changed(name);
  }

  /** Keep text that is no span of time from being stored; what is wrong with it, if anything. */
  hold(name) {
    const text = this.inputs[name].value;
    const message = this.box.hidden ? "" : (readSeconds(text, RANGES[name]).message ?? "");
    if (message) this.unread.hold(name, text, message);
    else this.unread.release(name);
    return message;
  }
}
