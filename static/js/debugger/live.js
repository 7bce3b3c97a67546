// The live run: whether decisions still come, how far behind the head the reader is, and the worker's controls.

import { fill, h } from "./dom.js";
import { count, plural } from "./units.js";

const RATES = [
  ["", "as fast as it can"],
  ["1", "1 a second"],
  ["4", "4 a second"],
  ["20", "20 a second"],
  ["100", "100 a second"],
];
const WORDS = {
  queued: "queued",
  running: "live",
  paused: "paused",
  finished: "finished",
  cancelled: "cancelled",
  failed: "failed",
};

export class Live {
  /** `parts`: {state, behind, controls, reading, rest, run, canOperate, follow(), announce(text)} */
  constructor(parts) {
    Object.assign(this, parts);
    this.behind.addEventListener("click", () => this.follow());
    this.reading.when(["status", "link", "head", "at", "follow", "loaded"], () => this.draw());
    this.draw();
  }

  draw() {
    const { reading, state, behind } = this;
    const going = isGoing(reading.status);
    const broken = reading.link === "lost";
    state.className = `live-state ${broken ? "broken" : reading.status}`;
    state.textContent = broken ? "reconnecting" : (WORDS[reading.status] ?? reading.status);
    const waiting = reading.head - reading.at;
    behind.hidden = !(going && reading.loaded && !reading.follow && waiting > 0);
    behind.textContent = `${plural(waiting, "decision")} behind`;
    if (this.drawnFor !== reading.status) this.#drawControls(going);
  }

  #drawControls(going) {
    this.drawnFor = this.reading.status;
    this.controls.hidden = !(going && this.canOperate);
    if (this.controls.hidden) return;
    const paused = this.reading.status === "paused";
    fill(
      this.controls.querySelector("[data-worker]"),
      h(
        "label",
        {},
        h("span", {}, "The worker decides"),
        h(
          "select",
          {
            onchange: (event) =>
              this.#ask(
                () => this.rest.rate(event.target.value ? Number(event.target.value) : null),
                "The worker's rate is set.",
              ),
          },
          RATES.map(([value, words]) =>
            h("option", { value, selected: String(this.run.rate ?? "") === value }, words),
          ),
        ),
      ),
      h(
        "div",
        { class: "worker-buttons" },
        h(
          "button",
          {
            type: "button",
            onclick: () =>
              this.#ask(
                () => this.rest.command(paused ? "resume" : "pause"),
                paused ? "The run goes on." : "The run pauses.",
              ),
          },
          paused ? "resume the run" : "pause the run",
        ),
        h(
          "button",
          {
            type: "button",
            class: "danger",
            onclick: () => this.#ask(() => this.rest.command("cancel"), "The run is being cancelled."),
          },
          "cancel the run",
        ),
      ),
    );
  }

  async #ask(request, done) {
    try {
      const run = await request();
      if (run?.status) this.reading.set({ status: run.status });
      this.announce(done);
    } catch (problem) {
      this.announce(problem.message);
    }
  }
}

export function isGoing(status) {
  return status === "running" || status === "queued" || status === "paused";
}

/** How many decisions there are, and that they are still being read. */
export function readingWords({ head, link }, expected) {
  const all = `of ${count(Math.max(head, expected))}`;
  return expected > head && link === "open" ? `${all}, ${count(head)} read` : all;
}
