// Below the sentence, where a clock moves: what woke the selected pod, else the decision's, before it is tried.

import { clockAt } from "../time/clock-axis.js";
import { fill, h, keep } from "../../drawing/dom.js";
import { pod as podPhrase, words } from "../words/phrases.js";
import { lastWake, turnsSinceAttempt, wakeSentence } from "../pod/wake-cause.js";

export class CauseBox {
  /** @type {import("../log/log.js").Log} */
  log;
  phrase;
  /** @type {import("../reading.js").Reading} */
  reading;
  /** @type {import("../log/standing.js").Standing} */
  standing;

  /** `parts`: {log, reading, standing, phrase(parts)}: the last makes elements of phrases. */
  constructor(parts) {
    Object.assign(this, parts);
    this.element = keep(h("p", { class: "cause-box", hidden: true }));
    if (this.log.fold.hasClock) this.reading.when([this.standing, "pod", "time"], () => this.#show());
  }

  #show() {
    const { event } = this.standing;
    const pod = this.#whose(event);
    this.asked = pod;
    if (pod === undefined) return this.#draw(null);
    const { log, reading } = this;
    const turns = turnsSinceAttempt(log, pod, log.fold.at);
    const known = turns.map((seq) => log.event(seq));
    const tell = (events) => this.#draw(lastWake(events, log.fold.pods[pod].uid), pod, event);
    if (known.every(Boolean)) return tell(known);
    const { at } = reading;
    this.#draw(null);
    Promise.all(turns.map((seq) => log.fetch(seq))).then(
      (events) => this.asked === pod && reading.at === at && tell(events),
      () => {},
    );
  }

  /** The pod whose wake-up counts now: one that waits, or that this decision tries. */
  #whose(event) {
    const { fold, tried: attempts } = this.log;
    if (!event) return undefined;
    const tried = fold.podIndex.get(event.pod?.uid);
    const isTried = attempts.get(event.seq);
    return [fold.podIndex.get(this.reading.pod), tried].find(
      (pod) => pod !== undefined && ((isTried && pod === tried) || fold.placeInQueue(pod)),
    );
  }

  #draw(found, pod, event) {
    const { log, reading, element } = this;
    element.hidden = !found;
    if (!found) return fill(element);
    const card = log.fold.pods[pod];
    const isOther = event.pod?.uid !== card.uid;
    const of = isOther ? [podPhrase(card), words(" · ")] : [];
    return fill(element, this.phrase([...of, ...wakeSentence(found, clockAt(log.fold, reading))]));
  }
}
