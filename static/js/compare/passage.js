// The passage of both runs: the debugger's, which also leads to decisions that are still being read. Whoever asks
// for one of those stays where they are until it is there; `reading.wanted` says so.

import { Transport } from "../debugger/controls/transport.js";

export class Passage extends Transport {
  seek(seq, options) {
    const { log, reading } = this;
    const isComing = !log.has(seq);
    reading.set({ wanted: isComing ? Math.min(Math.round(seq), log.expected) : null });
    if (isComing) this.pause();
    else super.seek(seq, options);
  }

  last() {
    this.seek(this.log.expected);
  }

  play() {
    this.reading.set({ wanted: null });
    super.play();
  }

  /** More has been read: go where the reader wanted to be, once it is there. */
  advance() {
    const { log, reading } = this;
    if (reading.wanted !== null && log.has(reading.wanted)) this.seek(reading.wanted);
  }
}
