// What the colours and patterns of the map mean, at the level of detail that it shows.

import { fill, h } from "../../drawing/dom.js";
import { nominatedPods } from "./marks.js";
import { count } from "../words/units.js";
import { term } from "../../terms.js";

/** Parts of a queue as the time line stacks them, from above. */
const QUEUE = [
  ["active", "active"],
  ["backoff", "back-off"],
  ["unschedulable", "unschedulable"],
  ["gated", "gated"],
];
const OF_SESSIONS = ["open", "waits for a session"];
const LEGEND_OF_FATES = [
  ["open", "open statement"],
  ["committed", "committed"],
  ["back", "taken back"],
  ["pipelined", "pipelined"],
];
/** So many queues are named; all of them are in the column beside the map. */
const QUEUES = 8;
const LOADS = ["free", "under 25%", "under 50%", "under 75%", "under 95%", "full"];

export class Legend {
  cards;
  colours;
  element;
  hasClock;
  hasGrace;
  isHeld;
  maps;
  /** @type {import("../reading.js").Reading} */
  reading;
  /** @type {import("./palette.js").PriorityScale} */
  scale;

  /**
   * `parts`: {element, scale, reading, hasClock: whether the time line has lanes, hasQueues: whether pods wait in queues, isHeld, hasGrace: whether nominations
   * hold room, and victims stay, maps: those that it explains, the first one in detail, colours: those of Volcano's
   * queues, if it is in the run, cards: what the map shows of nodes' cards, if there are any}
   */
  constructor(parts) {
    Object.assign(this, parts);
    this.reading.when([...this.maps, "resource", "colour", "tiles"], () => this.draw());
    new ResizeObserver(() => this.#makeRoom()).observe(this.element);
  }

  draw() {
    const [{ detail }] = this.maps;
    const squares = detail === "square";
    const { resource } = this.reading;
    const shown = this.#shown();
    const kinds = [this.#terminating(), this.#turnover(), Object.values(shown)];
    const entry = (name, words, isShown) =>
      h("span", { class: isShown ? null : "absent" }, h("i", { class: `key ${name}` }), words);
    const byQueue = this.colours && this.reading.colour === "queue";
    const fates = this.colours ? this.#fates() : [];
    const letters = this.cards && this.reading.tiles === "cards" ? this.cards.lettersShown() : null;
    const why = this.#whyNot(detail !== "tall" && !(letters && this.cards.areEverywhere));
    const key = [detail, resource, byQueue, fates, letters, this.scale.values.length, kinds, this.#notMarked(), why?.key].join();
    if (this.drawn === key) return;
    this.drawn = key;
    const [equals, candidates] = this.#notMarked();
    fill(
      this.element,
      why && drawWhyNot(why),
      squares && why?.hasMarks && !letters
        ? null
        : squares
        ? h(
            "span",
            { class: "key-group" },
            letters ? `${this.cards.held}${this.cards.areEverywhere ? "" : `, without cards ${resource} requested`}` : `${resource} requested`,
            LOADS.map((words, i) => h("i", { class: `key load-${i + 1}`, title: words })),
            "empty to full",
          )
        : byQueue
          ? h("span", { class: "key-group" }, "queue", this.#queues())
          : h(
              "span",
              { class: "key-group" },
              "priority",
              this.scale
                .legend()
                .map(([step, words]) => h("span", {}, h("i", { class: `key prio-${step + 1}` }), words)),
            ),
      letters && this.cards.drawKeys(letters, detail),
      this.colours && LEGEND_OF_FATES.map(([fate, words]) => entry(`fate-${fate}`, words, fates.includes(fate))),
      this.hasClock && queueKeys(this),
      entry("victim", term("victim"), shown.victim),
      this.#terminating() && entry("terminating", "terminating", shown.terminating),
      entry("promised", [term("nomination", "nominated"), !this.isHeld && ", not held"], shown.promised),
      entry("landed", `just placed, or equally good${equals}`, shown.landed),
      entry("candidate", [term("candidate"), candidates], shown.candidate),
      this.#turnover() && [entry("came", "node comes", shown.came), entry("went", "node goes", shown.went)],
      shown.failed && entry("failed", "failed node, pods on it", true),
      shown.freed && entry("freed", "room just freed", true),
      shown.numbered && h("span", {}, h("i", { class: "key numbered" }, "3"), "placed at decision 3"),
    );
    this.#makeRoom();
  }

  /** What marks of why a pod fits on no node are on the map, where tiles have such (`isMarked`): {legend, isAwaited, hasMarks, hasNearest, key}, or null. */
  #whyNot(isMarked) {
    const [{ whyNot, isWhyNotAwaited: isAwaited }] = this.maps;
    if (!whyNot && !isAwaited) return null;
    const legend = whyNot && isMarked ? whyNot.legend : [];
    const [hasMarks, hasNearest] = [whyNot !== null, whyNot?.nearest >= 0];
    return { legend, isAwaited, hasMarks, hasNearest, key: JSON.stringify([legend, isAwaited, hasMarks, hasNearest]) };
  }

  #queues() {
    const { colours } = this;
    const { names } = colours;
    const rest = names.length - QUEUES;
    return [
      names.slice(0, QUEUES).map((name) => h("span", {}, h("i", { class: `swatch ${colours.classOf(name)}` }), name)),
      rest > 0 && h("span", {}, `and ${count(rest)} more, as among the queues`),
    ];
  }

  /** Which fates of a statement's pods can be seen on the map now. */
  #fates() {
    return [...new Set(this.maps.flatMap(({ marks }) => [...(marks?.fates.values() ?? [])]))].sort();
  }

  /** Where not all of it has room, what can't be seen on the map now isn't explained. */
  #makeRoom() {
    const { element } = this;
    element.classList.remove("tight");
    element.classList.toggle("tight", element.scrollHeight > element.clientHeight + 4);
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

  /** What can be seen on the map at the reader's decision. */
  #shown() {
    const some = (is) => this.maps.some((map) => map.marks && is(map));
    return {
      victim: some(({ marks }) => marks.victims.size > 0 || [...marks.fates.values()].includes("victim")),
      terminating: some(({ marks, fold }) => marks.gone.size > 0 || fold.terminating.size > 0),
      promised: some(({ fold }) => nominatedPods(fold).size > 0),
      landed: some(({ marks }) => marks.placed.size > 0 || marks.best.size > 0),
      candidate: some(({ marks }) => marks.candidates.size > 0),
      came: some(({ marks }) => marks.came.size > 0),
      went: some(({ marks }) => marks.went.size > 0),
      failed: some(({ fold }) => fold.failed.size > 0),
      freed: some(({ marks }) => marks.freed.size > 0),
      numbered: some(({ layout, log, fold }) => layout?.isTall && log.placedSoFar.get(fold.at) > 0),
    };
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

function drawWhyNot({ legend, isAwaited, hasNearest }) {
  const keys = legend.map(([kind, words]) => h("span", {}, h("i", { class: `key why-${kind}` }), words));
  return h(
    "span",
    { class: "key-group why-not" },
    h("b", {}, isAwaited ? "why not: being worked out …" : "why not"),
    h("span", { class: isAwaited ? "key-group is-old" : "key-group" }, keys, hasNearest && h("span", {}, h("i", { class: "key why-nearest" }), "the nearest")),
  );
}

/** The parts of the time line's queue: those of queues, those of sessions; with Volcano's queues "queue" alone says too little. */
function queueKeys({ colours, hasQueues = true }) {
  const parts = [...(hasQueues ? QUEUE : []), ...(colours ? [OF_SESSIONS] : [])];
  const keys = parts.map(([part, words]) => h("span", {}, h("i", { class: `key in-${part}` }), words));
  return h("span", { class: "key-group" }, colours ? "time line" : "queue", keys);
}

/** " (the first 100 of 5,000)", or nothing where all are named. */
export function firstOf(named, all) {
  return all > named ? ` (the first ${count(named)} of ${count(all)})` : "";
}
