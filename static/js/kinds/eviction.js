// An edit (drain, evict) asks the eviction API for a pod: it goes, stays because a budget refuses, or is left alone.

import { drawChanges } from "../debugger/inspector/tabs/changes-tab.js";
import { drawEvents } from "../debugger/inspector/tabs/events-tab.js";
import { drawRaw } from "../debugger/inspector/tabs/raw-tab.js";
import { node, pod as podPhrase, strong, words } from "../debugger/words/phrases.js";
import { filled } from "../debugger/words/scheduler.js";
import { generic } from "./generic.js";
import { wokenWords } from "./queue-words.js";

const TONES = { evicted: "preempt", refused: "wait", skipped: "wait" };

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
  ],

  sentence(event) {
    if (event.outcome === "evicted")
      return [words("Is "), strong("evicted from "), node(event.node), words(", as an edit asks."), ...wokenWords(event)];
    const why = (event.message ?? "").replace(/\.$/, "");
    if (event.outcome === "refused") {
      const refused = `: its eviction is refused${why && `, ${why}`}.`;
      return [strong("Stays on "), node(event.node), words(refused)];
    }
    return [strong("Is left alone on "), node(event.node), words(why ? `: ${why}.` : ".")];
  },

  asCause: ({ pod }) => [words("the eviction of "), podPhrase(pod)],

  brief: ({ outcome, node: on }, outcomeWord) => ({ mark: outcome === "evicted" ? "▼" : "", words: outcomeWord, node: on }),

  figures: ({ outcome }) => ({ tone: TONES[outcome] ?? "other", fits: NaN }),

  mark(event, marks, at) {
    Object.assign(marks, { chosen: at.node(event.node), tone: TONES[event.outcome] ?? "ink" });
  },

  messages(event, scheduler) {
    const isGone = event.outcome === "evicted";
    return [
      {
        type: isGone ? "Normal" : "Warning",
        reason: isGone ? "Evicted" : "EvictionRefused",
        from: "eviction API",
        object: filled(scheduler.events.object, { pod: event.pod.name }),
        message: event.message ?? `${event.outcome} from ${event.node}`,
      },
    ];
  },

  markdown: () => [],
};
