// What the log and the server say of a decision of HAMi's, as the tabs read it. The only place that knows the fields of
// the event and of the explanation. Pure.
//
//   policies      {node, card}: binpack, spread …
//   asks          what each container asks for: [{container, vendor, count, memory, percentage, cores}]
//   nodes         those that HAMi was asked about, best first, then those that don't fit, nearest first:
//                 [{node, reason: "" where it fits, score, parts: {slots, cores, memory}}]
//   others        what other policies would choose: [{node_policy, card_policy, node, cards: their indices}]
//   annotations   what the pod is given: [[key, value]]
//
// Of one node: [{container, vendor, tries: [{key, verdict, reason, figures, score, parts}]}] in the order tried; verdict is
// one of VERDICTS, figures is [{what, asked, free}].

import { cardKey } from "../../cards.js";
import { foundIn } from "./reasons.js";

export const [TAKEN, REFUSED, GIVEN_BACK, NOT_REACHED] = ["taken", "refused", "given back", "not reached"];
export const VERDICTS = [TAKEN, REFUSED, GIVEN_BACK, NOT_REACHED];

/** What HAMi found out about the decision's pod, {asked: how many nodes, …CardsFound}; null where it wasn't asked. */
export function foundBy({ exchanges }) {
  const exchange = exchanges?.findLast(({ verb, cards }) => verb === "filter" && cards);
  return exchange ? { asked: exchange.sent, ...exchange.cards } : null;
}

/** Whether HAMi was asked about the decision's pod. */
export function isOfHami(event) {
  return foundBy(event) !== null;
}

/** The cards that the pod was given: [{vendor, container, key, id, memory, cores, slice}]; none where it was given none. */
export function givenBy(event) {
  const { node, devices } = foundBy(event) ?? { devices: {} };
  return Object.entries(devices).flatMap(([vendor, containers]) =>
    containers.flatMap((cards, container) => cards.map((card) => ({ vendor, container, key: cardKey(node, card.id), ...card }))),
  );
}

/** Nodes in the order of the tabs: the chosen one, those that fit, best first, those that don't, nearest first. */
export function inOrder(nodes, { chosen, policies }) {
  const sign = policies.node === "spread" ? 1 : -1;
  const found = ({ reason }) => foundIn(reason) ?? -1;
  const rank = ({ node, reason }) => (node === chosen ? 0 : reason ? 2 : 1);
  const byName = (a, b) => (a.node < b.node ? -1 : 1);
  const within = (a, b) => (a.reason ? found(b) - found(a) : sign * (a.score - b.score)) || byName(a, b);
  return [...nodes].sort((a, b) => rank(a) - rank(b) || within(a, b));
}

/**
 * What the server says of a decision in full, as described above: {policies, nodes, others}. Without an explanation of the
 * cards: the chosen node, or the reasons of all where none fits.
 */
export function judged(event, { extenders, cards }) {
  if (cards) return cards;
  const { node, score } = foundBy(event);
  const call = extenders?.findLast(({ verb }) => verb === "filter");
  const refused = Object.entries(call?.failed ?? {}).map(([name, reason]) => ({ node: name, reason, score: null }));
  return { policies: { node: "", card: "" }, nodes: node ? [{ node, reason: "", score }] : refused, others: [] };
}

/** Those that HAMi turned down. */
export function refusedIn({ nodes }) {
  return nodes.filter(({ reason }) => reason);
}

/** The tries of a node's cards where only the log is told: all of them by index, with those that are given. */
export function triesOfLog(cards, taken) {
  return cards.map(({ key }) => ({ key, verdict: taken.has(key) ? TAKEN : "", reason: "", figures: [], score: null }));
}
