// What a time line is drawn along: the decisions' numbers or, where a clock moves, its milliseconds. Pure.
//
// An axis goes from `low` to `high`, which grows as decisions come in. A span {from, to} is a part of it (span.js).

import { clockAt, clockTicks } from "./clock-axis.js";
import { count, roundStep } from "../words/units.js";

/** Numbers: the decision `seq` covers what is above `seq - 1`, up to `seq`. */
export class NumberAxis {
  least = 8;
  /** Lengths of spans to choose from. */
  lengths = [100_000, 10_000, 1000, 160, 40];

  constructor(log) {
    this.log = log;
  }

  get low() {
    return this.log.first;
  }

  get high() {
    return this.log.head;
  }

  /** Where a reader stands. */
  placeOf({ at }) {
    return Math.max(this.low, at - 0.5);
  }

  /** The last decision that is over at a value; `before` and `by` differ where several are at one instant. */
  before(value) {
    return Math.floor(value + 1e-9);
  }

  by(value) {
    return this.before(value);
  }

  /** The decision to go to who points at a value. */
  seqAt(value) {
    return Math.max(this.low, Math.min(this.high, Math.ceil(value - 1e-9)));
  }

  round(value) {
    return Math.round(value);
  }

  /** How many columns a span is drawn in, at most `most`. */
  columns({ from, to }, most) {
    return Math.max(1, Math.min(most, to - from));
  }

  /** At most `most` round numbers within a span: [{value, label}]. */
  ticks({ from, to }, most) {
    const step = roundStep((to - from) / Math.max(1, most));
    const ticks = [];
    for (let value = (Math.floor(from / step) + 1) * step; value <= to; value += step)
      ticks.push({ value: value - 0.5, label: count(value) });
    return ticks;
  }

  /** What decisions from one to another cover. */
  spanOf(from, to) {
    return { from: from - 1, to };
  }

  /** "4,080 to 4,240" */
  words({ from, to }) {
    return `${count(from + 1)} to ${count(to)}`;
  }
}

/** Milliseconds of the clock. */
export class ClockAxis {
  least = 20;
  lengths = [864e6, 864e5, 72e5, 6e5, 12e4, 1e4, 1e3];

  /** `end()`: the instant to which the axis goes in any case, or null. */
  constructor(log, end) {
    this.fold = log.fold;
    this.end = end;
  }

  get low() {
    return this.fold.timeOf(this.fold.base);
  }

  get high() {
    return Math.max(this.decided, this.end() ?? 0);
  }

  /** How far there are decisions. */
  get decided() {
    return this.fold.timeOf(this.fold.head);
  }

  placeOf(reading) {
    return clockAt(this.fold, reading);
  }

  before(value) {
    return this.fold.seqAt(Math.ceil(value) - 1);
  }

  by(value) {
    return this.fold.seqAt(value);
  }

  seqAt(value) {
    return this.fold.seqAt(value);
  }

  round(value) {
    return value;
  }

  spanOf(from, to) {
    return { from: this.fold.timeOf(from), to: this.fold.timeOf(to) };
  }

  columns({ from, to }, most) {
    return to > from ? most : 1;
  }

  ticks(span, most) {
    return clockTicks(span, most);
  }
}

/** The axis of a log; that of a clock goes as far as the run was asked to, if it was. */
export function axisOf(log, end = () => null) {
  return log.fold.hasClock ? new ClockAxis(log, end) : new NumberAxis(log);
}
