// A few figures of every decision in columns, as its kind gives them: for the time line, for play's stops, and for
// lists of decisions. Pure.

import { Column } from "../columns.js";
import { Sessions } from "../schedulers/sessions/sessions.js";
import { kindOf } from "./registry.js";

/** How a decision ended, for colour and pattern; "other" is of a kind that has no say in placing pods. */
export const TONES = ["placed", "preempt", "unsched", "wait", "other"];

export class Figures {
  constructor(log) {
    this.log = log;
    this.endings = new Texts();
    this.stops = new Texts();
    this.sessions = new Sessions();
    this.begin();
  }

  /** Begin where the log does. Who decides in sessions has a log that begins once (window.js). */
  begin() {
    const { first } = this.log;
    this.tone = new Column(Uint8Array, first);
    /** 1 where a node fits, also for a pod that isn't placed since its gang is not. */
    this.fits = new Column(Uint8Array, first);
    this.tonesSoFar = TONES.map(() => new Column(Uint32Array, first));
    /** Of placed pods: for how many it is known what share of the nodes could take them, and the sum of those shares. */
    this.knownSoFar = new Column(Uint32Array, first);
    this.fittingSoFar = new Column(Float64Array, first);
    this.endings.begin(first);
    this.stops.begin(first);
  }

  /** Take in what the log has taken in. */
  take(decisions) {
    for (const decision of decisions) {
      const { seq } = decision;
      const kind = kindOf(decision);
      const { tone, fits } = kind.figures(decision);
      this.tone.set(seq, TONES.indexOf(tone));
      this.fits.set(seq, fits > 0 ? 1 : 0);
      this.#sum(seq, TONES.indexOf(tone), fits);
      this.endings.set(seq, `${decision.kind} ${decision.outcome ?? ""}`);
      const stops = kind.stops.filter(({ is }) => is(decision));
      this.stops.set(seq, stops.map(({ key }) => key).join(" "));
      this.sessions.take(decision);
    }
  }

  /** How many decisions from one to another ended in each of TONES. */
  tonesWithin(from, to) {
    return this.tonesSoFar.map((column) => column.get(to) - soFar(column, from - 1));
  }

  /** The mean share of the nodes that could take the pods that those decisions placed, NaN if it isn't known. */
  fittingWithin(from, to) {
    const known = this.knownSoFar.get(to) - soFar(this.knownSoFar, from - 1);
    return known ? (this.fittingSoFar.get(to) - soFar(this.fittingSoFar, from - 1)) / known : NaN;
  }

  #sum(seq, tone, fits) {
    this.tonesSoFar.forEach((column, i) => column.set(seq, soFar(column, seq - 1) + (i === tone)));
    const isKnown = tone === 0 && !Number.isNaN(fits);
    this.knownSoFar.set(seq, soFar(this.knownSoFar, seq - 1) + isKnown);
    this.fittingSoFar.set(seq, soFar(this.fittingSoFar, seq - 1) + (isKnown ? fits : 0));
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

/** A sum after a decision; before the first one it is 0. */
export function soFar(column, seq) {
  return column.get(seq) ?? 0;
}

/** A column of texts of which there are few different ones. */
class Texts {
  constructor() {
    this.all = [""];
    this.numbers = new Map([["", 0]]);
  }

  begin(first) {
    this.column = new Column(Uint16Array, first);
  }

  set(index, text) {
    if (!this.numbers.has(text)) this.numbers.set(text, this.all.push(text) - 1);
    this.column.set(index, this.numbers.get(text));
  }

  get(index) {
    return this.all[this.column.get(index) ?? 0];
  }
}
