// Where no node fits: nodes and the reasons of their cards, as a table of numbers of cards. Pure.

import { byName } from "../../names.js";
import { LETTERS, letterOf, OTHER } from "../cards/letters.js";
import { foundIn, partsOf, TOO_FEW } from "../cards/reasons.js";

/**
 * `nodes`: [{node, reason}]. Rows {node, found, cards, byLetter: Map(letter -> cards)} of nodes whose cards were looked at,
 * nearest first; `whole`: [{word, nodes}] of nodes that failed as a whole; `letters`: those that occur, in their order.
 */
export function matrixOf(nodes) {
  const rows = [];
  const whole = new Map();
  for (const { node, reason } of nodes) {
    const counted = partsOf(reason).filter(({ cards }) => cards !== null);
    if (!counted.length) whole.set(reason, [...(whole.get(reason) ?? []), node]);
    else rows.push(rowOf(node, reason, counted));
  }
  rows.sort((a, b) => b.found - a.found || byName(a.node, b.node));
  const order = [...LETTERS, OTHER].map(({ letter }) => letter);
  const letters = order.filter((letter) => rows.some(({ byLetter }) => byLetter.has(letter)));
  return { rows, letters, whole: [...whole].map(([word, of]) => ({ word, nodes: of })) };
}

function rowOf(node, reason, counted) {
  const byLetter = new Map();
  for (const { word, cards } of counted) {
    if (word === TOO_FEW) continue;
    const { letter } = letterOf(word);
    byLetter.set(letter, (byLetter.get(letter) ?? 0) + cards);
  }
  return { node, found: foundIn(reason), cards: counted[0].of, byLetter };
}
