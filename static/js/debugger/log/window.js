// Which part of a long run the page holds: it reads from a state a little before the reader's decision, as far ahead as
// is soon needed, and begins anew where the reader goes elsewhere. Pure.

import { sessionProfiles } from "../../schedulers/facts.js";

/**
 * How many decisions the page holds at most, how many of them before the one that it opens at, and how far it reads
 * ahead; elsewhere it opens with so many AT_ONCE, which is more than BEFORE.
 */
export const CAPACITY = 50_000,
  BEFORE = 200,
  AHEAD = 2000,
  AT_ONCE = 300;

/** Whether a run of so many decisions is held in parts; sessions are told as wholes, however long ago they were opened. */
export function isHeldInParts(fold, decisions) {
  return decisions > CAPACITY && sessionProfiles(fold).length === 0;
}

/** After which decision to begin for a reader at `at`. */
export function beginningFor(at) {
  return Math.max(0, at - BEFORE);
}

/** Whether the page has read as far ahead of its reader as it needs. */
export function isFarAhead({ head }, at) {
  return head - at >= AHEAD;
}

/** Whether decisions that the run has already are still on their way to a page that holds all of it. */
export function isStillRead({ inParts, expected }, { head }) {
  return !inParts && head < expected;
}

/** Whether the page holds as much as it may, and its reader has left the beginning of it. */
export function isFull({ first, head }, at) {
  return head - first > CAPACITY && beginningFor(at) > first;
}
