// The one time line of both runs: buttons, number, slider and keys, and what the maps show of each node.

import { fill, h } from "../drawing/dom.js";
import { groupings } from "../debugger/map/groups.js";
import { KEYS, listenToKeys } from "../debugger/controls/keys.js";
import { lengthWords } from "./pair.js";

const SHARED_KEYS = [" ", "ArrowRight", "ArrowLeft", "Home", "End", "t"];

export class Scrubber {
  element;
  first;
  pair;
  /** @type {import("../debugger/reading.js").Reading} */
  reading;
  sides;
  /** @type {import("../debugger/controls/transport.js").Transport} */
  transport;

  /** `parts`: {element, reading, pair, transport, sides, first} */
  constructor(parts) {
    Object.assign(this, parts);
    this.#press();
    this.#choices();
    const toFirst = { keys: ["d"], shown: [], does: "", act: () => this.toFirst() };
    const table = KEYS.filter(({ keys }) => keys.some((key) => SHARED_KEYS.includes(key)));
    listenToKeys({ transport: this.transport, toggleTable: () => this.#toggleTable() }, [...table, toFirst]);
    this.reading.when([...this.sides, "at", "loaded", "playing", "wanted"], () => this.draw());
    this.reading.when(["view"], () => this.#drawView());
  }

  part(name) {
    return this.element.querySelector(`[data-part="${name}"]`);
  }

  /** Both maps at the first decision that differs. */
  toFirst() {
    if (this.first !== null) this.transport.seek(this.first);
  }

  draw() {
    const { reading, pair } = this;
    const { expected, first } = pair;
    const slider = this.part("scrubber");
    slider.max = Math.max(expected, reading.at);
    slider.value = reading.wanted ?? reading.at;
    const at = this.part("at");
    if (document.activeElement !== at) at.value = reading.at;
    at.max = expected;
    at.style.width = `${String(reading.at).length + 1.6}ch`;
    this.part("of").textContent = lengthWords(pair, reading.wanted);
    const play = this.part("play");
    play.setAttribute("aria-pressed", String(reading.playing));
    play.querySelector("[data-word]").textContent = reading.playing ? "Pause" : "Play";
    play.classList.toggle("playing", reading.playing);
    // Not disabled in HTML's sense: who has stepped there by keyboard would lose the focus.
    for (const name of ["first-step", "back"]) this.part(name).setAttribute("aria-disabled", String(reading.at <= first));
    for (const name of ["step", "last"]) this.part(name).setAttribute("aria-disabled", String(reading.at >= expected));
  }

  #press() {
    const { transport, reading } = this;
    const buttons = {
      "first-step": () => transport.first(),
      back: () => transport.step(-1),
      play: () => transport.toggle(),
      step: () => transport.step(1),
      last: () => transport.last(),
      "as-map": () => reading.set({ view: "map" }),
      "as-table": () => reading.set({ view: "table" }),
    };
    for (const [name, act] of Object.entries(buttons)) this.part(name).addEventListener("click", act);
    this.part("scrubber").addEventListener("input", ({ target }) => transport.seek(Number(target.value)));
    this.part("at").addEventListener("change", ({ target }) => transport.seek(Number(target.value) || 0));
    document.querySelector("[data-part=to-first]")?.addEventListener("click", () => {
      this.toFirst();
      this.element.scrollIntoView({ block: "nearest" });
    });
  }

  #choices() {
    const { reading, sides } = this;
    const [{ fold, loads }] = sides;
    const offered = { resource: loads.resources, group: groupings(fold.nodes).map(({ key }) => key) };
    const words = new Map(groupings(fold.nodes).map(({ key, label }) => [key, label]));
    for (const [name, values] of Object.entries(offered)) {
      reading[name] = values[0];
      const options = values.map((value) => h("option", { value }, words.get(value) ?? value));
      fill(this.part(name), options);
      this.part(name).addEventListener("change", ({ target }) => reading.set({ [name]: target.value }));
    }
  }

  #toggleTable() {
    this.reading.set({ view: this.reading.view === "map" ? "table" : "map" });
  }

  #drawView() {
    const isTable = this.reading.view === "table";
    this.part("as-map").setAttribute("aria-pressed", String(!isTable));
    this.part("as-table").setAttribute("aria-pressed", String(isTable));
  }
}
