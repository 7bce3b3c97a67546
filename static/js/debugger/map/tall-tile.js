// Paint the tile of a node where few nodes fill the map: its pods in a stack, with names and amounts, how much room is
// free, and in the foot what the decision says of this node.

import { inkOn, paintBlock, paintPromise } from "./pod-block.js";
import { NAMED, stackOf } from "./stack.js";
import { clipText, loadLine } from "./strokes.js";
import { FOOT, paintCards, paintFoot, paintHeader, panel, roomForLoad } from "./tile-parts.js";
import { amount } from "../../amounts.js";
import { FATES } from "../../schedulers/sessions/statement.js";
import { isTried } from "../../schedulers/sessions/tried-block.js";

const INSET = 6,
  HEAD = 21,
  LINE = 5,
  CARDS = 9;
/** A block narrower than this has no words; a name has at least this much room beside a figure; a row's height. */
const NARROWEST = 30,
  FIGURE_FROM = 60,
  ROW = 14;

/** Where the stack stands in a tile. */
export function stackArea({ x, y, w, h }, hasCards) {
  const below = FOOT + 6 + LINE + (hasCards ? CARDS : 0);
  return { x: x + INSET, y: y + HEAD, w: w - 2 * INSET, h: Math.max(NAMED, h - HEAD - below) };
}

export function paintTall(context, box, node, scene) {
  const { palette, loads } = scene;
  panel(context, box, scene);
  paintHeader(context, box, node, scene, headingOf(context, box, node, scene));
  const cards = loads.cards(node);
  const area = stackArea(box, Boolean(cards));
  context.fillStyle = palette.track;
  context.fillRect(area.x, area.y, area.w, area.h);
  const { boxes, free } = stackFor(node, area, scene);
  if (free) paintFree(context, free, scene);
  const states = scene.reprieve?.node === node ? scene.reprieve.states : null;
  for (const { block, box: place } of boxes) paintPod(context, place, block, states?.get(block.pod) ?? null, scene);
  let line = area.y + area.h + 2;
  const rest = { x: area.x, y: line, w: area.w, h: 3 };
  loadLine(context, rest, loads.share(node, otherThan(scene.resource)), palette);
  line += LINE;
  if (cards) paintCards(context, { x: area.x, y: line, w: area.w, h: 6 }, cards, palette);
  const said = scene.foot(node);
  if (said) paintFoot(context, { x: area.x, y: box.y + box.h - FOOT - 4, w: area.w }, said, scene);
}

/** The stack of a node: see stack.js. Who is promised room stands where they will be. */
export function stackFor(node, area, { blocks, promised, loads, resource }) {
  const all = blocks(node);
  const isLeaving = ({ victim, gone, terminating }) => victim || gone || terminating;
  const leaving = all.filter(isLeaving);
  const promises = (promised.get(node) ?? []).map((pod) => ({ pod, promise: true }));
  const isTaking = (block) => isTried(block) || (block.fresh && leaving.length > 0);
  const parts = {
    staying: all.filter((block) => !isLeaving(block) && !isTaking(block)),
    leaving,
    taking: [...all.filter((block) => !isLeaving(block) && isTaking(block)), ...promises],
  };
  return stackOf(area, parts, (pod) => loads.podAmount(pod, resource), loads.capacity(node, resource));
}

/** How full the node is of the chosen resource, and of another one if there is always room for it: {load, room}. */
function headingOf(context, { w }, node, scene) {
  const { loads, resource } = scene;
  const own = scene.percent(node);
  const other = otherThan(resource);
  const both = (one, two) => `${shortened(loads.nameOf(resource))} ${one} · ${shortened(other)} ${two}`;
  context.font = `11px ${scene.palette.font}`;
  const room = roomForLoad(context, (load) => both(load, load));
  if (loads.capacity(node, other) && room < w * 0.55) return { load: both(own, scene.percent(node, other)), room };
  return { load: own, room: roomForLoad(context) };
}

function otherThan(resource) {
  return resource === "memory" ? "cpu" : "memory";
}

function shortened(resource) {
  return resource === "memory" ? "mem" : resource.slice(resource.lastIndexOf("/") + 1);
}

function paintFree(context, { box, amount: left }, { palette, resource }) {
  if (box.h < NAMED) return;
  context.font = `11px ${palette.font}`;
  context.textAlign = "center";
  context.fillStyle = palette.muted;
  const words = clipText(context, `${amount(resource, left)} free`, box.w - 4);
  context.fillText(words, box.x + box.w / 2, Math.round(box.y + box.h / 2) + 4);
}

