/* The field that names a card of a node: an input, and below it the cards that the node registers in the snapshot,
   each a button with its state and how many pods hold it. */

import { count } from "../amounts.js";
import { h } from "../drawing/dom.js";
import { ask } from "../rest.js";

const ASK_AFTER = 250;

/** What a button says of a card: {index, model, healthy, pods}. */
export function cardInWords({ index, model, healthy, pods }) {
  const holds = pods.length ? `${count(pods.length)} ${pods.length === 1 ? "pod" : "pods"}` : "no pod";
  return [String(index), model, healthy ? "" : "unhealthy", holds].filter(Boolean).join(" · ");
}

/** Build the input of a field of kind `card`, and what stands below it; `follow(listener)` is told of the form's changes. */
export function cardField(field, entry, set, { id, names, follow }) {
  const input = h("input", { id, type: "text", value: entry.value[field.name] ?? "", autocomplete: "off", spellcheck: "false", oninput: () => take(input.value.trim()) });
  const list = h("div", { class: "card-choice", role: "group", aria: { label: "Cards of the node" } });
  let [shown, waiting] = [null, null];

  function take(card) {
    set({ [field.name]: card });
    mark();
  }

  function mark() {
    for (const button of list.querySelectorAll("button")) {
      const { card, index } = button.dataset;
      button.setAttribute("aria-pressed", String([card, index].includes(input.value.trim())));
    }
  }

  function choose(card) {
    input.value = card.id;
    take(card.id);
  }

  async function show(node) {
    const answer = await ask("GET", names.cardsAddress.replace("NODE", encodeURIComponent(node)));
    if (node !== shown) return;
    const cards = answer.ok ? answer.body.results : [];
    const buttons = cards.map((card) => h("button", { type: "button", title: card.id, data: { card: card.id, index: card.index }, onclick: () => choose(card) }, cardInWords(card)));
    const none = h("span", { class: "hint" }, answer.ok ? "this node registers no cards in the snapshot" : "no such node in the snapshot");
    list.replaceChildren(...(buttons.length ? buttons : [none]));
    mark();
  }

  function see() {
    const node = entry.value.node ?? "";
    if (node === shown) return;
    shown = node;
    clearTimeout(waiting);
    list.replaceChildren();
    if (node) waiting = setTimeout(() => show(node), ASK_AFTER);
  }

  follow(see);
  see();
  return [input, list];
}
