// Which cards of a node, in words: "cards 4 and 7", "MLU card 0 and NVIDIA card 0", "card 1 (2 slices)". Pure.

import { list, words } from "../../debugger/words/phrases.js";
import { plural } from "../../debugger/words/units.js";

/**
 * `cards`: {key, index, vendor, isSlice}, a card as often as it is given; `index` null where it isn't known. `isMixed`: the
 * node has cards of more than one vendor, whose indexes begin anew.
 */
export function cardsInWords(cards, isMixed = false) {
  const each = timesGiven(cards);
  if (each.some(({ index }) => index === null)) return plural(each.length, "card");
  const vendors = [...new Set(each.map(({ vendor }) => vendor))].sort();
  if (vendors.length < 2 && !isMixed) return numbered(each);
  return joined(vendors.map((vendor) => `${vendor} ${numbered(each.filter((one) => one.vendor === vendor))}`));
}

function timesGiven(cards) {
  const found = new Map();
  for (const one of cards) found.set(one.key, { ...one, times: (found.get(one.key)?.times ?? 0) + 1 });
  return [...found.values()].sort((a, b) => a.index - b.index);
}

function numbered(cards) {
  const numbers = cards.map(({ index, times, isSlice }) => `${index}${times > 1 ? ` (${isSlice ? `${times} slices` : `×${times}`})` : ""}`);
  return `card${cards.length === 1 ? "" : "s"} ${joined(numbers)}`;
}

function joined(texts) {
  return list(texts.map((text) => words(text))).map(({ text }) => text).join("");
}
