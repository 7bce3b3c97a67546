// The heads of the map's groups: the name, how many nodes, and to the right why none of them takes the pod, as far as there
// is room.

import { count } from "../words/units.js";

const GAP = 18;

/** `headers`, `header`: the layout's; `saysOf(header)`: what is said of its nodes, in parts; `isOld`: not of this decision. */
export function paintHeads(context, { headers, header }, viewport, palette, { saysOf, isOld }) {
  context.font = `12px ${palette.font}`;
  context.textBaseline = "alphabetic";
  const above = Math.min(6, header / 4);
  for (const one of headers) {
    const at = viewport.toScreen({ x: one.x, y: one.y, w: one.w, h: header });
    if (!viewport.sees({ ...at, w: viewport.width })) continue;
    const base = at.y + at.h - above;
    context.textAlign = "left";
    context.fillStyle = palette.muted;
    context.fillText(one.name, at.x, base);
    const after = at.x + context.measureText(`${one.name}  `).width;
    context.fillStyle = palette.faint;
    context.fillText(count(one.count), after, base);
    const from = after + context.measureText(count(one.count)).width + GAP;
    const to = Math.min(at.x + at.w, viewport.width - 2);
    const says = fitting(saysOf(one), (words) => context.measureText(words).width <= to - from);
    if (!says) continue;
    context.textAlign = "right";
    context.fillStyle = palette.muted;
    const { globalAlpha } = context;
    if (isOld) context.globalAlpha = globalAlpha * 0.4;
    context.fillText(says, to, base);
    context.globalAlpha = globalAlpha;
  }
  context.textAlign = "left";
}

/** As many of the first parts as fit; "" for none. */
export function fitting(parts, fits) {
  for (let many = parts.length; many > 0; many--) {
    const words = parts.slice(0, many).join(", ");
    if (fits(words)) return words;
  }
  return "";
}
