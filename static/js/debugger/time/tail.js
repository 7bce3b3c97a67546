// Where no decision is on an axis that goes further: what is not decided yet is left empty, and behind a run that stopped
// it says so.

import { LABELS } from "./ticks.js";

const MARGIN = 6;

/** `isKnown`: whether nothing comes there; `words`: what is said of it. */
export function paintTail(context, palette, { axis, scale, isKnown, words, height }) {
  const x = Math.max(0, scale.x(axis.decided) + 1);
  const room = scale.width - x;
  if (room <= 1) return;
  if (!isKnown) {
    context.fillStyle = palette.panel;
    context.fillRect(x, LABELS, room, height - LABELS);
  }
  context.font = `10px ${palette.font}`;
  const wide = context.measureText(words).width;
  if (!words || wide + 2 * MARGIN > room) return;
  const y = LABELS + 8;
  context.fillStyle = palette.panel;
  context.fillRect(x + MARGIN - 2, y - 6, wide + 4, 12);
  context.fillStyle = palette.muted;
  context.textAlign = "left";
  context.textBaseline = "middle";
  context.fillText(words, x + MARGIN, y + 0.5);
}
