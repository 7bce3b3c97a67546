// From the stream to the reader: take decisions in as they come, open where the address says or else at the first
// decision, follow the head of a live run for who wants that, and learn how the run ended and at what pace it goes.

import { isGoing } from "./live.js";
import { root, withFacts } from "./parts.js";
import { siblingsOf } from "./pod-card.js";
import { Stream } from "./stream.js";

export class Following {
  /** `wanted` is the decision of the address, or null; `time` its clock, which counts where it names no decision. */
  constructor(page, wanted, time) {
    this.page = page;
    this.wanted = wanted;
    this.time = time;
    this.expected = page.run.decisions;
    this.stream = new Stream(root.dataset.socket, page.log.head, {
      decisions: (items) => this.#take(items),
      hello: (message) => this.#begin(message),
      status: ({ status, rate }) => page.reading.set({ status, rate }),
      end: (message) => this.#end(message),
      link: (state) => this.#linked(state),
    });
    this.stream.open();
  }

  #begin({ decisions, status, rate }) {
    this.expected = decisions;
    this.page.reading.set({ status, rate });
    this.#advance();
  }

  #take(items) {
    const { log, figures, series, scale, fold, names, volcano } = this.page;
    const [pods, nodes] = [fold.pods.length, fold.nodes.length];
    log.take(items);
    figures.take(items);
    series?.take(items);
    scale.learn(fold.pods, pods);
    names.learn(fold.nodes.slice(nodes).map(({ name }) => name));
    this.#advance();
  }

  #end({ status, rate }) {
    this.expected = Math.min(this.expected, this.page.log.head);
    this.page.reading.set({ status, rate, follow: false });
    this.#advance();
    this.#readEnding();
  }

  #advance() {
    const { reading, log } = this.page;
    if (!reading.loaded) this.#open(this.wanted ?? this.#byTime() ?? log.first + 1);
    reading.set({ head: log.head });
    if (reading.follow) this.#goOn();
  }

  /** The decision at the address's clock, one beyond the head until the clock has come so far; null without one. */
  #byTime() {
    const { fold, head } = this.page.log;
    if (this.time === null || !fold.hasClock) return null;
    return fold.timeOf(head) > this.time ? fold.seqAt(this.time) : head + 1;
  }

  /**
   * Open at a decision as soon as it is there, whether the run is live or not. One that a live run has still to
   * take is waited for; if the address names it, among the decisions before it.
   */
  #open(target) {
    const { reading, log } = this.page;
    if (log.head >= target) return this.#arrive(Math.max(log.first, target), false);
    const going = isGoing(reading.status);
    if (log.head < this.expected || (going && this.wanted === null)) return;
    this.#arrive(log.head, going);
  }

  /** Follow the head, but not beyond the decision that the address asked for. */
  #goOn() {
    const { reading, log } = this.page;
    const isAhead = this.wanted !== null && reading.at < this.wanted;
    const at = isAhead ? Math.min(log.head, this.wanted) : log.head;
    reading.set({ at, follow: !isAhead || at < this.wanted });
  }

  #arrive(at, follow) {
    const { reading, log, fold } = this.page;
    const pod = reading.pod ? fold.podIndex.get(reading.pod) : undefined;
    const siblings = pod === undefined ? null : siblingsOf(fold, pod);
    reading.set({ loaded: true, head: log.head, at, follow, siblings });
  }

  /** The run has ended while the page was open: how, the run itself says. */
  async #readEnding() {
    const { page } = this;
    if (!isGoing(page.run.status)) return;
    page.run = withFacts(await page.rest.run());
    page.inspector.ended(page.run);
  }

  #linked(state) {
    this.page.reading.set({ link: state });
    if (state === "signed-out") this.page.announce("You are signed out. Sign in again to go on reading.");
    else if (state === "not-found") this.page.announce("This run is no longer there.");
  }
}
