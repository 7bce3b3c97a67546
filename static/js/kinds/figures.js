// A few figures of every decision in columns, as its kind gives them: for the time line, for play's stops, and for
// lists of decisions. Pure.

import { Column } from "../columns.js";
import { kindOf } from "./registry.js";

/** How a decision ended, for colour and pattern; "other" is of a kind that has no say in placing pods. */
export const TONES = ["placed", "preempt", "unsched", "wait", "other"];

export class Figures {
  constructor(log) {
    this.log = log;
    this.tone = new Column(Uint8Array);
    this.fitting = new Column(Float32Array);
    this.endings = new Texts();
    this.stops = new Texts();
  }

  /** Take in what the log has taken in. */
  take(decisions) {
    for (const decision of decisions) {
      const { seq } = decision;
      const kind = kindOf(decision);
      const { tone, fits } = kind.figures(decision);
      this.tone.set(seq, TONES.indexOf(tone));
      this.fitting.set(seq, fits);
      this.endings.set(seq, `${decision.kind} ${decision.outcome ?? ""}`);
      const stops = kind.stops.filter(({ is }) => is(decision));
      this.stops.set(seq, stops.map(({ key }) => key).join(" "));
    }
  }

  /** A decision's kind and its outcome, as the log has them. */
  endingOf(seq) {
    const [kind, ...outcome] = this.endings.get(seq).split(" ");
    return { kind, outcome: outcome.join(" ") };
  }

  /** The keys of the stops that a decision is. */
  stopsOf(seq) {
    return this.stops.get(seq).split(" ");
  }

  /** Whether there was a decision that is this stop. */
  hasStop(key) {
    return this.stops.all.some((keys) => keys.split(" ").includes(key));
  }
}

/** A column of texts of which there are few different ones. */
class Texts {
  constructor() {
    this.all = [""];
    this.numbers = new Map([["", 0]]);
    this.column = new Column(Uint16Array);
  }

  set(index, text) {
    if (!this.numbers.has(text)) this.numbers.set(text, this.all.push(text) - 1);
    this.column.set(index, this.numbers.get(text));
  }

  get(index) {
    return this.all[this.column.get(index) ?? 0];
  }
}
