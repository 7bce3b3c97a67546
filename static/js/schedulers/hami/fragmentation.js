// How much of the free memory of cards the next request can't use. Defined once:
//
//   lost = Σ over shapes of (share of the shape among the requests × free memory on cards that can't take it)
//
// What no shape at all could use is lost to everybody; why is said card by card. Memory in MiB. Pure.

import { letterOf } from "../cards/letters.js";
import { isAscend } from "../cards/limits.js";

const ALL_CORES = 100;

/** The letter of a card that a shape could use, if there were more such cards on its node. */
const TOO_FEW_HERE = "+";

/** Why a card can't take a shape of one card, as a letter, or "" if it can. A shape is {count, memory, percentage, cores, vendor}. */
export function hindrance(card, shape, { isCordoned = false } = {}) {
  if (isCordoned) return "k";
  if (!card.health) return letterOf("CardNotHealth").letter;
  if (isForeign(shape, card)) return "t";
  if (card.used >= card.slots) return "s";
  if (card.memory - card.used_memory < memoryOf(shape, card)) return "m";
  const cores = coresFor(shape, card);
  if (cores - card.used_cores < shape.cores) return "c";
  if (cores === ALL_CORES && shape.cores === ALL_CORES && card.used > 0) return "x";
  if (cores > 0 && card.used_cores >= cores) return "c";
  return "";
}

function isForeign({ vendor }, card) {
  return Boolean(vendor) && vendor !== card.vendor;
}

/** The cores that a card has for a shape. Of an NPU only pods in hami-core mode may ask for cores, and it has 100 for them. */
function coresFor(shape, card) {
  return shape.cores > 0 && isAscend(card.vendor) ? ALL_CORES : card.cores;
}

/** The MiB that a shape comes to on a card. */
export function memoryOf({ memory, percentage }, card) {
  return memory > 0 ? memory : Math.trunc((card.memory * (percentage ?? 0)) / 100);
}

/**
 * `cards`: rows of the table, each with `isCordoned`; `shapes`: [{…shape, weight}], weights in any unit.
 * {held, free, lost, foreign: what of it is lost because the vendor is another one, dead, cards: [{card, free, lost: share 0 to 1, dead: the letter why nobody can, or ""}],
 *  shapes: [{shape, share, more: how many of it fit, out: free memory out of its reach}]}
 */
export function fragmentationOf(cards, shapes) {
  const all = shapes.reduce((sum, { weight }) => sum + weight, 0);
  const taking = shapes.map((shape) => ({ shape, cards: cardsThatTake(shape, cards) }));
  const rows = cards.map((card) => cardLoss(card, taking, all));
  const sum = (pick) => rows.reduce((total, row) => total + pick(row), 0);
  return {
    held: cards.reduce((total, card) => total + card.used_memory, 0),
    free: sum(({ free }) => free),
    lost: sum(({ free, lost }) => free * lost),
    foreign: all ? shapes.reduce((total, shape) => total + (shape.weight / all) * sum(({ card, free }) => (isForeign(shape, card) ? free : 0)), 0) : 0,
    dead: sum(({ free, dead }) => (dead ? free : 0)),
    cards: rows,
    shapes: taking.map((one) => shapeReach(one, cards, all)),
  };
}

/** Of fragmentationOf only {free, lost}: how many more pods fit isn't counted, which takes long. */
export function lossOf(cards, shapes) {
  const all = shapes.reduce((sum, { weight }) => sum + weight, 0);
  const taking = shapes.map((shape) => ({ shape, cards: cardsThatTake(shape, cards) }));
  const against = (card) => taking.reduce((sum, one) => (one.cards.has(card) ? sum : sum + one.shape.weight), 0);
  let [free, lost] = [0, 0];
  for (const card of cards) {
    const left = freeOf(card);
    free += left;
    if (left && all) lost += (left * against(card)) / all;
  }
  return { free, lost };
}

/** The cards that can take a shape; one of several cards takes none of a node that has too few for it. */
function cardsThatTake(shape, cards) {
  const fitting = cards.filter((card) => !hindranceOf(card, shape));
  const onNode = new Map();
  for (const { node } of fitting) onNode.set(node, (onNode.get(node) ?? 0) + 1);
  return new Set(fitting.filter(({ node }) => onNode.get(node) >= shape.count));
}

function cardLoss(card, taking, all) {
  const free = freeOf(card);
  const against = taking.filter(({ cards }) => !cards.has(card)).map(({ shape }) => shape);
  const lost = all ? against.reduce((sum, { weight }) => sum + weight, 0) / all : 0;
  const isDead = free > 0 && taking.length > 0 && against.length === taking.length;
  return { card, free, lost, dead: isDead ? hindranceOf(card, smallest(against, card)) || TOO_FEW_HERE : "" };
}

function shapeReach({ shape, cards: fitting }, cards, all) {
  const out = cards.reduce((sum, card) => sum + (fitting.has(card) ? 0 : freeOf(card)), 0);
  return { shape, share: all ? shape.weight / all : 0, more: fitsMore(shape, cards), out };
}

/** How many more pods of a shape fit at most (MIG's geometries, quotas and nodes' other rules aside), each on `count` different cards of one node, one after the other. */
export function fitsMore(shape, cards) {
  const nodes = new Map();
  for (const card of cards) nodes.set(card.node, [...(nodes.get(card.node) ?? []), { ...card }]);
  let more = 0;
  for (const left of nodes.values()) {
    for (;;) {
      const fitting = left.filter((card) => !hindranceOf(card, shape));
      if (fitting.length < shape.count) break;
      // Of a shape that takes several cards most fit if it always takes the emptiest.
      fitting.sort((a, b) => freeOf(b) - freeOf(a));
      for (const card of fitting.slice(0, shape.count)) charge(card, shape);
      more += 1;
    }
  }
  return more;
}

/** What even the smallest shape lacks is why nobody can use a card. */
function smallest(shapes, card) {
  const size = (shape) => [memoryOf(shape, card), shape.cores];
  return shapes.reduce((least, shape) => {
    const [[memory, cores], [leastMemory, leastCores]] = [size(shape), size(least)];
    return memory < leastMemory || (memory === leastMemory && cores < leastCores) ? shape : least;
  });
}

function charge(card, shape) {
  card.used += 1;
  card.used_memory += memoryOf(shape, card);
  card.used_cores += shape.cores;
}

function hindranceOf(card, shape) {
  return hindrance(card, shape, card);
}

function freeOf({ memory, used_memory: used }) {
  return Math.max(0, memory - used);
}
