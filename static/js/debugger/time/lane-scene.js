// What the lanes read when they are drawn: the run, the shown part, where the reader stands, and how wide all of it is.

import { kindOf } from "../../decisions/registry.js";
import { clockAt } from "./clock-axis.js";
import { binsOf } from "./buckets.js";
import { briefOf } from "./briefs.js";
import { Scale } from "./span.js";

const FAILED = ["unsched", "preempt"];

/** `parts`: {log, figures, series, scheduler, names, palette, reading, axis}; `width` in pixels. */
export function sceneOf(parts, span, width) {
  const { log, figures, axis, reading } = parts;
  const bins = new Map();
  return {
    ...parts,
    span,
    width,
    fold: log.fold,
    first: log.first,
    at: reading.at,
    now: clockAt(log.fold, reading),
    scale: new Scale(span, width),
    /** The last decision before what is shown. */
    before: axis.before(span.from),
    binsOf(columns) {
      if (!bins.has(columns)) bins.set(columns, binsOf(axis, span, columns));
      return bins.get(columns);
    },
    xOf: (seq) => new Scale(span, width).x(axis.placeOf({ at: seq, time: null })),
    briefOf: (seq) => briefOf(parts, seq),
    hasFailed: (seq) => FAILED.includes(briefOf(parts, seq).tone),
    wokenBy: (pod) => wokenBy(parts, pod),
    nameOf: (seq) => nameOf(log, seq),
    firstTold: (from, to) => firstTold(figures, from, to),
    fitting,
  };
}

/** Whom a decision is about; nobody where it is of no pod and the window has lost it. */
function nameOf(log, seq) {
  const event = log.event(seq);
  if (event) return kindOf(event).who(event).name;
  const card = log.fold.pods[log.pod.get(seq)];
  return card ? `${card.namespace}/${card.name}` : "";
}

/** The last decision that woke a pod, as far as the reader has come, or 0. */
function wokenBy({ log, figures, reading }, pod) {
  const isWake = (seq) => seq <= reading.at && kindOf(figures.endingOf(seq)).wakes;
  return log.lives.of(pod).recalls.findLast(isWake) ?? 0;
}

/** The first decision by which a scheduler decided something; there is one. */
function firstTold(figures, from, to) {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const told = figures.tonesWithin(from, middle).slice(0, 4);
    if (told.some((number) => number > 0)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** A text that fits into so many pixels: what is too much goes from its middle. */
function fitting(context, text, room) {
  const wide = context.measureText(text).width;
  if (wide <= room || !text) return text;
  const kept = Math.floor((room / wide) * text.length) - 1;
  if (kept < 3) return "";
  const tail = Math.ceil(kept * 0.6);
  return `${text.slice(0, kept - tail)}…${text.slice(-tail)}`;
}
