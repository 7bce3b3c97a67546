// A node's cards in a row of the table: a button each, with its index, its mark of this decision, and in words how much of it
// is held.

import { h } from "../../drawing/dom.js";
import { keyOf } from "../../debugger/inspector/object-key.js";
import { count } from "../../debugger/words/units.js";

export function drawCardButtons(cards, node, reading) {
  const on = cards.on(node);
  if (!on.length) return "–";
  return h("span", { class: "card-buttons" }, on.map((card) => drawButton(cards, card, reading)));
}

function drawButton(cards, card, reading) {
  const { index, key } = card;
  const mark = markOf(cards, key);
  const label = cards.wordsOf(card);
  const press = () => reading.set({ card: keyOf("card", key) });
  return h("button", { type: "button", class: "card-chip", title: label, data: { key }, aria: { label, pressed: cards.selected === key }, onclick: press }, `${mark}${mark && " "}${index}`);
}

/** A card in words: what is held of it, and what this decision says of it. */
export function cardWords(cards, { index, key, health, used, slots, used_memory: held, memory, used_cores: taken, cores }) {
  const words = `card ${index}: ${count(held)} of ${count(memory)} MiB, ${count(taken)} of ${count(cores)} cores, ${count(used)} of ${count(slots)} slots`;
  return `${words}${health ? "" : ", not healthy"}${saidOf(cards, key)}`;
}

function saidOf(cards, key) {
  const mark = markOf(cards, key);
  if (mark === "✓") return ", taken by this decision";
  if (cards.words.has(key)) return `, passed over: ${cards.words.get(key)}`;
  return mark ? ", fits, given up for others" : "";
}

function markOf({ taken, verdicts }, key) {
  return taken.has(key) ? "✓" : (verdicts.get(key) ?? "");
}
