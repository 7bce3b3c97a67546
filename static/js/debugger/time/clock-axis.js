// The clock of a run that has one: where the reader stands on it, and round instants for the ticks of an axis. Pure.

import { clock, count, roundStep } from "../words/units.js";

const SECOND = 1000,
  MINUTE = 60 * SECOND,
  HOUR = 60 * MINUTE,
  DAY = 24 * HOUR;
/** Distances between ticks; of longer runs round numbers of days. */
const STEPS = [
  ...[0.01, 0.1, 0.5, 1, 2, 5, 10, 15, 30].map((seconds) => seconds * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 6, 12].map((hours) => hours * HOUR),
];

/**
 * Where the reader's clock stands: at `time`, if that is between their decision `at` and the next one, else at the
 * decision's own instant; null where no clock moves.
 */
export function clockAt(fold, { at, time }) {
  const own = fold.timeOf(at);
  const isBetween = time !== null && at < fold.head && time > own && time < fold.timeOf(at + 1);
  return own !== null && isBetween ? time : own;
}

/** At most `most` ticks at round instants within a span of milliseconds: [{value, label}], behind its beginning. */
export function clockTicks({ from, to }, most) {
  const wanted = (to - from) / Math.max(1, most);
  const step = STEPS.find((one) => one >= wanted) ?? DAY * roundStep(wanted / DAY);
  const ticks = [];
  for (let value = (Math.floor(from / step) + 1) * step; value <= to; value += step)
    ticks.push({ value, label: tickLabel(value, step) });
  return ticks;
}

/** The clock without what is nought at every tick, as long as it can be told what is left: "0:02", "3 d", "3 d 12 h". */
function tickLabel(value, step) {
  const words = clock(value);
  const [days, hours] = [Math.floor(value / DAY), Math.floor((value % DAY) / HOUR)];
  if (step % HOUR || (step < DAY && !words.includes("d"))) return words.replace(/\.000$/, "");
  return hours ? `${count(days)} d ${hours} h` : `${count(days)} d`;
}
