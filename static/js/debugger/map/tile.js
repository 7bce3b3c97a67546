// Paint one node's tile on the canvas, at one of three levels of detail (tall-tile.js has the fourth). Colour is priority
// (or load on the small squares); a pattern or a line always says the same: hatched leaves, dashed is promised, outlined
// is new, dotted is room just freed, crossed has failed or goes.

import { LARGE } from "./layout.js";
import { paintMark } from "./mark-shapes.js";
import { paintBlock, paintName, paintPromise } from "./pod-block.js";
import { cordon, cross, grow, hatchOver, loadLine, outline } from "./strokes.js";
import { FOOT, paintCards, paintFoot, paintHeader, panel, roomForLoad } from "./tile-parts.js";
import { tileOutline } from "../../schedulers/sessions/tried-block.js";

const BAR_RESOURCES = ["cpu", "memory"];

/** A tile with its name, its pods as blocks, its loads as lines and its cards. */
export function paintLarge(context, box, node, scene) {
  const { palette } = scene;
  const { x, y, w, h } = box;
  panel(context, box, scene);
  context.font = `11px ${palette.font}`;
  paintHeader(context, box, node, scene, { load: scene.percent(node), room: roomForLoad(context) });
  const said = scene.foot(node);
  const cards = scene.loads.cards(node);
  const foot = y + h - 5 - (said ? FOOT : 0);
  const lines = cards ? 3 : 2;
  const strip = {
    x: x + 6,
    y: y + 21,
    w: w - 12,
    h: Math.max(10, foot - (y + 21) - lines * 5 - (cards ? 3 : 0)),
  };
  paintPods(context, strip, node, scene, 1);
  let line = strip.y + strip.h + 2;
  for (const resource of BAR_RESOURCES) {
    loadLine(context, { x: strip.x, y: line, w: strip.w, h: 3 }, scene.loads.share(node, resource), palette);
    line += 5;
  }
  if (cards) paintCards(context, { x: strip.x, y: line, w: strip.w, h: 6 }, cards, palette);
  if (said) paintFoot(context, { x: strip.x, y: y + h - FOOT - 2, w: strip.w }, said, scene);
}

/** Bars only: the pods as one band, the second resource as a line. */
export function paintBars(context, box, node, scene) {
  panel(context, box, scene);
  const { x, y, w, h } = box;
  const inner = { x: x + 3, y: y + 3, w: w - 6, h: h - 9 };
  if (scene.whyNot) paintWhyNot(context, inner, node, scene);
  else paintPods(context, inner, node, scene, 0);
  const other = scene.resource === "memory" ? "cpu" : "memory";
  loadLine(
    context,
    { x: inner.x, y: y + h - 5, w: inner.w, h: 2.5 },
    scene.loads.share(node, other),
    scene.palette,
  );
}

/** Why the pod doesn't fit on the node, as a mark in place of what else is shown. */
function paintWhyNot(context, box, node, { whyNot, whyNotAlpha, palette }) {
  const { globalAlpha } = context;
  context.globalAlpha = globalAlpha * whyNotAlpha;
  paintMark(context, box, whyNot.kindOf(node), palette);
  context.globalAlpha = globalAlpha;
}

/** A square in the colour of its load, with the decision's marks as shapes; or why the pod doesn't fit there. */
export function paintSquare(context, box, node, scene) {
  if (scene.whyNot) return paintWhyNot(context, box, node, scene);
  paintLoad(context, box, node, scene);
}

function paintLoad(context, box, node, scene) {
  const { palette } = scene;
  const { x, y, w, h } = box;
  const share = scene.loads.share(node, scene.resource);
  context.fillStyle = scene.loads.capacity(node, scene.resource)
    ? palette.loads[loadStep(share)]
    : palette.bg;
  context.fillRect(x, y, w, h);
  if (!scene.loads.capacity(node, scene.resource)) {
    context.strokeStyle = palette.line;
    context.lineWidth = 1;
    context.strokeRect(x + 0.5, y + 0.5, w - 1, h - 1);
  }
  if (scene.marks.losing.has(node)) hatchOver(context, box, palette, palette.preempt);
  else if (scene.withTerminating.has(node)) hatchOver(context, box, palette, palette.faint);
  if (scene.nodes[node].unschedulable && w > 5) cordon(context, x + w / 2, y + h / 2, palette);
}

