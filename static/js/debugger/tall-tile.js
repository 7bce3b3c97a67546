// Paint the tile of a node where few nodes fill the map: its pods in a stack, with names and amounts, how much room is
// free, and in the foot what the decision says of this node.

import { inkOn, paintBlock, paintPromise } from "./pod-block.js";
import { NAMED, stackOf } from "./stack.js";
import { clipText, loadLine } from "./strokes.js";
import { FOOT, paintCards, paintFoot, paintHeader, panel } from "./tile-parts.js";
import { amount } from "./units.js";

const INSET = 6,
  HEAD = 21,
  LINE = 5,
  CARDS = 9;

/** Where the stack stands in a tile. */
export function stackArea({ x, y, w, h }, hasCards) {
  const below = FOOT + 6 + LINE + (hasCards ? CARDS : 0);
  return { x: x + INSET, y: y + HEAD, w: w - 2 * INSET, h: Math.max(NAMED, h - HEAD - below) };
}

export function paintTall(context, box, node, scene) {
  const { palette, loads } = scene;
  panel(context, box, scene);
  paintHeader(context, box, node, scene, headingOf(context, box, node, scene), scene.isMarked(node) ? 600 : 400);
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
  const isTaking = ({ fresh }) => fresh && leaving.length > 0;
  const parts = {
    staying: all.filter((block) => !isLeaving(block) && !isTaking(block)),
    leaving,
    taking: [...all.filter((block) => !isLeaving(block) && isTaking(block)), ...promises],
  };
  return stackOf(area, parts, (pod) => loads.podAmount(pod, resource), loads.capacity(node, resource));
}

/** How full the node is of the chosen resource and of another one, as far as there is room for it. */
function headingOf(context, { w }, node, scene) {
  const { loads, resource } = scene;
  const own = scene.percent(node);
  const other = otherThan(resource);
  const words = `${shortened(resource)} ${own} · ${shortened(other)} ${scene.percent(node, other)}`;
  context.font = `11px ${scene.palette.font}`;
  return loads.capacity(node, other) && context.measureText(words).width < w * 0.55 ? words : own;
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
  context.fillText(words, box.x + box.w / 2, box.y + box.h / 2 + 4);
}

function paintPod(context, box, block, state, scene) {
  if (block.promise) paintPromise(context, box, scene.palette);
  else paintBlock(context, box, block, state, scene);
  if (box.h < NAMED - 1 || box.w < 30) return;
  const { palette, fold, loads, resource } = scene;
  const isLeaving = (state ? state.startsWith("victim") : block.victim) || block.gone;
  const isHatched = isLeaving || block.terminating || block.stranded;
  const ink = isHatched || block.promise ? palette.ink : inkOn(scene, block.pod, false);
  const { namespace, name } = fold.pods[block.pod];
  const number = block.promise ? 0 : scene.placedBy(block.pod);
  const base = box.y + Math.min(box.h / 2, box.h - 5) + 4;
  const figure = amount(resource, loads.podAmount(block.pod, resource));
  context.font = `11px ${palette.font}`;
  const tag = number ? numberTag(context, { x: box.x + 4, y: base - 11 }, number, palette) : 0;
  const wide = box.w - 12 - tag;
  const figureWidth = context.measureText(figure).width;
  const showsFigure = wide > figureWidth + 60;
  const room = wide - (showsFigure ? figureWidth + 10 : 0);
  const full = `${namespace}/${name}`;
  const words = context.measureText(full).width <= room ? full : clipText(context, name, room, 4);
  const at = { x: box.x + 6 + tag, base, room: wide };
  if (isHatched) plate(context, at, words, showsFigure ? figure : "", palette);
  context.fillStyle = ink;
  context.textAlign = "left";
  context.fillText(words, at.x, base);
  if (isLeaving) strike(context, at, words, palette);
  context.textAlign = "right";
  if (showsFigure) context.fillText(figure, at.x + wide, base);
}

/** What lies under words on a hatch, so that they can be read. */
function plate(context, { x, base, room }, words, figure, palette) {
  context.fillStyle = palette.panel;
  const high = { y: base - 10, h: 13 };
  context.fillRect(x - 2, high.y, context.measureText(words).width + 4, high.h);
  if (!figure) return;
  const wide = context.measureText(figure).width;
  context.fillRect(x + room - wide - 2, high.y, wide + 4, high.h);
}

function strike(context, { x, base }, words, palette) {
  context.fillStyle = palette.preempt;
  context.fillRect(x, base - 4, context.measureText(words).width, 1);
}

/** The number of the decision by which a pod was placed, in a pill; answers how much room it takes. */
function numberTag(context, { x, y }, number, palette) {
  const words = String(number);
  const font = context.font;
  context.font = `10px ${palette.font}`;
  const wide = Math.max(14, context.measureText(words).width + 7);
  context.fillStyle = palette.panel;
  context.strokeStyle = palette["line-strong"];
  context.lineWidth = 1;
  context.beginPath();
  context.roundRect(x + 0.5, y + 0.5, wide - 1, 13, 7);
  context.fill();
  context.stroke();
  context.fillStyle = palette.ink;
  context.textAlign = "center";
  context.fillText(words, x + wide / 2, y + 10.5);
  context.font = font;
  return wide + 2;
}
