// How much of the run is shown: buttons for all of it and for round lengths, and words for what it is.

import { fill, h, keep } from "../../drawing/dom.js";
import { around, isWhole, lengthsFor } from "./span.js";

export class Presets {
  axis;
  element;
  lengthWords;
  most;
  /** @type {import("../reading.js").Reading} */
  reading;
  show;
  wordsOf;

  /** `parts`: {element, axis, reading, most, wordsOf(from, to), lengthWords(length), show(span)} */
  constructor(parts) {
    Object.assign(this, parts);
    this.words = keep(h("span", { class: "presets-words" }));
  }

  draw(span) {
    const { axis } = this;
    const lengths = lengthsFor(axis, this.most);
    const chosen = isWhole(span, axis) ? null : span.to - span.from;
    const drawn = JSON.stringify([lengths, chosen]);
    this.words.textContent = this.wordsOf(span.from, span.to);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    const all = this.#button("all", chosen === null, () => this.show(null));
    const rest = lengths.map((length) => {
      const press = () => this.show(around(axis, axis.placeOf(this.reading), length));
      return this.#button(this.lengthWords(length), chosen === length, press);
    });
    fill(this.element, h("span", { class: "presets-label" }, "shown"), this.words, all, rest);
  }

  #button(words, isChosen, onclick) {
    return h("button", { type: "button", class: "link preset", data: { key: words }, aria: { pressed: isChosen }, onclick }, words);
  }
}
