// What tiles of two levels of detail have in common: the panel, the node's name, its loads, cards and foot.

import { shortened } from "./feet.js";
import { paintMark } from "./mark-shapes.js";
import { clipText, cordon, cross } from "./strokes.js";

/** Height of a foot's line of words, in pixels. */
export const FOOT = 14;
/** Room of a mark before a foot's words. */
const MARK = 13;

export function panel(context, { x, y, w, h }, { palette }) {
  context.fillStyle = palette.panel;
  context.strokeStyle = palette.line;
  context.lineWidth = 1;
  context.beginPath();
  context.roundRect(x + 0.5, y + 0.5, w - 1, h - 1, Math.min(4, w / 8));
  context.fill();
  context.stroke();
}

/** The loads for which a tile keeps room: what is left for its name is the same at every decision. */
const WIDEST = ["100 %", "<1 %"];

/** Beside a header's words, and least between them, in pixels: short names are not to be cut. */
const SIDE = 6,
  GAP = 4;

/** How wide loads in certain words are at most; `wordsOf(load)`. */
export function roomForLoad(context, wordsOf = (load) => load) {
  return Math.max(...WIDEST.map((load) => context.measureText(wordsOf(load)).width));
}

/** The node's name, and to the right how full it is, or a cross for one that isn't ready. `room` is kept for the load. */
export function paintHeader(context, { x, y, w }, node, scene, { load, room: kept }) {
  const { palette } = scene;
  const hasFailed = scene.fold.failed.has(node);
  context.font = `11px ${palette.font}`;
  context.textBaseline = "alphabetic";
  const room = Math.max(kept, context.measureText(load).width);
  context.textAlign = "right";
  context.fillStyle = palette.muted;
  if (hasFailed) cross(context, { x: x + w - 16, y: y + 6, w: 10, h: 10 }, palette.unsched, 2);
  else context.fillText(load, x + w - 6, y + 15);
  const isCordoned = scene.nodes[node].unschedulable;
  context.textAlign = "left";
  const isMarked = scene.isMarked(node);
  context.fillStyle = isMarked ? palette.ink : palette.muted;
  // Cut for the bolder letters, so that a mark doesn't shorten a name.
  context.font = `600 11px ${palette.font}`;
  const name = nodeName(context, scene, node, w - 2 * SIDE - GAP - room - (isCordoned ? 12 : 0));
  if (!isMarked) context.font = `11px ${palette.font}`;
  context.fillText(name, x + 6, y + 15);
  if (isCordoned) cordon(context, x + w - room - 17, y + 11, palette);
}

/** One line of words about the node: `said` is what feet.js says. */
export function paintFoot(context, { x, y, w }, said, { palette }) {
  const { tone, isStrong, kind } = said;
  context.font = `${isStrong ? 600 : 400} 11px ${palette.font}`;
  context.textBaseline = "alphabetic";
  context.textAlign = "left";
  context.fillStyle = palette[tone];
  const mark = kind ? MARK : 0;
  const words = shortened(said, (some) => context.measureText(some).width <= w - mark);
  context.fillText(clipText(context, words, w - mark), Math.round(x) + mark, Math.round(y) + 11);
  if (kind) paintMark(context, { x, y: y + 2.5, w: 9, h: 9 }, kind, palette);
}

/** The name as the reader wants it if it fits, else what tells it apart; if that is clipped, its last part stays. */
export function nodeName(context, { names, nodes }, node, width) {
  const { name } = nodes[node];
  const shown = names.shown(name);
  if (context.measureText(shown).width <= width) return shown;
  const short = names.short(name);
  return clipText(context, short, width, short.split(/[-.]/).at(-1).length);
}

export function paintCards(context, { x, y, w, h }, { all, taken }, palette) {
  const size = Math.min(9, (w + 2) / all - 2);
  for (let i = 0; i < all; i++) {
    const left = x + i * (size + 2);
    const share = Math.max(0, Math.min(1, taken - i));
    context.strokeStyle = palette.muted;
    context.lineWidth = 1;
    context.strokeRect(left + 0.5, y + 0.5, size - 1, h - 1);
    if (!share) continue;
    context.fillStyle = palette.muted;
    context.fillRect(left, y, size * share, h);
  }
}

