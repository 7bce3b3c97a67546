// Paint a node's cards on its tile. Memory: a block a pod, in the colour of its priority; beside it, thin, the cores in
// use; below, a pip a slot and the card's index. Above stands one mark: ✓ for a card that this decision gives, or the
// letter of the reason (letters.js); narrow cards with the same one share it. A card that isn't healthy is hatched. A node
// that was turned down has its letter in the head, on small tiles over its cards.

import { frame, hatchOver } from "../../debugger/map/strokes.js";
import { FOOT, paintFoot, paintHeader, panel, roomForLoad } from "../../debugger/map/tile-parts.js";
import { GIVEN_UP_MARK } from "./map-cards.js";
import { blocksOf, columnsOf, marksAbove, partsOfCard, squaresOf } from "./tile-layout.js";
import { loadStep } from "../../debugger/map/tile.js";

const HEAD = 21,
  INSET = 6,
  CORES_OF_ALL = 100,
  TAKEN = "✓";
/** Pips are drawn one by one up to so many; of more a bar says how many are taken. */
const PIPS = 12;
/** The smallest tile on which a node has its letter. */
const ROOM_FOR_LETTER = 12;

/** A tile with everything of its cards. */
export function paintCardTile(context, box, node, scene) {
  panel(context, box, scene);
  context.font = `11px ${scene.palette.font}`;
  paintHeader(context, box, node, scene, { load: headOf(node, scene), room: roomForLoad(context) });
  const said = scene.foot(node);
  const { columns, parts } = columnsOf(scene.cards.on(node), cardsArea(box, Boolean(said)));
  paintParts(context, parts, cardsArea(box, Boolean(said)), scene.palette);
  for (const column of columns) paintCard(context, column, node, scene);
  for (const mark of marksAbove(columns, (card) => markOf(card, scene.cards))) paintMark(context, mark, scene.palette);
  if (said) paintFoot(context, { x: box.x + INSET, y: box.y + box.h - FOOT - 3, w: box.w - 2 * INSET }, said, scene);
}

/** Memory columns only. */
export function paintCardBars(context, box, node, scene) {
  panel(context, box, scene);
  const { columns } = columnsOf(scene.cards.on(node), barsArea(box));
  for (const { card, box: column } of columns) {
    paintMemory(context, card, column, node, scene);
    if (scene.cards.taken.has(card.key)) frame(context, column, scene.palette.placed, 1.5);
  }
  paintLetter(context, box, node, scene);
}

/** A square a card, in the colour of how much of its memory is held; one that isn't healthy is hatched. */
export function paintCardSquares(context, box, node, scene) {
  const { palette } = scene;
  for (const { card, box: square } of squaresOf(scene.cards.on(node), box)) {
    context.fillStyle = palette.loads[loadStep(card.memory ? card.used_memory / card.memory : 0)];
    context.fillRect(square.x, square.y, square.w, square.h);
    if (!card.health) hatchOver(context, square, palette, palette.unsched);
    if (scene.cards.taken.has(card.key)) frame(context, square, palette.placed, 1.5);
  }
  paintLetter(context, box, node, scene);
}

/** Over a small tile: the letter of a node that was turned down, in a halo that leaves the cards around it to be seen. */
function paintLetter(context, { x, y, w, h }, node, { cards, palette }) {
  const letter = cards.letterOf(node);
  if (!letter || Math.min(w, h) < ROOM_FOR_LETTER) return;
  context.textAlign = "center";
  context.textBaseline = "alphabetic";
  context.font = `700 ${w < ROOM_FOR_LETTER * 1.5 ? 10 : 13}px ${palette.font}`;
  context.strokeStyle = palette.panel;
  context.lineWidth = 3;
  context.lineJoin = "round";
  context.strokeText(letter, x + w / 2, y + h / 2 + 3.5);
  context.fillStyle = palette.unsched;
  context.fillText(letter, x + w / 2, y + h / 2 + 3.5);
}

/** Above the columns: a letter, or a line where a run of cards is too narrow for one. */
function paintMark(context, { mark, x, y, line, tone }, palette) {
  context.fillStyle = tone === TAKEN ? palette.placed : tone === GIVEN_UP_MARK ? palette.muted : palette.unsched;
  if (line) context.fillRect(line.x, line.y, line.w, 1);
  context.textAlign = "center";
  context.font = `600 11px ${palette.font}`;
  context.fillText(mark, x, y);
}

