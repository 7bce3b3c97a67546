// What pods of a run ask of cards, as shapes: so many cards of a vendor, so much memory and so many cores of each. The log
// tells it of pods that were given cards, at any decision of it; of those that never were it doesn't. Pure.

import { byName } from "../../names.js";
import { CARDS, cardsOn, HOLDINGS } from "../../cards.js";
import { lossOf } from "./fragmentation.js";
import { count, plural } from "../../debugger/words/units.js";

/** At most so many points make a curve. */
const POINTS = 80;
const sortedNodes = new WeakMap();

/** The shapes, the most frequent first: [{vendor, count, memory, percentage, cores, weight: pods}]. */
export function shapesOf(fold) {
  const found = new Map();
  for (const { devices } of fold.tables.table(HOLDINGS).lives) {
    for (const [vendor, held] of Object.entries(devices)) {
      if (!held.length) continue;
      const [{ memory, cores }] = held;
      const key = [vendor, held.length, memory, cores].join();
      const shape = found.get(key) ?? { vendor, count: held.length, memory, percentage: 0, cores, weight: 0 };
      found.set(key, { ...shape, weight: shape.weight + 1 });
    }
  }
  return [...found.values()].sort((a, b) => b.weight - a.weight || b.memory - a.memory);
}

/** "2 × 24,576 MiB, 30 cores", and of which vendor's cards where there are several. */
export function shapeWords({ vendor, count: cards, memory, percentage, cores }, isMixed = false) {
  const size = memory || !percentage ? `${count(memory)} MiB` : `${percentage} % of the memory`;
  return `${cards > 1 ? `${cards} × ` : ""}${size}, ${plural(cores, "core")}${isMixed && vendor ? ` of ${vendor}` : ""}`;
}

/** All cards that are there, with whether their node takes no pods. */
export function allCards(fold) {
  const isCordoned = (name) => Boolean(fold.nodes[fold.nodeIndex.get(name)]?.unschedulable);
  return nodesWithCards(fold).flatMap((name) => cardsOn(fold, name).map((card) => ({ ...card, isCordoned: isCordoned(name) })));
}

/** The names of nodes that ever had cards, in order; sorted anew when there are more. */
function nodesWithCards(fold) {
  const { rows } = fold.tables.table(CARDS);
  const kept = sortedNodes.get(fold);
  if (kept?.cards === rows.length) return kept.names;
  const names = [...new Set(rows.map(({ node }) => node))].sort(byName);
  sortedNodes.set(fold, { cards: rows.length, names });
  return names;
}

/**
 * The share of the free memory that is lost, over the run as far as it is read: [{seq, share}]; the fold stands where it stood.
 * `shapesNow()`: the shapes at the fold's decision.
 */
export function lossOverRun(fold, shapesNow) {
  const { at, base, head } = fold;
  const step = Math.max(1, Math.ceil((head - base) / POINTS));
  const points = [];
  for (let seq = base; seq <= head; seq += step) points.push(seq);
  if (points.at(-1) !== head) points.push(head);
  const curve = points.map((seq) => {
    fold.moveTo(seq);
    const { lost, free } = lossOf(allCards(fold), shapesNow());
    return { seq, share: free ? lost / free : 0 };
  });
  fold.moveTo(at);
  return curve;
}
