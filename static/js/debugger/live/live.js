// The live run: whether decisions still come, how far behind the head the reader is, and the worker's controls.

import { clockAt } from "../time/clock-axis.js";
import { fill, h } from "../../drawing/dom.js";
import { brief, stoppedWords } from "../time/clock-end.js";
import { clock, count, plural } from "../words/units.js";

const RATES = [null, 1, 4, 20, 100];
const WORDS = {
  queued: "queued",
  running: "live",
  paused: "paused",
  finished: "finished",
  cancelled: "cancelled",
  failed: "failed",
};

export class Live {
  announce;
  behind;
  canOperate;
  controls;
  follow;
  /** @type {import("../reading.js").Reading} */
  reading;
  /** @type {import("../rest.js").Rest} */
  rest;
  state;

  /** `parts`: {state, behind, controls, reading, rest, canOperate, follow(), announce(text)} */
  constructor(parts) {
    Object.assign(this, parts);
    this.behind.addEventListener("click", () => this.follow());
    this.#makeControls();
    this.reading.when(["status", "rate", "link", "end", "at", "follow", "loaded"], () => this.draw());
  }

  draw() {
    const { reading, state, behind } = this;
    const going = isGoing(reading.status);
    const broken = reading.link === "lost";
    state.className = `live-state ${broken ? "broken" : reading.status}`;
    state.textContent = broken ? "reconnecting" : (WORDS[reading.status] ?? reading.status);
    const waiting = reading.end - reading.at;
    behind.hidden = !(going && reading.loaded && !reading.follow && waiting > 0);
    behind.textContent = `${plural(waiting, "decision")} behind`;
    this.#drawControls(going);
  }

  /** What the worker is asked by: made once, so that a new status takes no focus away. */
  #makeControls() {
    this.rates = h("select", { onchange: ({ target }) => this.#setRate(target.value) });
    this.pausing = h("button", { type: "button", onclick: () => this.#pauseOrResume() });
    const cancel = () => this.#ask(() => this.rest.command("cancel"), "The run is being cancelled.");
    fill(
      this.controls.querySelector("[data-worker]"),
      h("label", {}, h("span", {}, "The worker decides"), this.rates),
      h(
        "div",
        { class: "worker-buttons" },
        this.pausing,
        h("button", { type: "button", class: "danger", onclick: cancel }, "cancel the run"),
      ),
    );
  }

  #drawControls(going) {
    const { status, rate } = this.reading;
    this.controls.hidden = !(going && this.canOperate);
    this.pausing.textContent = status === "paused" ? "resume the run" : "pause the run";
    if (this.drawnRate === rate) return;
    this.drawnRate = rate;
    const options = ratesWith(rate).map(([value, words]) => h("option", { value }, words));
    fill(this.rates, options);
    this.rates.value = String(rate ?? "");
  }

  #setRate(value) {
    this.#ask(() => this.rest.rate(value ? Number(value) : null), "The worker's rate is set.");
  }

  #pauseOrResume() {
    if (this.reading.status === "paused") this.#ask(() => this.rest.command("resume"), "The run goes on.");
    else this.#ask(() => this.rest.command("pause"), "The run pauses.");
  }

  /** Ask the server. An open stream says what comes of it, maybe before this answer arrives, which is out of date then. */
  async #ask(request, done) {
    try {
      const { status, rate } = await request();
      if (this.reading.link !== "open") this.reading.set({ status, rate });
      this.announce(done);
    } catch (problem) {
      this.announce(problem.message);
      this.drawnRate = undefined;
      this.draw();
    }
  }
}

export function isGoing(status) {
  return status === "running" || status === "queued" || status === "paused";
}

/** The rates to choose from as [value, words], with the one that the server names among them. */
export function ratesWith(rate) {
  const rates = RATES.includes(rate) ? RATES : [...RATES, rate].sort((a, b) => a - b);
  return rates.map((one) => [String(one ?? ""), one === null ? "as fast as it can" : `${count(one)} a second`]);
}

/** How many decisions there are, whether more are coming, and that they are still being read, if all of them are to be. */
export function readingWords({ head, link, status, expected, inParts = false }) {
  const all = `of ${count(Math.max(head, expected))}${isGoing(status) ? " so far" : ""}`;
  return expected > head && link === "open" && !inParts ? `${all}, ${count(head)} read` : all;
}

/**
 * {now: where the reader's clock stands, of: where it is to end, stopped: where the run stopped before}; null where no clock
 * moves. `ends`: see clock-end.js.
 */
export function clockWords(fold, { at, time }, ends) {
  if (!fold.hasClock) return null;
  const end = ends.end ?? ends.last;
  const now = clock(clockAt(fold, { at, time }));
  return { now, of: end === null ? "" : `of ${brief(end)}`, stopped: stoppedWords({ ...ends, end }) };
}
