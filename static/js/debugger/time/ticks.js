// The ticks of an axis on a canvas: a line each, and labels where there is room for them.

/** The room for labels, above what is drawn along the axis, and for each of them. */
export const LABELS = 14;
const LABEL = 84;
/** Between two labels. */
const GAP = 6;

/** As many ticks of a span as may have a label. */
export function ticksOf(axis, span, width) {
  return axis.ticks(span, Math.floor(width / LABEL));
}

/** A line down to `bottom` for each tick. */
export function paintTicks(context, palette, { ticks, scale, bottom }) {
  context.fillStyle = palette.line;
  for (const { value } of ticks) context.fillRect(Math.round(scale.x(value)), LABELS, 1, bottom - LABELS);
}

/** The labels that don't touch `taken`, {left, right} in pixels or null. */
export function paintLabels(context, palette, { ticks, scale, taken }) {
  context.font = `10px ${palette.font}`;
  context.textAlign = "left";
  context.textBaseline = "top";
  context.fillStyle = palette.muted;
  const wideOf = (label) => context.measureText(label).width;
  for (const { label, left } of fitting(ticks, scale, wideOf, taken)) context.fillText(label, left, 1);
}

/** The ticks' labels with their places in pixels, none on another one or on what is `taken`: [{label, left, right}]. */
export function fitting(ticks, scale, wideOf, taken = null) {
  const kept = [];
  for (const { value, label } of ticks) {
    const wide = wideOf(label);
    const left = Math.max(0, Math.min(scale.x(value) - wide / 2, scale.width - wide));
    const place = { label, left, right: left + wide };
    if (![kept.at(-1), taken].some((other) => other && touch(place, other))) kept.push(place);
  }
  return kept;
}

function touch(one, other) {
  return one.left < other.right + GAP && other.left < one.right + GAP;
}
