// The marks of why a pod fits on no node, as shapes: filled for lack of room, the larger the nearer; hollow where something
// else refuses, dashed if there is no room either; a crossed circle for a cordoned node. The snapshot's map has the same
// (templates/snapshots/why_body.html), and the legend (why.css).

/** Of the mark's box of 11, how large the square is. */
const SIZES = { fits: 10, near: 10, middle: 7, far: 3 };
const BOX = 11;

/** Paint the mark of a kind into a box; of a node that nobody asked about none. */
export function paintMark(context, { x, y, w, h }, kind, palette) {
  const size = Math.min(w, h);
  const [left, top] = [x + (w - size) / 2, y + (h - size) / 2];
  if (kind in SIZES) {
    const side = Math.max(1.5, (size * SIZES[kind]) / BOX);
    const { globalAlpha } = context;
    if (kind === "middle") context.globalAlpha = globalAlpha * 0.75;
    context.fillStyle = kind === "fits" ? palette.placed : palette.preempt;
    context.fillRect(left + (size - side) / 2, top + (size - side) / 2, side, side);
    context.globalAlpha = globalAlpha;
  } else if (kind === "cordoned") paintCordoned(context, left + size / 2, top + size / 2, (size * 4.5) / BOX, palette);
  else if (kind) paintHollow(context, left, top, size, kind === "closed-full", palette);
}

function paintHollow(context, x, y, size, isFull, palette) {
  const inset = size / BOX + 0.5;
  context.strokeStyle = isFull ? palette.wait : palette.muted;
  context.lineWidth = 1;
  context.setLineDash(isFull ? [2, 1.5] : []);
  context.strokeRect(x + inset, y + inset, Math.max(1, size - 2 * inset), Math.max(1, size - 2 * inset));
  context.setLineDash([]);
}

function paintCordoned(context, x, y, radius, palette) {
  const reach = radius * 0.69;
  context.strokeStyle = palette.unsched;
  context.lineWidth = 1.3;
  context.beginPath();
  context.arc(x, y, radius, 0, Math.PI * 2);
  context.moveTo(x - reach, y - reach);
  context.lineTo(x + reach, y + reach);
  context.stroke();
}
