// When a run's clock is to end, and where one that has ended stopped before. Pure.

import { clock } from "../words/units.js";

/** How a run stopped whose clock hadn't come to its end, by what ended it or else by its status. */
const STOPPED = {
  quiet: "nothing happens after",
  until: "nothing happens after",
  limit: "stopped by the limit of decisions at",
  cancelled: "cancelled at",
  failed: "failed at",
};

/**
 * {end: the instant at which the clock is to end, isAsked: whether the scenario names it, last: that of the last decision
 * of a run that has ended, how: how it ended there}; null where it isn't known. `run`: as REST gives it.
 */
export function clockEndOf({ clock_end: end = null, until, status, outcome }) {
  const how = STOPPED[outcome?.ended_by ?? status] ?? null;
  return { end, isAsked: end !== null && until !== null, last: how === null ? null : (outcome?.time ?? null), how };
}

/** "nothing happens after 15:33.370", empty where the run has come to the end of its clock, or isn't known to have ended. */
export function stoppedWords({ end, last, how }) {
  return last === null || last === end ? "" : `${how} ${clock(last)}`;
}

/**
 * {words, isKnown}: what is said of the axis behind `decided`, the last decision that is held, and whether nothing comes
 * there. A run that was cancelled or failed may have no outcome, and so no instant at which it stopped.
 */
export function tailWords(ends, decided, isRead) {
  if (decided === ends.last) return { isKnown: true, words: stoppedWords(ends) };
  if (!isRead) return { isKnown: false, words: "not read yet" };
  if (ends.how !== null) return { isKnown: true, words: "nothing more was decided" };
  return { isKnown: false, words: "not decided yet" };
}

/** What the clock's end rests on: "it is to end at 20:00, as the scenario asks". */
export function endWords({ end, isAsked }) {
  return end === null ? "" : `it is to end at ${brief(end)}, ${isAsked ? "as the scenario asks" : "ten minutes after the last edit"}`;
}

/** The clock without milliseconds where there are none. */
export function brief(time) {
  return clock(time).replace(/\.000$/, "");
}
