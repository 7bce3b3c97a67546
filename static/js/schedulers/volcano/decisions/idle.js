// Sessions that are told together because nothing happened in them: a run by the clock has one every second.

import { drawRaw } from "../../../debugger/inspector/tabs/raw-tab.js";
import { strong, words } from "../../../debugger/words/phrases.js";
import { count, plural } from "../../../debugger/words/units.js";
import { generic } from "../../../decisions/generic.js";
import { session } from "./session.js";

export const idle = {
  ...generic,
  kind: "idle",
  tabs: [{ key: "raw", label: "Raw", draw: drawRaw }],
  stops: [{ key: "idle", label: "sessions with nothing to decide", onlyIfAny: true, is: () => true }],

  who: ({ session: first, last }) => ({
    name: first === last ? `Session ${count(first)}` : `Sessions ${count(first)} to ${count(last)}`,
    pod: null,
  }),

  sentence: ({ session: first, last }) => [
    strong("Nothing to decide"),
    words(
      last > first
        ? ` in ${plural(last - first + 1, "session")}: nothing that a session looks at has changed.`
        : ": nothing that a session looks at has changed.",
    ),
  ],

  asCause: (event) => [words("the end of "), strong(idle.who(event).name.toLowerCase())],

  brief: (_decision, outcomeWord) => ({ mark: "−", words: outcomeWord, node: "" }),

  isEvent: false,

  notes: session.notes,

  opening: () => "raw",

  markdown: () => [],
};
