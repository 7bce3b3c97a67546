// The end of an attempt, where a clock moves: its pod is bound, goes back to the queue, or was deleted meanwhile.

import { node, pod as podPhrase, strong, words } from "../debugger/words/phrases.js";
import { plural } from "../debugger/words/units.js";
import { effectsOf } from "../effects.js";
import { generic } from "./generic.js";
import { bindFails } from "./bind-fails.js";
import { ownWake, wokenWords } from "./queue-words.js";

export const completion = {
  ...generic,
  kind: "completion",
  stops: [{ key: "completion", label: "the end of an attempt", onlyIfAny: true, is: () => true, index: { kind: "completion" } }, bindFails],

  sentence: (event) => [...endOf(event), ...evictsThen(event), ...wokenWords(event)],

  asCause: ({ outcome, pod }) => [
    words(outcome === "bound" ? "the binding of " : "the end of the attempt at "),
    podPhrase(pod),
  ],

  isEvent: false,

  notes: (event) => [`attempt ${event.attempt}`, ...generic.notes(event)],

  /** The pod stands out again: its attempt has shown it on its node before. */
  mark(event, marks, at) {
    if (event.outcome !== "bound") return;
    marks.placed.add(at.pod(event.pod.uid));
    Object.assign(marks, { chosen: at.node(event.node), tone: "placed" });
  },
};

function endOf(event) {
  if (event.outcome === "bound") return [words("Is "), strong("bound to "), node(event.node), words(".")];
  if (event.outcome === "forgotten")
    return [strong("Is forgotten"), words(": it was deleted while it was tried.")];
  const wake = ownWake(event);
  const refused = event.exchanges?.at(-1)?.error;
  if (refused)
    return [
      strong("Is not bound"),
      words(`: an extender failed (${refused}). It goes back to the queue: `),
      strong(wake?.target ?? "backoff"),
      words("."),
    ];
  const heard = wake?.during.length ? `, as ${wake.during.join(", ")} happened while it was tried` : "";
  return [words("Goes back to the queue: "), strong(wake?.target ?? "unschedulable"), words(`${heard}.`)];
}

/** Victims are evicted as the attempt ends. */
function evictsThen({ changes }) {
  const victims = effectsOf(changes).filter(({ effect }) => effect === "evicted").length;
  if (!victims) return [];
  return [words(" It evicts "), strong(plural(victims, "victim")), words(".")];
}
