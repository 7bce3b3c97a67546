// The labels of an axis on a canvas.

/** The room for labels, above what is drawn along the axis, and for each of them. */
export const LABELS = 14;
const LABEL = 84;

/** Labels with a line down to `bottom` each. */
export function paintTicks(context, palette, { axis, span, scale, bottom, lines = true }) {
  context.font = `10px ${palette.font}`;
  context.textAlign = "center";
  context.textBaseline = "top";
  for (const { value, label } of axis.ticks(span, Math.floor(scale.width / LABEL))) {
    const x = Math.round(scale.x(value));
    context.fillStyle = palette.line;
    if (lines) context.fillRect(x, LABELS, 1, bottom - LABELS);
    const half = context.measureText(label).width / 2;
    context.fillStyle = palette.muted;
    context.fillText(label, Math.max(half, Math.min(x, scale.width - half)), 1);
  }
}
