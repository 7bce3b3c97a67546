// An attempt whose cards HAMi chose, in one sentence: which cards of which node, out of how many, and why that node; or who
// came nearest. Pure.

import { foundBy, givenBy } from "../../cards/answer.js";
import { cardsInWords } from "../card-words.js";
import { foundIn, lateness } from "../../cards/reasons.js";
import { node, strong, words } from "../../../debugger/words/phrases.js";
import { count, plural } from "../../../debugger/words/units.js";

/** At most so many reasons are named. */
const NAMED = 3;

/** `cardNumber(key)`: a card's index on its node, or null where it isn't known. `vendorsOn(node)`: whose cards the node has. */
export function placedSentence(event, { cardNumber = (_key) => null, vendorsOn = (_node) => [] }) {
  const found = foundBy(event);
  const given = givenBy(event).map(({ key, vendor, slice }) => ({ key, vendor, isSlice: Boolean(slice), index: cardNumber(key) }));
  return [
    words("Goes to "),
    node(found.node),
    ...(given.length ? [words(", "), strong(cardsInWords(given, vendorsOn(found.node).length > 1))] : []),
    words(". "),
    ...whyThisNode(found),
  ];
}

function whyThisNode({ fit, score, best_count: equals }) {
  const points = score === null ? "" : ` (${Number(score.toFixed(2))})`;
  if (fit === 1) return [words("It is the "), strong("only node"), words(" with room on its cards.")];
  const of = `Of ${plural(fit, "node")} with room `;
  if (equals > 1) return [words(of), strong(equals === fit ? "all are equal" : `${count(equals)} are equal`), words(`${points}; HAMi takes the first by name.`)];
  return [words(`${of}HAMi scores it `), strong("best"), words(`${points}.`)];
}

export function refusedSentence(event) {
  const { asked, reasons } = foundBy(event);
  const fits = [words("Fits on "), strong(`none of ${plural(event.nodes, "node")}`)];
  const left = asked < event.nodes ? `: kube-scheduler's filters leave ${count(asked)}, and HAMi takes none of them` : ": HAMi takes none of them";
  return [...fits, words(`${left}${reasonWords(reasons)}.`), words(" HAMi evicts nobody.")];
}

/** ", 4 for CardTypeMismatch, 2 for CardInsufficientMemory and 1 more reason": a node counts at each of its reasons, those against cards first. */
function reasonWords(reasons) {
  const ranked = Object.entries(reasons ?? {}).sort(([a, some], [b, others]) => lateness(a) - lateness(b) || others - some || (a < b ? -1 : 1));
  if (!ranked.length) return "";
  const named = ranked.slice(0, NAMED).map(([word, nodes]) => `${count(nodes)} for ${word}`);
  if (ranked.length > NAMED) named.push(plural(ranked.length - NAMED, "more reason"));
  return `, ${named.join(", ")}`;
}

/** Which node comes nearest, of those that HAMi turned down: [{node, reason}]. */
export function nearestSentence(refused) {
  const found = refused.map((one) => ({ ...one, cards: foundIn(one.reason) ?? 0 }));
  const best = found.reduce((most, one) => (one.cards > (most?.cards ?? 0) ? one : most), null);
  if (!best) return [];
  return [node(best.node), words(" comes nearest: "), strong(plural(best.cards, "card")), words(" would do there.")];
}
