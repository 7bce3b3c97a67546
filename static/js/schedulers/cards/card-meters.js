// A card in a line of a list: its memory, its cores and its slots as they are at the reader's decision.

import { holdersOn } from "../../cards.js";
import { h } from "../../drawing/dom.js";
import { keyOf } from "../../debugger/inspector/object-key.js";
import { count } from "../../debugger/words/units.js";

/** Memory with a block a pod; a bar for the cores; the slots in figures. For the eye: the words stand beside them. */
export function drawMeters({ fold, scale }, card) {
  const { memory, used_cores: cores, cores: all, used, slots } = card;
  const share = (part, whole) => `${whole ? Math.min(100, (part / whole) * 100) : 0}%`;
  const blocks = holdersOn(fold, card.key).map(({ pod, memory: part }) =>
    h("i", { class: fold.pods[pod] ? `prio-${scale.step(fold.pods[pod].priority) + 1}` : "", style: { width: share(part, memory) } }),
  );
  return [
    h("span", { class: "card-memory", title: `memory: ${count(card.used_memory)} of ${count(memory)} MiB`, aria: { hidden: true } }, blocks),
    h("span", { class: "card-cores", title: `cores: ${count(cores)} of ${count(all)}`, aria: { hidden: true } }, h("i", { style: { width: share(cores, all) } })),
    h("span", { class: "num card-slots", title: `slots: ${count(used)} of ${count(slots)}` }, `${count(used)}/${count(slots)}`),
  ];
}

/** The card's name: a press opens it. */
export function cardButton({ reading }, card, words = `card ${card.index}`) {
  const press = () => reading.set({ card: keyOf("card", card.key) });
  return h("button", { type: "button", class: "link card-name", aria: { label: `card ${card.index} of ${card.node}` }, onclick: press }, words);
}
