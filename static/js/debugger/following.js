// From the stream to the reader: take decisions in as they come, open where the reader wants to be, follow the
// head of a live run, and learn how the run ended.

import { isGoing } from "./live.js";
import { root, withFacts } from "./parts.js";
import { siblingsOf } from "./pod-card.js";
import { Stream } from "./stream.js";
import { drawTrust } from "./trust.js";

export class Following {
  /** `wanted` is the decision of the address, or null. */
  constructor(page, wanted) {
    this.page = page;
    this.wanted = wanted;
    this.expected = page.run.decisions;
    this.stream = new Stream(root.dataset.socket, page.log.head, {
      decisions: (items) => this.#take(items),
      hello: (message) => this.#begin(message),
      status: (message) => page.reading.set({ status: message.status }),
      end: (message) => this.#end(message),
      link: (state) => this.#linked(state),
    });
    this.stream.open();
  }

  #begin({ decisions, status }) {
    this.expected = decisions;
    this.page.reading.set({ status });
    this.#advance();
  }

  #take(items) {
    const { log, scale, fold } = this.page;
    log.take(items);
    scale.learn(fold.pods);
    this.#advance();
  }

  #end({ status }) {
    this.expected = Math.min(this.expected, this.page.log.head);
    this.page.reading.set({ status, follow: false });
    this.#advance();
    this.#readEnding();
  }

  #advance() {
    const { reading, log } = this.page;
    if (!reading.loaded) {
      const target = this.wanted ?? (isGoing(reading.status) ? this.expected : log.first + 1);
      if (log.head >= target) this.#arrive(Math.max(log.first, target));
      else if (log.head >= this.expected) this.#arrive(log.head);
    }
    reading.set({ head: log.head });
    if (reading.follow) reading.set({ at: log.head });
  }

  /** The log is there up to where the reader wants to be: a decision of the address, the head of a live run,
   * the first decision of a finished one. */
  #arrive(at) {
    const { reading, log, fold } = this.page;
    const follow = isGoing(reading.status) && this.wanted === null;
    const pod = reading.pod ? fold.podIndex.get(reading.pod) : undefined;
    const siblings = pod === undefined ? null : siblingsOf(fold, pod);
    reading.set({ loaded: true, head: log.head, at, follow, siblings });
  }

  /** The run has ended while the page was open: how, the run itself says. */
  async #readEnding() {
    const { page } = this;
    if (!isGoing(page.run.status)) return;
    page.run = withFacts(await page.rest.run());
    drawTrust(page.inspector.trust, page.run);
  }

  #linked(state) {
    this.page.reading.set({ link: state });
    if (state === "signed-out") this.page.announce("You are signed out. Sign in again to go on reading.");
    else if (state === "not-found") this.page.announce("This run is no longer there.");
  }
}
