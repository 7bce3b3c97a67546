// Paint a pod that a statement tries on a node and that isn't there: open is dashed blue, pipelined dashed violet, taken
// back dashed grey and crossed.

import { frame } from "../../debugger/map/strokes.js";

/** Those whose pods aren't on the node. */
const TRIED = ["open", "pipelined", "back"];
const WASHES = { open: "placed", pipelined: "nominated" };
const DASH = [4, 3];

export function isTried({ fate }) {
  return TRIED.includes(fate);
}

export function paintTried(context, box, { pod, fate }, scene) {
  const { palette } = scene;
  const colour = palette[WASHES[fate] ?? "muted"];
  context.fillStyle = palette.panel;
  context.fillRect(box.x, box.y, box.w, box.h);
  if (WASHES[fate]) {
    context.globalAlpha = 0.1 * scene.alpha;
    context.fillStyle = colour;
    context.fillRect(box.x, box.y, box.w, box.h);
    context.globalAlpha = scene.alpha;
  } else strikeThrough(context, box, palette.faint);
  frame(context, box, colour, 1.5, DASH);
  if (scene.pod === pod) frame(context, box, palette.ink, 2);
}

/** From corner to corner: what was tried there is no longer. */
function strikeThrough(context, { x, y, w, h }, colour) {
  context.strokeStyle = colour;
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x + w, y + h);
  context.stroke();
}

/** The most telling colour and dash for a tile too small for blocks, or null. */
export function tileOutline(pods, fates, palette) {
  const has = (fate) => pods.some((pod) => fates.get(pod) === fate);
  if (has("pipelined")) return palette.nominated;
  if (has("open")) return palette.placed;
  return has("back") ? palette.muted : null;
}
