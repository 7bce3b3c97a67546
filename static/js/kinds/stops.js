// Where play may pause: what each kind offers, and a second eviction of the same pod, whichever kind does it. Pure.

import { AGAIN, conditionTest, isOpen } from "../debugger/stops.js";
import { generic } from "./generic.js";
import { KINDS } from "./registry.js";

const AGAIN_STOP = { key: AGAIN, label: "a pod is evicted a second time" };

/** The stops to choose from: [{key, label}]; those that only some runs have come last, where there are any. */
export function offeredStops(figures) {
  const all = differing([...KINDS, generic].flatMap(({ stops }) => stops));
  const rare = all.filter(({ key, onlyIfAny }) => onlyIfAny && figures.hasStop(key));
  return [...all.filter(({ onlyIfAny }) => !onlyIfAny), AGAIN_STOP, ...rare];
}

/** Kinds may share a stop: the first one names it. */
function differing(stops) {
  return stops.filter(({ key }, i) => stops.findIndex((stop) => stop.key === key) === i);
}

/** Makes tests of one decision by number, for a log and a stop. */
export function stopTests(figures) {
  return (log, stop) => {
    const kinds = new Set(stop.kinds);
    const isNamed = conditionTest(log, stop);
    const isWanted = (seq) => figures.stopsOf(seq).some((key) => kinds.has(key)) || isNamed(seq);
    if (!stop.actor) return isWanted;
    return (seq) => log.actorOf(seq) === stop.actor && (isOpen(stop) || isWanted(seq));
  };
}