/** The card at a point of a tile, or null. */
export function cardAt(cards, box, detail, hasFoot, { x, y }) {
  const places = detail === "square" ? squaresOf(cards, box) : columnsOf(cards, detail === "bars" ? barsArea(box) : cardsArea(box, hasFoot)).columns;
  const hit = places.find(({ box: at }) => x >= at.x && x < at.x + at.w && y >= at.y && y < at.y + at.h);
  return hit?.card ?? null;
}

function cardsArea({ x, y, w, h }, hasFoot) {
  return { x: x + INSET, y: y + HEAD, w: w - 2 * INSET, h: Math.max(12, h - HEAD - 4 - (hasFoot ? FOOT : 0)) };
}

function barsArea({ x, y, w, h }) {
  return { x: x + 3, y: y + 3, w: w - 6, h: h - 6 };
}

/** To the right of the name: the letter of a node that failed as a whole, else how much of its cards' memory is held. */
function headOf(node, { cards }) {
  return cards.letterOf(node) ?? cards.shareWords(node);
}

function paintParts(context, parts, { y, h }, palette) {
  context.strokeStyle = palette["line-strong"];
  context.lineWidth = 1;
  context.setLineDash([2, 2]);
  for (const x of parts) {
    context.beginPath();
    context.moveTo(Math.round(x) + 0.5, y);
    context.lineTo(Math.round(x) + 0.5, y + h);
    context.stroke();
  }
  context.setLineDash([]);
}

function paintCard(context, { card, box }, node, scene) {
  const { palette, cards } = scene;
  const { isReadable, memory, cores, pips, index } = partsOfCard(box);
  paintMemory(context, card, memory, node, scene);
  context.fillStyle = palette.track;
  context.fillRect(cores.x, cores.y, cores.w, cores.h);
  const high = Math.min(1, card.used_cores / (card.cores || CORES_OF_ALL)) * cores.h;
  context.fillStyle = palette.wait;
  context.fillRect(cores.x, cores.y + cores.h - high, cores.w, high);
  if (cards.taken.has(card.key)) frame(context, { x: memory.x - 1, y: memory.y - 1, w: memory.w + 2, h: memory.h + 2 }, palette.placed, 2);
  if (cards.selected === card.key) frame(context, { x: box.x - 2, y: memory.y - 2, w: box.w + 4, h: memory.h + 4 }, palette.ink, 1.5);
  if (!isReadable) return;
  paintPips(context, card, pips, palette);
  context.textAlign = "center";
  context.font = `10px ${palette.font}`;
  context.fillStyle = palette.muted;
  context.fillText(String(card.index), index.x, index.y);
}

/** ✓ for a card that is given, the letter of the reason for one that was passed over, nothing else. */
function markOf({ key }, { taken, verdicts }) {
  return taken.has(key) ? TAKEN : verdicts.get(key);
}

function paintMemory(context, card, box, node, scene) {
  const { palette, cards } = scene;
  context.fillStyle = palette.track;
  context.fillRect(box.x, box.y, box.w, box.h);
  for (const { pod, box: block } of blocksOf(card, cards.holders(card.key), box)) {
    context.fillStyle = pod === null ? palette.faint : palette.priorities[scene.scale.step(scene.fold.pods[pod].priority)];
    context.fillRect(block.x, block.y + (block.h > 3 ? 0.5 : 0), block.w, block.h - (block.h > 3 ? 0.5 : 0));
    if (pod !== null && scene.marks.victims.has(pod)) hatchOver(context, block, palette, palette.preempt);
    if (pod !== null && pod === scene.pod) frame(context, block, palette.ink, 2);
  }
  if (!card.health) {
    hatchOver(context, box, palette, palette.unsched);
    frame(context, box, palette.unsched, 1);
  }
}

function paintPips(context, { slots, used }, { x, y, w, h }, palette) {
  const fill = (isTaken, at, wide) => {
    context.fillStyle = isTaken ? palette.ink : palette["line-strong"];
    context.fillRect(at, y, wide, h);
  };
  if (slots > PIPS) {
    fill(false, x, w);
    return fill(true, x, w * Math.min(1, used / slots));
  }
  const step = w / slots;
  for (let i = 0; i < slots; i++) fill(i < used, x + i * step, Math.max(0.5, step - (step > 2 ? 0.75 : 0.25)));
}
