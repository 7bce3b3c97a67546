// What an attempt with HAMi says of each node, in the few words that fit into the foot of its tile. Pure.

import { foundBy } from "../../cards/answer.js";
import { count } from "../../../debugger/words/units.js";
import { attemptVerdicts } from "../../../decisions/attempt-verdicts.js";

/** As attemptVerdicts; `found.judged` is how HAMi judged the nodes (hami/judging.js). */
export function hamiVerdicts(event, facts) {
  const found = foundBy(event);
  const verdicts = attemptVerdicts(event, facts);
  if (event.outcome === "nominated") return verdicts;
  const { extender } = event.exchanges.find(({ cards }) => cards);
  for (const { node, status } of facts.found?.rows ?? []) if (status?.plugin === extender) verdicts.delete(node);
  for (const { node, reason, score } of facts.found?.judged?.nodes ?? [])
    verdicts.set(node, reason ? said("✕", reason) : said("", score === null ? "has room" : `has room, ${points(score)}`));
  if (found.node) verdicts.set(found.node, { mark: "✓", words: chosenWords(found), tone: "placed", isStrong: true });
  return verdicts;
}

function chosenWords({ fit, score, best_count: equals }) {
  if (fit === 1) return "chosen: the only one with room";
  const how = equals > 1 ? `one of ${count(equals)} equal` : `best of ${count(fit)}`;
  return score === null ? `chosen: ${how}` : `chosen: ${points(score)}, ${how}`;
}

function points(score) {
  return score.toFixed(2);
}

function said(mark, words) {
  return { mark, words, tone: "muted", isStrong: false };
}