/** Six steps of load; the last is full to 95 %. */
export function loadStep(share) {
  return share <= 0.01 ? 0 : share < 0.25 ? 1 : share < 0.5 ? 2 : share < 0.75 ? 3 : share < 0.95 ? 4 : 5;
}

/** What lies over a tile at every level: failed, candidate, equal, chosen, freed, come, gone, selected, promised. */
export function paintOutline(context, box, node, scene) {
  const { palette, marks } = scene;
  const small = box.w < 26;
  if (scene.fold.failed.has(node) && box.w < LARGE) cross(context, box, palette.unsched, small ? 1.5 : 2);
  if (scene.promised.has(node) && box.w < LARGE)
    outline(context, box, palette.nominated, small ? 1.5 : 2, [3, 2]);
  const tried = box.w < LARGE && tileOutline(marks.tried.get(node) ?? [], marks.fates, palette);
  if (tried) outline(context, box, tried, small ? 1.5 : 2, [4, 2]);
  if (scene.whyNot?.nearest === node) outline(context, grow(box, small ? 1.5 : 1), palette.ink, 1.5);
  if (marks.best.has(node)) outline(context, box, palette.placed, small ? 1.25 : 1.5);
  if (marks.candidates.has(node)) outline(context, box, palette.preempt, small ? 1.25 : 1.5);
  if (marks.chosen === node) outline(context, grow(box, small ? 2 : 0.5), scene.chosenColour, small ? 3 : 3);
  if (scene.lit?.has(node) && !marks.candidates.has(node) && marks.chosen !== node && !marks.best.has(node)) {
    outline(context, box, palette["line-strong"], small ? 0.75 : 1.25);
  }
  if (marks.freed.has(node)) outline(context, grow(box, small ? 1.5 : 2.5), palette.placed, small ? 2 : 3, small ? [2, 2] : [3, 3]);
  if (marks.came.has(node)) ring(context, box, palette.placed);
  if (marks.went.has(node)) crossOut(context, box, palette);
  if (scene.selected === node) outline(context, grow(box, 3), palette.ink, 1.5);
}

/** Around a node that came with this decision: a second line outside of the tile's own. */
function ring(context, box, colour) {
  outline(context, grow(box, box.w < 26 ? 1.5 : 3), colour, box.w < 26 ? 1.5 : 2);
  outline(context, box, colour, 1);
}

/** Over a node that goes with this decision: pale, and crossed from corner to corner. */
function crossOut(context, { x, y, w, h }, palette) {
  const { globalAlpha } = context;
  context.globalAlpha = globalAlpha * 0.4;
  context.fillStyle = palette.panel;
  context.fillRect(x, y, w, h);
  context.globalAlpha = globalAlpha;
  outline(context, { x, y, w, h }, palette.preempt, w < 26 ? 1 : 1.5, [3, 2]);
  cross(context, { x, y, w, h }, palette.preempt, w < 26 ? 1.5 : 2);
}

/** The pods of a node side by side; victims stay in their place, hatched, for as long as the step shows them. */
export function paintPods(context, strip, node, scene, gap) {
  const { palette, loads, resource } = scene;
  context.fillStyle = palette.track;
  context.fillRect(strip.x, strip.y, strip.w, strip.h);
  const states = scene.reprieve?.node === node ? scene.reprieve.states : null;
  let x = strip.x;
  const end = strip.x + strip.w;
  for (const block of scene.blocks(node)) {
    const share = loads.podShare(node, block.pod, resource);
    const width = Math.max(share * strip.w, share > 0 ? 1.5 : 0.75);
    const w = Math.max(0.75, Math.min(width, end - x) - (width > 3 ? gap : 0));
    if (x >= end) break;
    const place = { x, y: strip.y, w, h: strip.h };
    const state = states?.get(block.pod) ?? null;
    paintBlock(context, place, block, state, scene);
    if (scene.showNames) paintName(context, place, block, state, scene);
    x += width;
  }
  for (const pod of scene.promised.get(node) ?? []) {
    const share = loads.podShare(node, pod, resource);
    const w = Math.max(5, Math.min(share * strip.w, strip.w));
    const from = Math.min(x, end - w);
    paintPromise(context, { x: from + 0.25, y: strip.y, w: Math.max(3.5, w - 0.5), h: strip.h }, palette);
    x = from + w;
  }
}
