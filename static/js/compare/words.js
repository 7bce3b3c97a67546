// A decision in words, as the card of the first difference and the head of each map show it.

import { namesOfCards } from "../debugger/inspector/past.js";
import { h } from "../drawing/dom.js";
import { nodeText } from "../debugger/names/node-link.js";
import { kindOf } from "../decisions/registry.js";

/** Who, outcome and sentence; `facts` as for the sentence, with `names` of the nodes (NodeNames). */
export function decisionWords(event, facts) {
  const { word } = facts.scheduler.outcome(event.kind, event.outcome);
  return [
    h(
      "p",
      { class: "now-pod" },
      h("b", {}, kindOf(event).who(event).name),
      word && h("span", { class: `badge outcome-${event.outcome}` }, word),
    ),
    h("p", { class: "now-sentence" }, sentenceParts(event, facts)),
  ];
}

/** What a side does first otherwise, as elements, without what came before; `side`: {facts, fold}. */
export function firstParts(event, { facts, fold }) {
  return sentenceParts(event, { ...facts, ...namesOfCards(fold) });
}

/** The sentence's parts as elements; names are only ever set as text. */
export function sentenceParts(event, facts) {
  return kindOf(event).sentence(event, facts).map(({ text, strong, node }) =>
    strong ? h("b", {}, node ? nodeText(facts.names, node) : text) : text,
  );
}
