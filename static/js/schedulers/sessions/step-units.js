// What a step may go over where the log has sessions: a pod, a job's statement, an action, a session.

import { fill, h } from "../../drawing/dom.js";
import { UNITS } from "./sessions.js";

/** Offer the units in the field for them, once; beside those of a clock where one moves. */
export function offerSteps(select, hasClock) {
  if (select.dataset.sessions) return;
  select.dataset.sessions = "yes";
  select.title = "what a step goes over; a job's step ends where its tries are committed or taken back";
  const ofClock = hasClock ? ["event", "second"] : [];
  const { value } = select;
  const option = (unit, words) => h("option", { value: unit }, `by ${words}`);
  fill(select, option("decision", "pod"), [...UNITS, ...ofClock].map((unit) => option(unit, unit)));
  select.value = value;
}
