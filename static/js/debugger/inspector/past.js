// What earlier decisions of the log have to do with this one, for its sentence. Pure.

import { cardOf, vendorsOn } from "../../cards.js";
import { takersOf } from "./taken-room.js";
import { triesBefore } from "../../schedulers/sessions/statement.js";

/** {takers, marked, statement, cardNumber(key), vendorsOn(node)}: see taken-room.js, `markedBefore`, schedulers/volcano/statement.js, schedulers/hami/decisions/sentence.js. */
export function pastOf(log, event, scheduler) {
  return {
    takers: takersOf(log, event, scheduler),
    marked: markedBefore(log, event),
    statement: triesBefore(log, event),
    ...namesOfCards(log.fold),
  };
}

/** {cardNumber(key), vendorsOn(node)}: what a sentence needs to name a node's cards; a cluster's cards stay the same. */
export function namesOfCards(fold) {
  return {
    cardNumber: (key) => cardOf(fold, key)?.index ?? null,
    vendorsOn: (node) => vendorsOn(fold, node),
  };
}

/**
 * Victims that were terminating already, with the decision that marked them, 0 if they were from the start:
 * [{uid, seq}]. A driver with a grace period marks nobody twice; one with a clock marks whom an attempt chose as the
 * attempt ends, so that those aren't terminating at the attempt, where the fold stands.
 */
export function markedBefore(log, event) {
  const fresh = new Set(markedBy(log, event.seq));
  const victims = (event.preemption?.victims ?? []).map(({ uid }) => uid);
  const again = new Set(victims.filter((uid) => !fresh.has(uid)));
  const marked = [];
  for (let seq = event.seq - 1; again.size && seq > log.first; seq--) {
    if (!log.evictions.get(seq)) continue;
    for (const uid of markedBy(log, seq)) if (again.delete(uid)) marked.unshift({ uid, seq });
  }
  if (!log.isFromStart) return marked;
  const fromTheStart = [...again].filter((uid) => log.fold.terminating.has(log.fold.podIndex.get(uid)));
  return [...fromTheStart.map((uid) => ({ uid, seq: 0 })), ...marked];
}

/** Pods that were on nobody's way out before this decision. */
function markedBy(log, seq) {
  const evicted = log.effectsOf(seq).filter(({ effect, wasTerminating }) => effect === "evicted" && !wasTerminating);
  return evicted.map(({ pod }) => pod);
}
