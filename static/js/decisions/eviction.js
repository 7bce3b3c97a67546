// An edit (drain, evict) asks the eviction API for a pod: it goes, stays because a budget refuses, or is left alone.
// Or NoExecute taints evict it, without asking anybody.

import { drawChanges } from "../debugger/inspector/tabs/changes-tab.js";
import { drawEvents } from "../debugger/inspector/tabs/events-tab.js";
import { drawRaw } from "../debugger/inspector/tabs/raw-tab.js";
import { node, pod as podPhrase, strong, words } from "../debugger/words/phrases.js";
import { filled } from "../debugger/words/scheduler.js";
import { generic } from "./generic.js";
import { wokenWords } from "./queue-words.js";

const TONES = { evicted: "preempt", tainted: "preempt", refused: "wait", skipped: "wait" };
const GOES = ["evicted", "tainted"];

export const eviction = {
  ...generic,
  kind: "eviction",
  tabs: [
    { key: "changes", label: "Changes", draw: drawChanges },
    { key: "events", label: "Events", draw: drawEvents },
    { key: "raw", label: "Raw", draw: drawRaw },
  ],
  stops: [
    {
      key: "eviction",
      label: "an eviction that an edit asks for",
      is: ({ outcome }) => outcome === "evicted",
      index: { kind: "eviction", outcome: "evicted" },
    },
    {
      key: "taint",
      label: "an eviction by a taint",
      onlyIfAny: true,
      is: ({ outcome }) => outcome === "tainted",
      index: { kind: "eviction", outcome: "tainted" },
    },
  ],

  sentence(event) {
    if (event.outcome === "evicted")
      return [words("Is "), strong("evicted from "), node(event.node), words(", as an edit asks."), ...wokenWords(event)];
    const why = (event.message ?? "").replace(/\.$/, "");
    if (event.outcome === "tainted")
      return [words("Is "), strong("evicted from "), node(event.node), words(why ? `: ${why}.` : "."), ...wokenWords(event)];
    if (event.outcome === "refused") {
      const refused = `: its eviction is refused${why && `, ${why}`}.`;
      return [strong("Stays on "), node(event.node), words(refused)];
    }
    return [strong("Is left alone on "), node(event.node), words(why ? `: ${why}.` : ".")];
  },

  asCause: ({ pod }) => [words("the eviction of "), podPhrase(pod)],

  brief: ({ outcome, node: on }, outcomeWord) => ({ mark: GOES.includes(outcome) ? "▼" : "", words: outcomeWord, node: on }),

  figures: ({ outcome }) => ({ tone: TONES[outcome] ?? "other", fits: NaN }),

  mark(event, marks, at) {
    Object.assign(marks, { chosen: at.node(event.node), tone: TONES[event.outcome] ?? "ink" });
  },

  messages(event, scheduler) {
    const isGone = GOES.includes(event.outcome);
    return [
      {
        type: isGone ? "Normal" : "Warning",
        reason: event.outcome === "tainted" ? "TaintManagerEviction" : isGone ? "Evicted" : "EvictionRefused",
        from: event.actor,
        object: filled(scheduler.events.object, { pod: event.pod.name }),
        message: event.message ?? `${event.outcome} from ${event.node}`,
      },
    ];
  },

  markdown: () => [],
};
