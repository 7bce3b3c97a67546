// A column that finds the highest of its values between two decisions without looking at each: blocks know theirs. Pure.

import { Column } from "../../columns.js";

const BLOCK = 256;

export class Peaks {
  /** `first`: the lowest number that will have a value. */
  constructor(first = 0) {
    this.values = new Column(Uint32Array, first);
    /** By block: the decision with its highest value, the first of several. */
    this.tops = new Column(Int32Array, Math.floor(first / BLOCK));
    this.known = 0;
  }

  get(seq) {
    return this.values.get(seq) ?? 0;
  }

  /** Values come in the order of their numbers. */
  set(seq, value) {
    this.values.set(seq, value);
    const block = Math.floor(seq / BLOCK);
    if (block >= this.known || value > this.get(this.tops.get(block))) this.tops.set(block, seq);
    this.known = Math.max(this.known, block + 1);
  }

  /** The decision with the highest value from one to another, the first of several. */
  highest(from, to) {
    let best = from;
    for (let seq = from + 1; seq <= to; seq++) {
      const block = seq / BLOCK;
      const isSkipped = Number.isInteger(block) && seq + BLOCK - 1 <= to;
      const one = isSkipped ? this.tops.get(block) : seq;
      if (this.get(one) > this.get(best)) best = one;
      if (isSkipped) seq += BLOCK - 1;
    }
    return best;
  }
}
