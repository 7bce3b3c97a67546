// What the colours and patterns of the map mean, at the level of detail that it shows.

import { fill, h } from "./dom.js";

const LOADS = ["free", "under 25%", "under 50%", "under 75%", "under 95%", "full"];

export class Legend {
  /** `parts`: {element, scale, reading, release, map} */
  constructor(parts) {
    Object.assign(this, parts);
    this.reading.when(["resource"], () => this.draw());
  }

  draw() {
    const squares = this.map.layout && this.map.layout.tile.w * this.map.viewport.scale < 26;
    const { release } = this;
    const key = `${squares}${this.reading.resource}${this.scale.values.length}${this.#terminating()}${this.#turnover()}`;
    if (this.drawn === key) return;
    this.drawn = key;
    fill(
      this.element,
      squares
        ? h(
            "span",
            { class: "key-group" },
            `${this.reading.resource} requested`,
            LOADS.map((words, i) => h("i", { class: `key load-${i + 1}`, title: words })),
            "empty to full",
          )
        : h(
            "span",
            { class: "key-group" },
            "priority",
            this.scale
              .legend()
              .map(([step, words]) => h("span", {}, h("i", { class: `key prio-${step + 1}` }), words)),
          ),
      h("span", {}, h("i", { class: "key victim" }), "victim"),
      this.#terminating() && h("span", {}, h("i", { class: "key terminating" }), "terminating"),
      h("span", {}, h("i", { class: "key promised" }), release.isHeld ? "nominated" : "nominated, not held"),
      h("span", {}, h("i", { class: "key landed" }), "just placed, or equally good"),
      h("span", {}, h("i", { class: "key candidate" }), "candidate"),
      this.#turnover() && [
        h("span", {}, h("i", { class: "key came" }), "node comes"),
        h("span", {}, h("i", { class: "key went" }), "node goes"),
      ],
    );
  }

  /** Whether nodes come or go in what is known of the run. */
  #turnover() {
    return this.map.fold.nodesComeAndGo;
  }

  /** Whether terminating pods can be on the map: in a run with a grace period, or from the start. */
  #terminating() {
    return this.release.hasGrace || this.map.fold.terminating.size > 0;
  }
}
