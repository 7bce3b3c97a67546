// The part of the run that the time line shows, {from, to} on an axis, and what a reader does to it. Pure.

/** Where the reader comes to stand in a span that turns over to the next page. */
const MARGIN = 0.1;

/** All of the run so far. */
export function wholeOf({ low, high }) {
  return { from: low, to: high };
}

export function isWhole({ from, to }, { low, high }) {
  return from <= low && to >= high;
}

/** A span by its ends, in whichever order they come, within the axis and not shorter than it allows. */
export function between(axis, one, other) {
  const [from, to] = [Math.min(one, other), Math.max(one, other)].map((value) => axis.round(value));
  return placed(axis, from, Math.max(to - from, axis.least));
}

/** A span of a length with a value in its middle. */
export function around(axis, value, length) {
  return placed(axis, axis.round(value - length / 2), length);
}

/** Moved along the axis. */
export function moved(span, axis, by) {
  return placed(axis, axis.round(span.from + by), span.to - span.from);
}

/** `factor` times as long, with `value` where it stood before. */
export function zoomed(span, axis, factor, value) {
  const wanted = axis.round((span.to - span.from) * factor);
  const length = Math.max(axis.least, Math.min(axis.high - axis.low, wanted));
  const share = (value - span.from) / Math.max(1e-9, span.to - span.from);
  return placed(axis, axis.round(value - share * length), length);
}

/** With another beginning; the end stays. */
export function begun(span, axis, from) {
  const latest = span.to - axis.least;
  return { from: Math.max(axis.low, Math.min(latest, axis.round(from))), to: span.to };
}

/** With another end; the beginning stays. */
export function ended(span, axis, to) {
  const earliest = span.from + axis.least;
  return { from: span.from, to: Math.min(axis.high, Math.max(earliest, axis.round(to))) };
}

/** A span as long that has a value in it: the next or the previous page, or, for who jumps, around it. */
export function including(span, axis, value) {
  const length = span.to - span.from;
  if (value >= span.from && value <= span.to) return span;
  if (value > span.to && value < span.to + length) return placed(axis, axis.round(value - MARGIN * length), length);
  if (value < span.from && value > span.from - length)
    return placed(axis, axis.round(value - (1 - MARGIN) * length), length);
  return around(axis, value, length);
}

/** The lengths to choose from on an axis, the longest first, at most `most`: those that are shorter than the run. */
export function lengthsFor(axis, most) {
  return axis.lengths.filter((length) => length < axis.high - axis.low).slice(0, most);
}

/** A span of a length from a value on, pushed back to where there is room for it. */
function placed({ low, high }, from, length) {
  const start = Math.max(low, Math.min(high - length, from));
  return { from: start, to: Math.min(high, start + length) };
}

/** Where values of a span stand on `width` pixels, and back. */
export class Scale {
  from;
  to;

  constructor({ from, to }, width) {
    Object.assign(this, { from, to, width });
    this.perPixel = (to - from) / Math.max(1, width);
  }

  x(value) {
    return this.perPixel ? (value - this.from) / this.perPixel : 0;
  }

  value(x) {
    return Math.max(this.from, Math.min(this.to, this.from + x * this.perPixel));
  }
}
