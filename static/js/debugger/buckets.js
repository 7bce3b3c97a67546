// Decisions in columns for the time line: how they ended and how many nodes could take the pod. Pure.

import { OUTCOMES } from "./log.js";

export const TONES = ["placed", "preempt", "unsched", "wait"];
const TONE_OF = {
  scheduled: 0,
  nominated: 1,
  unschedulable: 2,
  gated: 3,
  error: 2,
  evicted: 1,
  refused: 3,
  skipped: 3,
  other: 3,
};
const TONE = OUTCOMES.map((outcome) => TONE_OF[outcome]);

/** One column per bucket: {from, to, tones: [n, n, n, n], fitting: mean share or NaN, preemptions}. */
export function bucketsOf(log, columns) {
  const first = log.first + 1;
  const all = log.head - log.first;
  if (all <= 0) return [];
  const size = Math.max(1, all / columns);
  const buckets = [];
  for (let i = 0; i < Math.ceil(all / size - 1e-9); i++) {
    buckets.push(
      bucket(log, first + Math.floor(i * size), Math.min(log.head, first + Math.floor((i + 1) * size) - 1)),
    );
  }
  return buckets;
}

function bucket(log, from, to) {
  const tones = [0, 0, 0, 0];
  let sum = 0,
    known = 0,
    preemptions = 0;
  for (let seq = from; seq <= to; seq++) {
    const tone = TONE[log.outcome.get(seq)];
    tones[tone]++;
    if (tone === 1) preemptions++;
    if (tone !== 0 || Number.isNaN(log.fitting.get(seq))) continue;
    sum += log.fitting.get(seq);
    known++;
  }
  return { from, to, tones, fitting: known ? sum / known : NaN, preemptions };
}
