// What the log and the server say of a decision about cards, as the tabs read it. The only place that knows the fields of
// the event and of the explanation. Pure.
//
//   policies      {node, card}: binpack, spread …; empty where the server doesn't say
//   nodes         those whose cards were looked at: [{node, reason: "" where it fits, score, parts: {slots, cores, memory},
//                 containers: [{container, vendor, tries}], passedOver: [{key, verdict, reason}]}]; of many nodes
//                 containers aren't asked for
//   others        what other policies would choose: [{node_policy, gpu_policy, own, node, score, cards: their ids}]
//
// A try, in the order tried: {key, index, numa, verdict: one of VERDICTS, reason, figures: [{what, asked, free, over}], score, parts}. `over` says
// in words that more is given than there is, else it is empty. `mig`, of a card that MIG cuts, else null: {profiles: those large
// enough, least first, inUse, slices: those given}, slices as "1g.10gb@6+1".

import { cardKey } from "../../cards.js";
import { letterOf } from "./letters.js";
import { overWords } from "./limits.js";
import { foundIn } from "./reasons.js";

/** The server's words. A card that fits without being taken was given up for others: those of another NUMA node, say. */
export const [TAKEN, REFUSED, GIVEN_UP, NOT_REACHED] = ["taken", "refused", "fits", "unseen"];
/** The percentage of a request that names none. */
const UNSET = 101;
const NOT_SAID = { node: "", card: "" };

/** What HAMi found out about the decision's pod, {asked: how many nodes, …CardsFound}; null where it wasn't asked. */
export function foundBy({ exchanges }) {
  const exchange = exchanges?.findLast(({ verb, cards }) => verb === "filter" && cards);
  return exchange ? { asked: exchange.sent, ...exchange.cards } : null;
}

/** Whether an extender that shares cards was asked about the decision's pod. */
export function hasAskedForCards(event) {
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

/** The policies that counted, and what each pair of them would choose, from an explanation's `extenders`: {policies, others}. */
export function policiesOf(extenders) {
  const others = extenders?.findLast(({ policies }) => policies?.length)?.policies ?? [];
  const own = others.find((one) => one.own);
  return { policies: own ? { node: own.node_policy, card: own.gpu_policy } : NOT_SAID, others };
}

/** A node in full, of the server's answer about one node; null where nothing is said of its cards. */
export function judgedNode({ node, cards: found }) {
  if (!found) return null;
  const { reason, score, slots, cores, memory, containers } = found;
  const judged = containers.map((one) => ({ container: one.container, vendor: one.vendor, tries: one.cards.map((card) => tryOf(node, card, one)) }));
  const passedOver = judged.flatMap(({ tries }) => tries).filter(({ verdict }) => verdict === REFUSED || verdict === GIVEN_UP);
  return { node, reason, score, parts: { slots, cores, memory }, containers: judged, passedOver };
}

/** A node in short, of a row of the server's list of nodes. */
export function nodeInShort({ node, status, cards }) {
  if (!cards) return { node, reason: status?.reasons.join(", ") ?? "", score: null, containers: [], passedOver: [] };
  const refused = Object.entries(cards.refused).flatMap(([reason, ids]) => ids.map((id) => ({ key: cardKey(node, id), verdict: REFUSED, reason })));
  const givenUp = cards.given_up.map((id) => ({ key: cardKey(node, id), verdict: GIVEN_UP, reason: "" }));
  const { reason, score, slots, cores: used, memory } = cards;
  return { node, reason, score, parts: { slots, cores: used, memory }, containers: [], passedOver: [...refused, ...givenUp] };
}

function tryOf(node, card, asked) {
  const { id, index, numa, verdict, reason, score, profiles, in_use: inUse, slices } = card;
  const mig = profiles.length || inUse.length ? { profiles, inUse, slices } : null;
  return { key: cardKey(node, id), index, numa, verdict, reason, score, parts: partsOf(card), figures: figuresOf(card, asked, reason), mig };
}

/** How much of a card was used, each as a part of its score, 0 to 10. */
function partsOf({ used, slots, used_cores: cores, cores: all, used_memory: memory, memory: whole }) {
  const share = (part, of) => (of ? (10 * part) / of : 0);
  return { slots: share(used, slots), cores: share(cores, all), memory: share(memory, whole) };
}

/** The figures behind a reason: what was asked for and what was free. */
function figuresOf({ memory, used_memory: held, cores_for_pod: cores, used_cores: taken, slots, used }, { vendor, ...asked }, reason) {
  const { letter } = letterOf(reason);
  const wanted = asked.memory || (asked.percentage === UNSET ? 0 : Math.trunc((memory * asked.percentage) / 100));
  if (letter === "m") return [figure("MiB", wanted, { used: held, all: memory })];
  if (letter === "c") return [figure("cores", asked.cores, { used: taken, all: cores, vendor })];
  return letter === "s" ? [figure("slots", 1, { used, all: slots })] : [];
}

function figure(what, asked, { used, all, vendor = "" }) {
  return { what, asked, free: Math.max(0, all - used), over: overWords(what, used, all, vendor) };
}

/** Whether cards were tried by NUMA node: those of one after those of another, and not all in the order of their scores. */
export function isByNuma(tries) {
  const runs = tries.filter(({ numa }, i) => i === 0 || numa !== tries[i - 1].numa).length;
  const rises = tries.some(({ score }, i) => i > 0 && score > tries[i - 1].score);
  const falls = tries.some(({ score }, i) => i > 0 && score < tries[i - 1].score);
  return runs > 1 && runs === new Set(tries.map(({ numa }) => numa)).size && rises && falls;
}

/** Those that were turned down. */
export function refusedIn({ nodes }) {
  return nodes.filter(({ reason }) => reason);
}

/** The tries of a node's cards where only the log is told: all of them by index, with those that are given. */
export function triesOfLog(cards, taken) {
  return cards.map(({ key }) => ({ key, verdict: taken.has(key) ? TAKEN : "", reason: "", figures: [], score: null, parts: null, mig: null }));
}
