// A decision of any kind: who, when, how it came out, its message and its changes. It is shown as this where its
// kind is not known, and every other kind is this one with what it does better.
//
// What a kind has is described in types/kind.d.ts.

import { drawChanges } from "../debugger/inspector/tabs/changes-tab.js";
import { drawRaw } from "../debugger/inspector/tabs/raw-tab.js";
import { fenced, inline } from "../debugger/inspector/markdown-text.js";
import { node, plain, pod as podPhrase, strong, words } from "../debugger/words/phrases.js";
import { count, instant, plural } from "../debugger/words/units.js";
import { changeLines } from "./changes.js";
import { heardLines, wakeLines } from "./queue-words.js";

/** @type {Kind} */
export const generic = {
  kind: "",
  tabs: [
    { key: "changes", label: "Changes", draw: drawChanges },
    { key: "raw", label: "Raw", draw: drawRaw },
  ],
  stops: [{ key: "other", label: "a decision of another kind", onlyIfAny: true, is: () => true }],

  who: kindWho,

  sentence({ kind, outcome, message, node: on, changes }) {
    const cut = (message ?? "").replace(/\.$/, "");
    return [
      strong(outcome || "decided"),
      words(` (${kind || "of no kind"})`),
      ...(on ? [words(" on "), node(on)] : []),
      words(cut ? `: ${cut}.` : "."),
      words(` It changes ${changes?.length ? plural(changes.length, "thing") : "nothing"}.`),
    ];
  },

  turn: ({ kind, outcome }, outcomeWord) => ({
    mark: "moved",
    title: [strong(outcomeWord(kind, outcome) || kind || "decided")],
    details: [],
  }),

  asCause(event) {
    const { name } = kindWho(event);
    return [words("the "), words(`${event.kind || "decision"} of `), event.pod ? podPhrase(event.pod) : strong(name)];
  },

  brief: (_decision, outcomeWord) => ({ mark: "", words: outcomeWord, node: "" }),

  isEvent: true,

  wakes: true,
  isControllers: false,

  lead: async () => [],

  notes: (event) => [...(event.actor ? [`by ${event.actor}`] : []), ...whenNotes(event)],

  asksNodes: () => false,

  unplaced: () => null,

  opening: () => "changes",

  figures: () => ({ tone: "other", fits: NaN }),

  moreFacts: async () => ({}),

  verdicts: () => new Map(),

  mark(event, marks, at) {
    const taken = event.node ?? event.chosen;
    if (typeof taken === "string") marks.chosen = at.node(taken);
  },

  below: () => null,

  messages: () => [],

  markdown(event) {
    const nobody = () => undefined;
    const lines = [...changeLines(event, nobody), ...wakeLines(event, nobody), ...heardLines(event)];
    return [...lines.map((parts) => `- ${inline(plain(parts))}`), ...(event.message ? ["", ...fenced(event.message)] : [])];
  },
};

function kindWho({ pod, actor, node: on, kind }) {
  if (pod) return { name: `${pod.namespace}/${pod.name}`, pod: pod.uid };
  return { name: actor || on || kind || "somebody", pod: null };
}

/** When a decision was made, where a clock moves, and which one led to it. */
export function whenNotes({ time, cause }) {
  return [
    ...(typeof time === "number" ? [`at ${instant(time)}`] : []),
    ...(typeof cause === "number" ? [`caused by decision ${count(cause)}`] : []),
  ];
}
