// A kube-scheduler with HAMi as its extender tries a pod that asks for cards: an attempt whose node and cards HAMi chooses.

import { drawCards } from "../cards-tab.js";
import { drawHamiEvents } from "../events-tab.js";
import { drawHamiFilter } from "../filter-tab.js";
import { drawHamiScores } from "../scores-tab.js";
import { foundBy, hasAskedForCards, refusedIn } from "../../cards/answer.js";
import { drawWire } from "../wire-tab.js";
import { NO_CARDS } from "../../cards/reasons.js";
import { drawPreemption } from "../../../debugger/inspector/tabs/preemption-tab.js";
import { drawRaw } from "../../../debugger/inspector/tabs/raw-tab.js";
import { filled } from "../../../debugger/words/scheduler.js";
import { attempt } from "../../../decisions/attempt.js";
import { bindFails } from "../../../decisions/bind-fails.js";
import { bindMessages } from "./messages.js";
import { nearestSentence, placedSentence, refusedSentence } from "./sentence.js";
import { hamiVerdicts } from "./verdicts.js";
import { judgedCards } from "../judging.js";

/** Whether HAMi turned a node down for its cards. */
function refusesCards(event) {
  return Object.keys(foundBy(event)?.reasons ?? {}).some((word) => word !== NO_CARDS);
}

export const hamiAttempt = {
  ...attempt,
  isOf: hasAskedForCards,
  tabs: [
    { key: "filter", label: "Filter", draw: drawHamiFilter },
    { key: "cards", label: "Cards", draw: drawCards },
    { key: "scores", label: "Scores", draw: drawHamiScores },
    { key: "preemption", label: "Preemption", draw: drawPreemption },
    { key: "wire", label: "Wire", draw: drawWire },
    { key: "events", label: "Events", draw: drawHamiEvents },
    { key: "raw", label: "Raw", draw: drawRaw },
  ],
  stops: [
    ...attempt.stops,
    { key: "card-refused", label: "a card is refused", onlyIfAny: true, is: refusesCards },
    bindFails,
  ],

  sentence(event, told) {
    if (event.outcome === "scheduled") return placedSentence(event, told);
    if (event.outcome === "unschedulable" && !foundBy(event).node) return refusedSentence(event);
    return attempt.sentence(event, told);
  },

  /** Which node came nearest, once the server has said so. */
  async lead(event, evidence) {
    return foundBy(event).node ? [] : nearestSentence(refusedIn(await judgedCards(evidence, event)));
  },

  opening: () => "cards",

  moreFacts: async (event, evidence) => ({ judged: await judgedCards(evidence, event) }),

  verdicts: hamiVerdicts,

  messages(event, scheduler) {
    const object = filled(scheduler.events.object, { pod: event.pod.name });
    return [...bindMessages(event, object), ...attempt.messages(event, scheduler)];
  },
};
