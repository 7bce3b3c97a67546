// A node's cards in a row of the table: a button each, with its index, its mark of this decision, and in words how much of it
// is held.

import { h } from "../dom.js";
import { keyOf } from "../object-key.js";
import { count } from "../units.js";

export function drawCardButtons(cards, node, reading) {
  const on = cards.on(node);
  if (!on.length) return "–";
  return h("span", { class: "card-buttons" }, on.map((card) => drawButton(cards, card, reading)));
}

function drawButton(cards, card, reading) {
  const { index, key, used, slots, used_memory: held, memory, used_cores: cores } = card;
  const mark = cards.taken.has(key) ? "✓" : (cards.verdicts.get(key) ?? "");
  const words = `card ${index}: ${count(held)} of ${count(memory)} MiB, ${count(cores)} cores, ${count(used)} of ${count(slots)} slots`;
  const health = card.health ? "" : ", not healthy";
  const label = `${words}${health}${mark === "✓" ? ", taken by this decision" : ""}`;
  const press = () => reading.set({ card: keyOf("card", key) });
  return h("button", { type: "button", class: "card-chip", title: label, aria: { label, pressed: cards.selected === key }, onclick: press }, `${mark}${mark && " "}${index}`);
}
