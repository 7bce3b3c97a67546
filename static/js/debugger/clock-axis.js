// The time line's axis where a clock moves: instants as shares of the time that is known so far, its ticks, and where the
// reader stands on it. Pure.

import { clock } from "./units.js";

const SECOND = 1000,
  MINUTE = 60 * SECOND,
  HOUR = 60 * MINUTE;
/** Distances between ticks; of longer runs whole multiples of the last one. */
const STEPS = [
  ...[0.01, 0.1, 0.5, 1, 2, 5, 10, 15, 30].map((seconds) => seconds * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  HOUR,
];

/** Where an instant stands between the run's first state, 0, and its last decision so far, 1. */
export function clockShare(fold, time) {
  const start = fold.timeOf(fold.base);
  const span = fold.timeOf(fold.head) - start;
  return span > 0 ? (time - start) / span : 0;
}

/** The instant at a share of the axis. */
export function clockTime(fold, share) {
  const start = fold.timeOf(fold.base);
  return start + share * (fold.timeOf(fold.head) - start);
}

/**
 * Where the reader's clock stands: at `time`, if that is between their decision `at` and the next one, else at the
 * decision's own instant; null where no clock moves.
 */
export function clockAt(fold, { at, time }) {
  const own = fold.timeOf(at);
  const isBetween = time !== null && at < fold.head && time > own && time < fold.timeOf(at + 1);
  return own !== null && isBetween ? time : own;
}

/** At most `most` ticks at round instants: [{share, label}], behind the beginning. */
export function clockTicks(fold, most) {
  const [start, end] = [fold.timeOf(fold.base), fold.timeOf(fold.head)];
  const wanted = (end - start) / Math.max(1, most);
  const step = STEPS.find((one) => one >= wanted) ?? Math.ceil(wanted / HOUR) * HOUR;
  const ticks = [];
  for (let time = (Math.floor(start / step) + 1) * step; time <= end; time += step)
    ticks.push({ share: clockShare(fold, time), label: clock(time).replace(/\.000$/, "") });
  return ticks;
}