function paintPod(context, box, block, state, scene) {
  if (block.promise) paintPromise(context, box, scene.palette);
  else paintBlock(context, box, block, state, scene);
  if (box.h >= NAMED - 1 && box.w >= NARROWEST) paintWords(context, box, block, state, scene);
}

/** Its number, its name, and what it asks for: beside the name, or below it where the pod stands beside another. */
function paintWords(context, box, block, state, scene) {
  const { palette, fold, loads, resource } = scene;
  const { namespace, name } = fold.pods[block.pod];
  const isLeaving = (state ? state.startsWith("victim") : block.victim) || block.gone;
  const isHatched = isLeaving || block.terminating || block.stranded;
  const number = block.promise || isTried(block) ? 0 : scene.placedBy(block.pod);
  const asked = amount(resource, loads.podAmount(block.pod, resource));
  const isTwoLines = box.h >= 2 * ROW;
  const figure = block.fate && !isTwoLines ? fateOf(block) : asked;
  context.font = `11px ${palette.font}`;
  const wide = Math.floor(box.w - (scene.colours ? 16 : 12) - (number ? tagWidth(context, number) : 0));
  const isBeside = !(block.fate && isTwoLines) && wide > context.measureText(figure).width + FIGURE_FROM;
  const isBelow = !isBeside && isTwoLines;
  const base = Math.round(box.y + box.h / 2) + (isBelow ? -3 : 4);
  const left = Math.round(box.x) + (scene.colours ? 8 : 4);
  const x = number ? paintTag(context, { x: left, y: base - 11 }, number, palette) : left + 2;
  const room = wide - (isBeside ? context.measureText(figure).width + 10 : 0);
  const ink = isHatched || block.promise || isTried(block) ? palette.ink : inkOn(scene, block.pod, false);
  const write = (words, at) => paintText(context, words, at, { ink, plate: isHatched && palette.panel });
  const full = `${namespace}/${name}`;
  const words = context.measureText(full).width <= room ? full : clipText(context, name, room, 4);
  write(words, { x, base });
  if (isLeaving || block.fate === "back") strike(context, { x, base }, words, isLeaving ? palette.preempt : palette.muted);
  if (isBeside) write(figure, { x: x + wide - context.measureText(figure).width, base });
  const below = [`${figure} ${fateOf(block)}`.trim(), ...(block.fate ? [fateOf(block)] : []), figure];
  const fitting = below.find((some) => context.measureText(some).width <= wide);
  if (isBelow && fitting) write(fitting, { x, base: base + ROW });
}

/** What becomes of the room. */
function fateOf({ victim, gone, terminating, promise, fresh, fate }) {
  if (fate) return `${FATES[fate].sign} ${FATES[fate].word}`;
  if (victim || gone || terminating) return gone ? "gone" : "leaves";
  return promise ? "waits" : fresh ? "placed" : "";
}

/** Words, on a plate where they stand on a hatch, so that they can be read. */
function paintText(context, words, { x, base }, { ink, plate }) {
  if (plate) {
    context.fillStyle = plate;
    context.fillRect(x - 2, base - 10, context.measureText(words).width + 4, 13);
  }
  context.textAlign = "left";
  context.fillStyle = ink;
  context.fillText(words, x, base);
}

function strike(context, { x, base }, words, colour) {
  context.fillStyle = colour;
  context.fillRect(x, base - 4, context.measureText(words).width, 1);
}

function tagWidth(context, number) {
  return Math.max(14, context.measureText(String(number)).width + 7);
}

/** The number of the decision by which a pod was placed, in a pill; answers where the words behind it begin. */
function paintTag(context, { x, y }, number, palette) {
  const wide = tagWidth(context, number);
  context.fillStyle = palette.panel;
  context.strokeStyle = palette["line-strong"];
  context.lineWidth = 1;
  context.beginPath();
  context.roundRect(x + 0.5, y + 0.5, wide - 1, 13, 7);
  context.fill();
  context.stroke();
  context.fillStyle = palette.ink;
  context.textAlign = "center";
  context.font = `10px ${palette.font}`;
  context.fillText(String(number), x + wide / 2, y + 10.5);
  context.font = `11px ${palette.font}`;
  return x + wide + 4;
}
