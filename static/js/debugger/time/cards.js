// Decisions as cards in a row, where each has room for words: its number, which try it is, whom it is about, how it ended.

import { fill, h } from "../../drawing/dom.js";
import { withTail } from "../queue/queue.js";
import { count } from "../words/units.js";
import { briefOf, tryWords } from "./briefs.js";

/** From this width on a column carries words. */
export const WORDY = 64;

export class Cards {
  element;
  figures;
  scheduler;
  /** @type {import("../log/log.js").Log} */
  log;
  /** @type {import("../names/node-names.js").NodeNames} */
  names;
  /** @type {import("../reading.js").Reading} */
  reading;

  /** `parts`: {element, log, figures, scheduler, names, reading} */
  constructor(parts) {
    Object.assign(this, parts);
  }

  /** The decisions of a span of numbers. */
  draw({ from, to }) {
    const { reading, element, log } = this;
    const key = [from, to, reading.wholeNames, log.head].join();
    if (key !== this.drawn) fill(element, this.#cards(from, to));
    this.drawn = key;
    for (const card of element.children) {
      const seq = Number(card.dataset.seq);
      card.classList.toggle("current", seq === reading.at);
      card.classList.toggle("ahead", seq > reading.at);
    }
  }

  #cards(from, to) {
    const cards = [];
    for (let seq = from + 1; seq <= to; seq++) cards.push(this.#card(briefOf(this, seq)));
    return cards;
  }

  #card({ seq, tone, pod, attempt, mark, words, node }) {
    const name = pod.slice(pod.indexOf("/") + 1);
    const session = this.figures.sessions.at(seq);
    const opens = session?.first === seq;
    return h(
      "li",
      { class: `time-card tone-of-${tone}${opens ? " opens-session" : ""}`, data: { seq, key: seq } },
      h("span", { class: "time-card-head" }, h("span", {}, count(seq)), h("span", {}, opens ? `session ${count(session.number)}` : tryWords(attempt))),
      h("span", { class: "time-card-name" }, withTail(name)),
      h(
        "span",
        { class: "time-card-end" },
        h("b", {}, mark),
        words && h("span", { class: "time-card-words" }, words),
        node && h("span", { class: "time-card-node" }, words ? "on\u00a0" : "", withTail(this.names.short(node))),
      ),
    );
  }
}
