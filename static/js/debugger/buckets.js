// Decisions in columns for the time line: how they ended and how many nodes could take the pod. Columns are of equally
// many decisions or, where a clock moves, of equally long times. Pure.

import { TONES } from "../kinds/figures.js";
import { clockShare } from "./clock-axis.js";

/** One column per bucket: {place, from, to, tones: a number for each of TONES, fitting: mean share or NaN, preemptions}. */
export function bucketsOf(figures, columns) {
  const { log } = figures;
  const first = log.first + 1;
  const all = log.head - log.first;
  if (all <= 0) return [];
  const size = Math.max(1, all / columns);
  const buckets = [];
  for (let i = 0; i < Math.ceil(all / size - 1e-9); i++) {
    const to = Math.min(log.head, first + Math.floor((i + 1) * size) - 1);
    buckets.push({ place: i, ...bucket(figures, first + Math.floor(i * size), to) });
  }
  return buckets;
}

/** The same by the clock; columns in which nothing was decided are left out. */
export function clockBucketsOf(figures, columns) {
  const { fold, head, first } = figures.log;
  const buckets = [];
  for (let from = first + 1, to; from <= head; from = to + 1) {
    const place = columnOf(fold, from, columns);
    for (to = from; to < head && columnOf(fold, to + 1, columns) === place; ) to++;
    buckets.push({ place, ...bucket(figures, from, to) });
  }
  return buckets;
}

function columnOf(fold, seq, columns) {
  return Math.min(columns - 1, Math.floor(clockShare(fold, fold.timeOf(seq)) * columns));
}

function bucket(figures, from, to) {
  const tones = TONES.map(() => 0);
  let sum = 0,
    known = 0,
    preemptions = 0;
  for (let seq = from; seq <= to; seq++) {
    const tone = figures.tone.get(seq);
    tones[tone]++;
    if (tone === 1) preemptions++;
    if (tone !== 0 || Number.isNaN(figures.fitting.get(seq))) continue;
    sum += figures.fitting.get(seq);
    known++;
  }
  return { from, to, tones, fitting: known ? sum / known : NaN, preemptions };
}
