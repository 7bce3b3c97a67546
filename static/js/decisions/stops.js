// Where play may pause: what each kind offers, and a second eviction of the same pod, whichever kind does it. Pure.

import { AGAIN, conditionTest, isOpen } from "../debugger/controls/stops.js";
import { generic } from "./generic.js";
import { KINDS, SESSION_KINDS } from "./registry.js";

const AGAIN_STOP = { key: AGAIN, label: "a pod is evicted a second time" };

/** The stops to choose from: [{key, label}]; those that only some runs have come last, where there are any. */
export function offeredStops(figures) {
  const all = differing([...KINDS, generic].flatMap(({ stops }) => stops));
  const rare = all.filter(({ key, onlyIfAny }) => onlyIfAny && figures.hasStop(key));
  return [...all.filter(({ onlyIfAny }) => !onlyIfAny), AGAIN_STOP, ...rare];
}

/**
 * What the server's index is to be asked for: filters of which a decision passes one at least; null where the index
 * doesn't know what the stop asks for.
 */
export function stopFilters({ kinds, pod, node, priority, actor }) {
  const by = actor ? { actor } : {};
  if (!kinds.length && priority === null && actor && !pod && !node) return [by];
  const all = [...KINDS.filter((kind) => !SESSION_KINDS.includes(kind)), generic].flatMap(({ stops }) => stops);
  const stops = [...new Set(all)].filter(({ key }) => kinds.includes(key));
  const areKnown = kinds.every((key) => stops.some((stop) => stop.key === key)) && stops.every(({ index }) => index);
  // Decisions about nobody have the priority 0 in the index, and pods and nodes are known there by whole names only.
  if (!areKnown || pod || node || (priority !== null && priority < 0)) return null;
  return [...stops.map(({ index }) => ({ ...index, ...by })), ...(priority === null ? [] : [{ min_priority: priority + 1, ...by }])];
}

/**
 * Makes what asks the server's index for the nearest stop of a reader from a decision on (1) or back (-1): its number, null for
 * none, undefined where the index doesn't know.
 */
export function stopAsker(rest, reading) {
  return async (by, seq) => {
    const filters = stopFilters(reading.stop);
    if (!filters) return undefined;
    try {
      const found = await Promise.all(filters.map((filter) => rest.stop(by, seq, filter)));
      const numbers = found.filter((one) => one !== null);
      return numbers.length ? (by > 0 ? Math.min : Math.max)(...numbers) : null;
    } catch {
      return undefined;
    }
  };
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
