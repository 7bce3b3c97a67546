// HAMi's reason for a node, as it words it: "1/8 CardInsufficientCore, 7/8 CardInsufficientMemory", or a word alone. Pure.

/** Not a reason against a card: so many were taken before the node failed. */
export const TOO_FEW = "AllocatedCardsInsufficientRequest";
const COUNTED = /^(\d+)\/(\d+) (\S+)$/;
/** HAMi's word for a node whose cards it doesn't know. */
export const NO_CARDS = "node unregistered";
/** HAMi's word for a node that has fewer cards of the vendor than the pod asks for: none, in a cluster of several vendors. */
export const TOO_FEW_OF_VENDOR = "NodeInsufficientDevice";
const OF_NODES = [TOO_FEW_OF_VENDOR, NO_CARDS];
/** What a node has that doesn't fit for more than one reason, or for want of enough cards. */
export const NOT_ENOUGH = "cards do not suffice";

/** The parts of a node's reason: [{word, cards, of}], `cards` null where the word is about the node. */
export function partsOf(reason) {
  return reason
    .split(", ")
    .filter(Boolean)
    .map((part) => {
      const [, cards, of, word] = part.match(COUNTED) ?? [];
      return word ? { word, cards: Number(cards), of: Number(of) } : { word: part, cards: null, of: null };
    });
}

/** How late a reason is said: behind those against cards come those of nodes that most pods with cards hear anyway. */
export function lateness(reason) {
  return OF_NODES.indexOf(reason) + 1;
}

/** How many cards were found before the node failed, of how many it has; null where that isn't said. */
export function foundIn(reason) {
  const counted = partsOf(reason).filter(({ cards }) => cards !== null);
  if (!counted.length) return null;
  return counted.find(({ word }) => word === TOO_FEW)?.cards ?? 0;
}

/** The band of a node in the funnel: the one word that holds for all its cards, else that they do not suffice. */
export function bandOf(reason) {
  const parts = partsOf(reason);
  const [only] = parts;
  if (parts.length !== 1) return NOT_ENOUGH;
  return only.cards === null || only.cards === only.of ? only.word : NOT_ENOUGH;
}

/** Reasons with their nodes, the most nodes first: [{reason, nodes}] of [{node, reason}]. */
export function byReason(refused) {
  const found = new Map();
  for (const { node, reason } of refused) found.set(reason, [...(found.get(reason) ?? []), node]);
  const rows = [...found].map(([reason, nodes]) => ({ reason, nodes }));
  return rows.sort((a, b) => b.nodes.length - a.nodes.length || (a.reason < b.reason ? -1 : 1));
}
