// A queue has its share: its jobs are not looked at any more in this action.

import { drawOrder } from "../order-tab.js";
import { drawRaw } from "../../../debugger/inspector/tabs/raw-tab.js";
import { drawSession } from "../session-tab.js";
import { strong, words } from "../../../debugger/words/phrases.js";
import { generic } from "../../../decisions/generic.js";
import { MARKS, notesOf } from "./words.js";

export const overused = {
  ...generic,
  kind: "overused",
  tabs: [
    { key: "session", label: "Session", draw: drawSession },
    { key: "order", label: "Order", draw: drawOrder },
    { key: "raw", label: "Raw", draw: drawRaw },
  ],
  stops: [{ key: "overused", label: "a queue that has its share", onlyIfAny: true, is: () => true }],

  who: ({ queue }) => ({ name: `Queue ${queue}`, pod: null }),

  sentence: ({ action }) => [
    strong("Has its share"),
    words(` or more: ${action} looks at none of its jobs any more in this session.`),
  ],

  brief: (_decision, outcomeWord) => ({ mark: MARKS.passed, words: outcomeWord, node: "" }),

  notes: (event, schedulers = []) => notesOf(event, schedulers),

  opening: () => "session",

  figures: () => ({ tone: "wait", fits: NaN }),

  markdown: () => [],
};
