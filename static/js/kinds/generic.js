// A decision of any kind: who, when, how it came out, its message and its changes. It is shown as this where its
// kind is not known, and every other kind is this one with what it does better.
//
// What a kind has is described in registry.js.

import { drawChanges } from "../debugger/changes-tab.js";
import { drawRaw } from "../debugger/raw-tab.js";
import { fenced, inline } from "../debugger/markdown-text.js";
import { node, plain, strong, words } from "../debugger/phrases.js";
import { plural } from "../debugger/units.js";
import { changeLines } from "./changes.js";

export const generic = {
  kind: "",
  tabs: [
    { key: "changes", label: "Changes", draw: drawChanges },
    { key: "raw", label: "Raw", draw: drawRaw },
  ],
  stops: [{ key: "other", label: "a decision of another kind", is: () => true }],

  who({ pod, actor, node: on, kind }) {
    if (pod) return { name: `${pod.namespace}/${pod.name}`, pod: pod.uid };
    return { name: actor || on || kind || "somebody", pod: null };
  },

  sentence({ kind, outcome, message, node: on, cause, changes }) {
    const cut = (message ?? "").replace(/\.$/, "");
    return [
      strong(outcome || "decided"),
      words(` (${kind || "of no kind"})`),
      ...(on ? [words(" on "), node(on)] : []),
      words(cut ? `: ${cut}.` : "."),
      words(` It changes ${changes?.length ? plural(changes.length, "thing") : "nothing"}.`),
      ...(cause === null || cause === undefined ? [] : [words(` Its cause is ${causeWords(cause)}.`)]),
    ];
  },

  lead: async () => [],

  notes: ({ actor, pod, time }) => [
    ...(actor && pod ? [`by ${actor}`] : []),
    ...(time === undefined || time === null ? [] : [`at ${time}`]),
  ],

  asksNodes: () => false,

  opening: () => "changes",

  figures: () => ({ tone: "other", fits: NaN }),

  mark(event, marks, numberOf) {
    const taken = event.node ?? event.chosen;
    if (typeof taken === "string") marks.chosen = numberOf(taken);
  },

  messages: () => [],

  markdown(event) {
    const lines = changeLines(event, () => undefined).map((parts) => `- ${inline(plain(parts))}`);
    return [...lines, ...(event.message ? ["", ...fenced(event.message)] : [])];
  },
};

function causeWords(cause) {
  return typeof cause === "number" ? `decision ${cause}` : String(cause);
}
