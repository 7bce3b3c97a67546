// A queue's bar: filled as far as it has, hatched beyond what it deserves, an empty crossed box for what a statement
// tries, a wedge at deserved, a bracket below as long as its guarantee; the track ends at its capability.

import { h } from "../../drawing/dom.js";
import { amount } from "../../amounts.js";
import { barOf } from "./queue-figures.js";

const at = (share) => `${(share * 100).toFixed(3)}%`;

/** `colour`: the queue's class (queue-colours.js). */
export function drawBar(figures, scale, resource, colour) {
  const { fill, over, tried, deserved, guarantee, track } = barOf(figures, scale);
  const piece = (span, name) =>
    span && h("i", { class: name, style: { left: at(span[0]), width: at(span[1] - span[0]) } });
  return h(
    "span",
    { class: "queue-bar", role: "img", aria: { label: barWords(figures, resource) }, title: barWords(figures, resource) },
    h("i", { class: `bar-track${figures.capability === null ? "" : " is-capped"}`, style: { width: at(track) } }),
    piece(fill, `bar-fill ${colour}`),
    piece(over, "bar-over"),
    piece(tried, "bar-tried"),
    guarantee !== null && h("i", { class: "bar-guarantee", style: { width: at(guarantee) } }),
    deserved !== null && h("i", { class: "bar-deserved", style: { left: at(deserved) } }),
  );
}

/** "4 allocated, 6 tried, deserves 12, guarantee 8, capability 20" */
export function barWords({ allocated, tried, deserved, guarantee, capability }, resource) {
  const say = (number) => amount(resource, number);
  const parts = [
    `${say(allocated)} allocated`,
    tried > 0 && `${say(tried)} tried`,
    deserved !== null && `deserves ${say(deserved)}`,
    guarantee > 0 && `guarantee ${say(guarantee)}`,
    capability !== null && `capability ${say(capability)}`,
  ];
  return parts.filter(Boolean).join(", ");
}
