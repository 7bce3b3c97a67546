// Decisions in columns for the time line: how they ended and how many nodes could take the pod. Pure.

import { TONES } from "../kinds/figures.js";

/** One column per bucket: {from, to, tones: a number for each of TONES, fitting: mean share or NaN, preemptions}. */
export function bucketsOf(figures, columns) {
  const { log } = figures;
  const first = log.first + 1;
  const all = log.head - log.first;
  if (all <= 0) return [];
  const size = Math.max(1, all / columns);
  const buckets = [];
  for (let i = 0; i < Math.ceil(all / size - 1e-9); i++) {
    buckets.push(
      bucket(figures, first + Math.floor(i * size), Math.min(log.head, first + Math.floor((i + 1) * size) - 1)),
    );
  }
  return buckets;
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
