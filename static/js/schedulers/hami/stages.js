// The funnel of a decision in HAMi's second and third stage, as bands (bands.js). In the second, which counts nodes, a
// node stands at its one reason; one with several card reasons at "cards do not suffice". The third counts the cards of
// one node, on a scale of its own. Pure.

import { plural } from "../../debugger/words/units.js";
import { GIVEN_UP, NOT_REACHED, TAKEN } from "../cards/answer.js";
import { countedTries, eachOnce } from "../cards/tries-words.js";
import { bandOf, byReason, NOT_ENOUGH } from "../cards/reasons.js";

const VERDICT_BANDS = {
  [GIVEN_UP]: { label: "fit, given up for others", tone: "soft" },
  [NOT_REACHED]: { label: "not reached", tone: "muted" },
  [TAKEN]: { tone: "chosen" },
};

/**
 * Bands of nodes: all that HAMi was asked about, those that it refused by reason, those with room, the one chosen.
 * `shown(name)`: a node's name as the reader wants it.
 */
export function nodeBands(nodes, { chosen, policies, shown = (name) => name }) {
  const whole = nodes.length;
  const refused = nodes.filter(({ reason }) => reason).map(({ node, reason }) => ({ node, reason: bandOf(reason) }));
  const fitting = nodes.filter(({ reason }) => !reason);
  const bands = [{ key: "asked", label: plural(whole, "node"), size: whole, from: 0, tone: "all" }];
  let from = 0;
  const ordered = byReason(refused).sort((a, b) => Number(a.reason === NOT_ENOUGH) - Number(b.reason === NOT_ENOUGH));
  for (const { reason, nodes: of } of ordered) {
    const tone = reason === NOT_ENOUGH ? "soft" : "hard";
    bands.push({ key: `hami|${reason}`, label: reason, size: of.length, from, tone, nodes: of });
    from += of.length;
  }
  bands.push({ key: "room", label: "room", size: fitting.length, from, tone: "fits", nodes: fitting.map(({ node }) => node) });
  if (chosen) {
    const how = policies.node ? (policies.node === "spread" ? "least used: " : "most used: ") : "";
    bands.push({ key: "chosen", label: `${how}${shown(chosen)}`, size: 1, from: whole - 1, tone: "chosen", nodes: [chosen] });
  }
  return bands;
}

/** Bands of one node's cards as one container's tries found them: all, those passed over by reason, not reached, taken. */
export function cardBands(all) {
  const tries = eachOnce(all);
  const whole = tries.length;
  const bands = [{ key: "cards", label: plural(whole, "card"), size: whole, from: 0, tone: "all" }];
  let from = 0;
  for (const { word, size } of countedTries(tries)) {
    const { label = word, tone = "hard" } = VERDICT_BANDS[word] ?? {};
    bands.push({ key: `card|${word}`, label, size, from, tone });
    from += size;
  }
  return bands;
}
