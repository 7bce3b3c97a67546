// What earlier decisions of the log have to do with this one, for its sentence. Pure.

import { isEviction } from "../fold.js";
import { takersOf } from "./taken-room.js";

/** {takers, marked}: see taken-room.js, and `markedBefore`. */
export function pastOf(log, event, release) {
  return { takers: takersOf(log, event, release), marked: markedBefore(log, event) };
}

/**
 * Victims that were terminating already, with the decision that marked them, 0 if they were from the start:
 * [{uid, seq}]. A driver with a grace period marks nobody twice.
 */
export function markedBefore(log, event) {
  const { fold } = log;
  const fresh = new Set(fold.changesOf(event.seq).filter(isMarking).map(({ pod }) => pod));
  const victims = (event.preemption?.victims ?? []).map(({ uid }) => fold.podIndex.get(uid));
  const again = new Set(victims.filter((pod) => !fresh.has(pod)));
  const marked = [];
  for (let seq = event.seq - 1; again.size && seq > log.first; seq--) {
    for (const change of fold.changesOf(seq)) {
      if (isMarking(change) && again.delete(change.pod))
        marked.unshift({ uid: fold.pods[change.pod].uid, seq });
    }
  }
  return [...[...again].map((pod) => ({ uid: fold.pods[pod].uid, seq: 0 })), ...marked];
}

function isMarking(change) {
  return isEviction(change) && !change.was;
}
