// A session opens: which actions it will take, and in which order queues and jobs stand at this moment.

import { drawJobsAtOpening } from "../jobs-tab.js";
import { drawOrder } from "../order-tab.js";
import { drawRaw } from "../../../debugger/inspector/tabs/raw-tab.js";
import { drawSession } from "../session-tab.js";
import { list, strong, words } from "../../../debugger/words/phrases.js";
import { count, plural } from "../../../debugger/words/units.js";
import { generic, whenNotes } from "../../../decisions/generic.js";

export const session = {
  ...generic,
  kind: "session",
  tabs: [
    { key: "session", label: "Session", draw: drawSession },
    { key: "jobs", label: "Jobs", draw: drawJobsAtOpening },
    { key: "order", label: "Order", draw: drawOrder },
    { key: "raw", label: "Raw", draw: drawRaw },
  ],
  stops: [{ key: "session", label: "the opening of a session", onlyIfAny: true, is: () => true }],

  who: (event) => ({ name: `Session ${count(event.session)}`, pod: null }),

  sentence({ actions, queues, jobs, invalid }) {
    const all = Object.values(jobs).reduce((sum, of) => sum + of.length, 0);
    if (!all) return [strong("Opens"), words(" without a job.")];
    return [
      strong("Opens"),
      words(` with ${plural(all, "job")} in ${plural(queues.length, "queue")}: `),
      ...list(queues.map(strong)),
      words(queues.length > 1 ? " in this order. " : ". "),
      words(`Its actions are ${actions.join(", ")}.`),
      ...(invalid.length ? [words(" "), strong(`${plural(invalid.length, "job")} can't take part`), words(".")] : []),
    ];
  },

  brief: ({ outcome }, outcomeWord) => ({ mark: "", words: outcomeWord || outcome, node: "" }),

  notes: (event, schedulers = []) => [...(schedulers.length > 1 ? [`by ${event.actor}`] : []), ...whenNotes(event)],

  opening: () => "session",

  markdown: ({ queues, jobs }) => queues.map((queue) => `- ${queue}: ${jobs[queue].join(", ")}`),
};
