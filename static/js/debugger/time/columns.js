// Columns of decisions on a canvas: a column's height says how many nodes could take the pod, its colour and pattern how
// the decisions ended; ticks below mark preemptions.

import { TONES } from "../../decisions/figures.js";

const LEAST = 4,
  UNKNOWN = 0.3;
/** The room for ticks below the columns. */
export const BELOW = 9;

/** `places`: {step: a column's width in pixels, top, base: between which they stand}. */
export function paintColumns(context, palette, buckets, { step, top, base }) {
  const w = Math.max(1, step - (step > 3 ? 1.5 : 0.5));
  for (const bucket of buckets) paintColumn(context, palette, bucket, { x: bucket.place * step, w, top, base });
}

function paintColumn(context, palette, bucket, { x, w, top, base }) {
  const all = bucket.tones.reduce((sum, number) => sum + number, 0);
  const room = base - top;
  let y = base;
  if (bucket.tones[0]) {
    const fitting = Number.isNaN(bucket.fitting) ? UNKNOWN : Math.sqrt(bucket.fitting);
    const tall = LEAST + (room - LEAST) * fitting * (bucket.tones[0] / all);
    y -= tall;
    context.fillStyle = palette.placed;
    context.fillRect(x, y, w, tall);
  }
  for (const tone of [4, 3, 2, 1]) {
    if (!bucket.tones[tone]) continue;
    const tall = Math.max(3, (room * 0.62 * bucket.tones[tone]) / all);
    y = Math.max(top - 2, y - tall - 1);
    paintMark(context, palette, TONES[tone], { x, y, w, tall });
  }
  if (bucket.preemptions) paintTick(context, palette, x + w / 2, w, base);
}

function paintTick(context, palette, middle, w, base) {
  const half = Math.max(2, Math.min(3, w / 2));
  context.fillStyle = palette.preempt;
  context.beginPath();
  context.moveTo(middle - half, base + 3);
  context.lineTo(middle + half, base + 3);
  context.lineTo(middle, base + 8);
  context.fill();
}

/** Colour never stands alone: unschedulable is solid, preempting hatched, waiting an outline, others low. */
function paintMark(context, palette, tone, { x, y, w, tall }) {
  const colour = tone === "other" ? palette.muted : palette[tone];
  context.fillStyle = tone === "preempt" ? palette.hatch(context, colour) : colour;
  context.strokeStyle = colour;
  context.lineWidth = 1;
  if (tone === "other") return context.fillRect(x, y + tall - 2, w, 2);
  if (tone !== "wait") context.fillRect(x, y, w, tall);
  if (tone !== "unsched" && w > 2) context.strokeRect(x + 0.5, y + 0.5, w - 1, Math.max(1, tall - 1));
}
