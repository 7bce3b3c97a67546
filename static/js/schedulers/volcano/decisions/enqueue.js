// A job asks to be let into its queue: before that none of its pods is tried.

import { jobName, named } from "../../../job-names.js";
import { drawChanges } from "../../../debugger/inspector/tabs/changes-tab.js";
import { drawOrder } from "../order-tab.js";
import { drawRaw } from "../../../debugger/inspector/tabs/raw-tab.js";
import { drawSession } from "../session-tab.js";
import { list, strong, words } from "../../../debugger/words/phrases.js";
import { generic } from "../../../decisions/generic.js";
import { MARKS, notesOf } from "./words.js";

const hasEntered = ({ outcome }) => outcome === "entered";

export const enqueue = {
  ...generic,
  kind: "enqueue",
  tabs: [
    { key: "session", label: "Session", draw: drawSession },
    { key: "order", label: "Order", draw: drawOrder },
    { key: "changes", label: "Changes", draw: drawChanges },
    { key: "raw", label: "Raw", draw: drawRaw },
  ],
  stops: [
    { key: "entered", label: "a job that enters its queue", onlyIfAny: true, is: hasEntered },
    { key: "rejected", label: "a job that stays outside its queue", onlyIfAny: true, is: (event) => !hasEntered(event) },
  ],

  who: ({ job }) => named(job, jobName(job)),

  sentence(event) {
    const { queue, lacking } = event;
    if (hasEntered(event))
      return [words("Is "), strong(`let into queue ${queue}`), words(": from now on its pods are tried.")];
    const by = lacking.length ? [...list(lacking.map(strong)), words(lacking.length > 1 ? " reject it" : " rejects it")] : [];
    return [
      strong(`Stays outside of queue ${queue}`),
      ...(by.length ? [words(": "), ...by] : []),
      words(". None of its pods is tried in this session."),
    ];
  },

  brief: (event, outcomeWord) => ({
    mark: hasEntered(event) ? MARKS.placed : MARKS.refused,
    words: outcomeWord,
    node: "",
  }),

  notes: (event, schedulers = []) => notesOf(event, schedulers, `queue ${event.queue}`),

  unplaced: (event) => (hasEntered(event) ? null : { job: event.job, at: event.seq }),

  opening: () => "session",

  figures: (event) => ({ tone: hasEntered(event) ? "other" : "wait", fits: NaN }),

  markdown: () => [],
};
