/* Edits in time: which happen when, and what of them needs a clock. */

/** Seconds after the run's start; what happens before it comes first. */
export const instantOf = (edit) => (isLater(edit) ? edit.at : -1);

/** Whether an edit happens at an instant of its own, and not as the run starts. */
export const isLater = (edit) => typeof edit.at === "number";

/** The entries in the order in which their edits happen; those of one instant stay as they are. */
export const inTime = (entries) => [...entries].sort((a, b) => instantOf(a.value) - instantOf(b.value));

/** The edit without what only a clock gives a meaning. */
export function withoutTimes(edit) {
  const { at: _at, duration: _duration, timeout: _timeout, ...rest } = edit;
  return rest;
}
