// How a node of a snapshot is drawn: its fill in the chosen resource as the colour of a square, or as a bar; over it what
// marks it. A crossed circle is cordoned, a cross not ready, a frame tainted, a line around it the row at hand or ticked.

import { paintHeader, panel, roomForLoad } from "../debugger/map/tile-parts.js";
import { loadStep } from "../debugger/map/tile.js";
import { paintMark } from "../debugger/map/mark-shapes.js";
import { cross, frame, grow, outline } from "../debugger/map/strokes.js";
import { wholePercent } from "../debugger/words/units.js";

const SMALL = 26;

/** Paint a tile; `scene`: {nodes, resource, palette, fold: the nodes, names, ticked, current, isMarked}. */
export function paintNode(context, box, node, detail, scene) {
  if (detail === "square") paintSquare(context, box, node, scene);
  else paintTile(context, box, node, detail, scene);
  paintMarks(context, box, node, scene);
}

function colourOf({ fold, palette, resource }, node) {
  return fold.capacity(node, resource) ? palette.loads[loadStep(fold.share(node, resource))] : palette.bg;
}

function paintSquare(context, box, node, scene) {
  const { x, y, w, h } = box;
  context.fillStyle = colourOf(scene, node);
  context.fillRect(x, y, w, h);
  if (!scene.fold.capacity(node, scene.resource)) frame(context, box, scene.palette.line, 1);
}

/** A panel with the node's bar; the larger one has its name above, and says how full it is. */
function paintTile(context, box, node, detail, scene) {
  const { fold, palette, resource } = scene;
  const { x, y, w, h } = box;
  panel(context, box, scene);
  const isLarge = detail !== "bars";
  if (isLarge) {
    context.font = `11px ${palette.font}`;
    const load = fold.capacity(node, resource) ? wholePercent(fold.share(node, resource)) : "–";
    paintHeader(context, box, node, scene, { load, room: roomForLoad(context) });
  }
  if (!fold.capacity(node, resource)) return;
  const [inset, top] = isLarge ? [6, 22] : [3, 3];
  const bar = { x: x + inset, y: y + top, w: w - 2 * inset, h: Math.max(4, h - top - inset) };
  context.fillStyle = palette.track;
  context.fillRect(bar.x, bar.y, bar.w, bar.h);
  context.fillStyle = colourOf(scene, node);
  context.fillRect(bar.x, bar.y, bar.w * Math.min(1, fold.share(node, resource)), bar.h);
}

function paintMarks(context, box, node, scene) {
  const { fold, palette, ticked, current } = scene;
  const { x, y, w, h } = box;
  const isSmall = w < SMALL;
  if (fold.isTainted(node)) frame(context, box, palette.muted, isSmall ? 1 : 1.5, isSmall ? [] : [4, 2]);
  if (fold.failed.has(node)) cross(context, box, palette.unsched, isSmall ? 1.5 : 2);
  else if (scene.nodes[node].unschedulable && !scene.isNamed) paintCordoned(context, { x, y, w, h }, palette);
  if (ticked.has(node)) outline(context, grow(box, 1), palette.placed, isSmall ? 2 : 3);
  if (current === node) outline(context, grow(box, 2.5), palette.ink, 1.5);
}

/** The mark on a disc, so that it is seen on the colour of a full node too. */
function paintCordoned(context, { x, y, w, h }, palette) {
  const size = Math.min(w, h, 13);
  context.fillStyle = palette.panel;
  context.beginPath();
  context.arc(x + w / 2, y + h / 2, size / 2, 0, Math.PI * 2);
  context.fill();
  paintMark(context, { x: x + (w - size) / 2, y: y + (h - size) / 2, w: size, h: size }, "cordoned", palette);
}
