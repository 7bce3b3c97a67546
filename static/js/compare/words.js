// A decision in words, as the card of the first difference and the head of each map show it.

import { h } from "../debugger/dom.js";
import { nodeText } from "../debugger/node-link.js";
import { sentence } from "../debugger/sentence.js";

/** Pod, outcome and sentence; `facts` as for the sentence, with `names` of the nodes (NodeNames). */
export function decisionWords(event, facts) {
  const { namespace, name } = event.pod;
  return [
    h(
      "p",
      { class: "now-pod" },
      h("b", {}, `${namespace}/${name}`),
      h("span", { class: `badge outcome-${event.outcome}` }, event.outcome),
    ),
    h("p", { class: "now-sentence" }, sentenceParts(event, facts)),
  ];
}

/** The sentence's parts as elements; names are only ever set as text. */
export function sentenceParts(event, facts) {
  return sentence(event, facts).map(({ text, strong, node }) =>
    strong ? h("b", {}, node ? nodeText(facts.names, node) : text) : text,
  );
}
