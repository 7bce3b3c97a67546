// What the colours and patterns of the map mean, at the level of detail that it shows.

import { fill, h } from "./dom.js";
import { count } from "./units.js";

/** Parts of a queue as the time line stacks them, from above. */
const QUEUE = [
  ["active", "active"],
  ["backoff", "back-off"],
  ["unschedulable", "unschedulable"],
  ["gated", "gated"],
];
const LOADS = ["free", "under 25%", "under 50%", "under 75%", "under 95%", "full"];

export class Legend {
  /**
   * `parts`: {element, scale, reading, hasClock: whether the time line has lanes, isHeld, hasGrace: whether nominations hold room, and victims stay, maps: those
   * that it explains, the first one in detail}
   */
  constructor(parts) {
    Object.assign(this, parts);
    this.reading.when(["resource"], () => this.draw());
  }

  draw() {
    const [{ layout, viewport }] = this.maps;
    const squares = layout && layout.tile.w * viewport.scale < 26;
    const { resource } = this.reading;
    const key = [squares, resource, this.scale.values.length, this.#terminating(), this.#turnover(), this.#notMarked()].join();
    if (this.drawn === key) return;
    this.drawn = key;
    const [equals, candidates] = this.#notMarked();
    fill(
      this.element,
      squares
        ? h(
            "span",
            { class: "key-group" },
            `${resource} requested`,
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
      this.hasClock && h("span", { class: "key-group" }, "queue", QUEUE.map(([part, words]) => h("span", {}, h("i", { class: `key in-${part}` }), words))),
      h("span", {}, h("i", { class: "key victim" }), "victim"),
      this.#terminating() && h("span", {}, h("i", { class: "key terminating" }), "terminating"),
      h("span", {}, h("i", { class: "key promised" }), this.isHeld ? "nominated" : "nominated, not held"),
      h("span", {}, h("i", { class: "key landed" }), `just placed, or equally good${equals}`),
      h("span", {}, h("i", { class: "key candidate" }), `candidate${candidates}`),
      this.#turnover() && [
        h("span", {}, h("i", { class: "key came" }), "node comes"),
        h("span", {}, h("i", { class: "key went" }), "node goes"),
      ],
    );
  }

  /** What to say of the equal nodes and of the candidates that the log doesn't name, which the map can't mark. */
  #notMarked() {
    const [{ event }] = this.maps;
    const { preemption } = event ?? {};
    return [
      firstOf(event?.best?.length, event?.best_count),
      firstOf(preemption?.candidates.length, preemption?.candidate_count),
    ];
  }

  /** Whether nodes come or go in what is known of the run. */
  #turnover() {
    return this.maps.some(({ fold }) => fold.nodesComeAndGo);
  }

  /** Whether terminating pods can be on the map: in a run with a grace period, or from the start. */
  #terminating() {
    return this.hasGrace || this.maps.some(({ fold }) => fold.terminating.size > 0);
  }
}

/** " (the first 100 of 5,000)", or nothing where all are named. */
export function firstOf(named, all) {
  return all > named ? ` (the first ${count(named)} of ${count(all)})` : "";
}
