// What tiles are drawn of on the canvas: hatches, frames, lines, marks, and texts that fit.

export function hatchOver(context, { x, y, w, h }, palette, colour) {
  context.fillStyle = palette.hatch(context, colour);
  context.fillRect(x, y, w, h);
}

export function loadLine(context, { x, y, w, h }, share, palette) {
  context.fillStyle = palette.line;
  context.fillRect(x, y, w, h);
  context.fillStyle = palette.faint;
  context.fillRect(x, y, w * Math.min(1, share), h);
}

export function cordon(context, x, y, palette) {
  context.strokeStyle = palette.muted;
  context.lineWidth = 1.25;
  context.beginPath();
  context.arc(x, y, 3.5, 0, Math.PI * 2);
  context.moveTo(x - 2.5, y + 2.5);
  context.lineTo(x + 2.5, y - 2.5);
  context.stroke();
}

/** From corner to corner. */
export function cross(context, { x, y, w, h }, colour, width) {
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.beginPath();
  context.moveTo(x + 1, y + 1);
  context.lineTo(x + w - 1, y + h - 1);
  context.moveTo(x + w - 1, y + 1);
  context.lineTo(x + 1, y + h - 1);
  context.stroke();
}

export function outline(context, { x, y, w, h }, colour, width, dash = []) {
  context.setLineDash(dash);
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.beginPath();
  context.roundRect(x + 0.5, y + 0.5, w - 1, h - 1, Math.min(4, w / 6));
  context.stroke();
  context.setLineDash([]);
}

export function frame(context, { x, y, w, h }, colour, width, dash = []) {
  const inset = width / 2;
  context.setLineDash(dash);
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.strokeRect(x + inset, y + inset, Math.max(0.5, w - width), Math.max(0.5, h - width));
  context.setLineDash([]);
}

export function grow({ x, y, w, h }, by) {
  return { x: x - by, y: y - by, w: w + 2 * by, h: h + 2 * by };
}

/**
 * As much of a text as fits, with an ellipsis in the middle so that its end stays readable: at least its last
 * `end` letters if they fit.
 */
export function clipText(context, text, width, end = 0) {
  if (context.measureText(text).width <= width) return text;
  for (let keep = text.length - 1; keep > 2; keep--) {
    const head = Math.max(0, Math.min(Math.ceil(keep * 0.4), keep - end));
    const shorter = `${text.slice(0, head)}…${text.slice(text.length - (keep - head))}`;
    if (context.measureText(shorter).width <= width) return shorter;
  }
  return "";
}
