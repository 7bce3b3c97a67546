// Where a node's cards stand in its tile: side by side in their order, NUMA nodes parted. Pure geometry, in pixels.

import { runsOf } from "./letters.js";

const GAP = 3,
  APART = 9,
  WIDEST = 26;
/** Heights of the row of verdicts above the columns, of the slots' pips and of the index below them. */
export const ABOVE = 13,
  PIPS = 5,
  INDEX = 12;
/** A column of cores has at least this width, and a card that is narrower than this has no index and no pips. */
const CORES = 2.5,
  READABLE = 11;
/** A run of narrow cards with the same verdict has its letter if it is at least this wide. */
const LETTER = 7;

/** The cards as [{card, box: the whole card's}], and `parts`: the x of the lines between NUMA nodes. */
export function columnsOf(cards, { x, y, w, h }) {
  if (!cards.length) return { columns: [], parts: [] };
  const groups = grouped(cards);
  const between = (groups.length - 1) * APART + (cards.length - groups.length) * GAP;
  // Of many cards the gaps are narrower too, so that all of them have a place.
  const tight = Math.min(1, w / 2 / Math.max(1, between));
  const [gap, apart] = [GAP * tight, APART * tight];
  const wide = Math.min(WIDEST, (w - between * tight) / cards.length);
  const columns = [];
  const parts = [];
  let left = x;
  groups.forEach((group, g) => {
    if (g > 0) {
      parts.push(left - gap + apart / 2);
      left += apart - gap;
    }
    for (const card of group) {
      columns.push({ card, box: { x: left, y, w: wide, h } });
      left += wide + gap;
    }
  });
  return { columns, parts };
}

/** The parts of a card's box: `memory` and `cores` columns, `pips`, and where its letter and its index are written. */
export function partsOfCard({ x, y, w, h }) {
  const isReadable = w >= READABLE;
  const top = y + ABOVE;
  const high = Math.max(4, h - ABOVE - (isReadable ? PIPS + INDEX : 0));
  const thin = Math.max(CORES, w * 0.22);
  const wide = Math.max(1, w - thin - 1);
  return {
    isReadable,
    memory: { x, y: top, w: wide, h: high },
    cores: { x: x + wide + 1, y: top, w: thin, h: high },
    pips: { x, y: top + high + 2, w, h: PIPS - 2 },
    index: { x: x + w / 2, y: y + h - 1 },
  };
}

/**
 * Where the marks of cards stand above their columns: [{mark, x, y, line: what it spans, or null}]. Of cards too narrow for
 * a letter each, those side by side with the same one share it. `markOf(card)`: its mark, or nothing.
 */
export function marksAbove(columns, markOf) {
  const isNarrow = columns.length > 0 && columns[0].box.w < READABLE;
  const marks = columns.map(({ card }) => markOf(card) ?? "");
  const runs = isNarrow ? runsOf(marks) : marks.map((mark, i) => ({ mark, from: i, to: i })).filter(({ mark }) => mark);
  return runs.map(({ mark, from, to }) => {
    const left = columns[from].box.x;
    const right = columns[to].box.x + columns[to].box.w;
    const y = columns[from].box.y + ABOVE - 3;
    const line = isNarrow ? { x: left, w: right - left, y: y + 1 } : null;
    return { mark: line && line.w < LETTER ? "" : mark, x: (left + right) / 2, y: line ? y - 1 : y, line, tone: mark };
  });
}

/** The blocks of pods in a memory column, from the bottom: [{pod, box}]; what isn't known of whom has pod null. */
export function blocksOf({ memory, used_memory: used }, holders, { x, y, w, h }) {
  if (!memory) return [];
  const known = holders.reduce((sum, holder) => sum + holder.memory, 0);
  const all = used > known ? [...holders, { pod: null, memory: used - known }] : holders;
  let bottom = y + h;
  const blocks = [];
  for (const { pod, memory: part } of all) {
    const high = Math.min((part / memory) * h, bottom - y);
    if (high <= 0) continue;
    bottom -= high;
    blocks.push({ pod, box: { x, y: bottom, w, h: high } });
  }
  return blocks;
}

/** A square a card, as large as the tile allows: [{card, box}]. */
export function squaresOf(cards, { x, y, w, h }) {
  const across = Math.max(1, Math.ceil(Math.sqrt((cards.length * w) / Math.max(1, h))));
  const down = Math.ceil(cards.length / across);
  const size = Math.max(0.5, Math.min(w / across, h / down));
  const inset = size > 4 ? 0.5 : 0;
  return cards.map((card, i) => ({
    card,
    box: { x: x + (i % across) * size + inset, y: y + Math.floor(i / across) * size + inset, w: size - 2 * inset, h: size - 2 * inset },
  }));
}

/** Runs of cards on the same NUMA node, in the order of the cards. */
function grouped(cards) {
  const groups = new Map();
  for (const card of cards) groups.set(card.numa, [...(groups.get(card.numa) ?? []), card]);
  return [...groups.values()];
}
