// What the page's parts need to know of HAMi without drawing (../facts.js). Pure.

import { hasCards } from "../../cards.js";
import { lateness } from "../cards/reasons.js";

/** @type {SchedulerFacts} */
export const hami = {
  lateness,

  /** HAMi also reads limits; the log has requests only, and some pods have none. */
  noteOnNothing: (fold) => (hasCards(fold) ? "HAMi reads its limits" : ""),
};
