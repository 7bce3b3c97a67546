// What moves with the reader above the drawn time line: what lies ahead is paler, a line says where they stand, and
// where a clock moves an arrow leads from what woke a pod down to its lane.

import { clock, count } from "../words/units.js";
import { veil } from "./canvas.js";
import { LABELS } from "./ticks.js";

/** The line through everything with the decision's number or the clock beside its head; answers where that stands, {left, right}, or null. */
export function paintReader(context, { palette, reading, axis, scale, clockNow = null, labels }, height) {
  const { width } = scale;
  const here = scale.x(axis.placeOf(reading));
  veil(context, palette, clockNow === null ? scale.x(reading.at) : here, { top: labels ? LABELS : 0, width, height });
  if (here < -1 || here > width + 1) return null;
  const x = Math.round(Math.min(width - 1, Math.max(1, here)));
  context.fillStyle = palette.ink;
  context.fillRect(x - 0.75, 2, 1.5, height - 2);
  if (!labels) {
    context.beginPath();
    context.arc(Math.min(width - 3.5, Math.max(3.5, x)), 4, 3.5, 0, Math.PI * 2);
    context.fill();
    return null;
  }
  return paintLabel(context, palette, clockNow === null ? count(reading.at) : clock(clockNow), x, width);
}

function paintLabel(context, palette, words, x, width) {
  context.font = `600 10px ${palette.font}`;
  const wide = context.measureText(words).width + 8;
  const left = Math.max(0, Math.min(width - wide, x - wide / 2));
  context.fillStyle = palette.ink;
  context.beginPath();
  context.roundRect(left, 0, wide, LABELS - 1, 2);
  context.fill();
  context.fillStyle = palette.panel;
  context.textAlign = "left";
  context.textBaseline = "middle";
  context.fillText(words, left + 4, LABELS / 2);
  return { left, right: left + wide };
}

/** For each pod with a lane: from the last thing that woke it, as far as the reader has come. */
export function paintWakes(context, scene, rows) {
  for (const row of rows.filter(({ lane }) => lane.pod !== undefined)) {
    const seq = scene.wokenBy(row.lane.pod);
    const x = seq ? scene.xOf(seq) : -1;
    if (x < 0 || x > scene.width) continue;
    const isEvent = ["arrives", "gone", "node"].some((name) => scene.series.eventsWithin(name, seq, seq));
    const from = rows.find(({ lane }) => lane.key === (isEvent ? "events" : "decisions"));
    paintWake(context, scene, { x, from, to: row, words: scene.nameOf(seq) });
  }
}

function paintWake(context, { palette, width, fitting }, { x, from, to, words }) {
  const isDown = from.top < to.top;
  const start = from.top + from.height / 2;
  const end = isDown ? to.top + 2 : to.top + to.height - 2;
  const by = isDown ? -6 : 6;
  context.strokeStyle = context.fillStyle = palette.placed;
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(x, start);
  context.lineTo(x, end + by / 2);
  context.stroke();
  context.beginPath();
  context.moveTo(x, end);
  context.lineTo(x - 3.5, end + by);
  context.lineTo(x + 3.5, end + by);
  context.fill();
  context.beginPath();
  context.moveTo(x, start - 5);
  context.lineTo(x + 5, start);
  context.lineTo(x, start + 5);
  context.lineTo(x - 5, start);
  context.fill();
  paintCause(context, palette, fitting(context, words, 160), { x, y: start, width });
}

/** The cause's name on the side that has room, on its own ground. */
function paintCause(context, palette, words, { x, y, width }) {
  context.font = `600 10px ${palette.font}`;
  const wide = context.measureText(words).width;
  const left = x - wide - 10 > 0 ? x - wide - 10 : Math.min(x + 9, width - wide);
  context.fillStyle = palette.panel;
  context.fillRect(left - 2, y - 6, wide + 4, 12);
  context.fillStyle = palette.placed;
  context.textAlign = "left";
  context.textBaseline = "middle";
  context.fillText(words, left, y + 0.5);
}
