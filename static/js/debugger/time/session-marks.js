// Sessions on the time line: where each begins and ends, with its number where there is room. Pure but for the painting.

import { Scale, wholeOf } from "./span.js";
import { count } from "../words/units.js";

/** Sessions whose marks would lie nearer to one another, in pixels, share one. */
const APART = 4;
/** Between a mark and its number, and between two of what is drawn. */
const GAP = 3;
const HEIGHT = 10;

/**
 * The sessions that a span shows: [{number, left, right}] in pixels, of crowded ones the first; `sessions`: those of the log
 * (sessions.js), `head`: its last decision.
 */
export function sessionMarks(sessions, axis, scale, head) {
  const marks = [];
  for (const { number, first, last } of sessions) {
    const { from, to } = axis.spanOf(first, last ?? head);
    const [left, right] = [scale.x(from), scale.x(to)];
    if (right < 0 || left > scale.width) continue;
    const before = marks.at(-1);
    if (before && left - before.left < APART) before.right = Math.max(before.right, right);
    else marks.push({ number, left, right });
  }
  return marks;
}

/** "session 7", "sessions 7 to 9" of the decisions from one to another; "" where there is none. */
export function sessionWords(sessions, from, to) {
  const [first, last] = [from, to].map((seq) => sessions.at(seq)?.number);
  if (last === undefined) return "";
  const known = first ?? sessions.all[0].number;
  return known === last ? `session ${count(last)}` : `sessions ${count(known)} to ${count(last)}`;
}

/** A line where each session begins, from top to bottom, with its number at the top. */
export function paintSessionLines(context, palette, marks, { top, bottom, width }) {
  context.fillStyle = palette["line-strong"];
  for (const { left } of marks) context.fillRect(Math.round(left), top, 1, bottom - top);
  paintNumbers(context, palette, marks, { y: top, width });
}

/** A block for each session, with its number. */
export function paintSessionBlocks(context, palette, marks, { top, height, width }) {
  context.strokeStyle = palette.muted;
  context.fillStyle = palette.sunken;
  context.lineWidth = 1;
  marks.forEach(({ left, right }, i) => {
    const end = Math.min(Math.max(right, left + 2), (marks[i + 1]?.left ?? width) - 1);
    const box = [Math.round(left) + 0.5, top + 0.5, Math.max(1, Math.round(end - left) - 1), height - 1];
    context.fillRect(...box);
    context.strokeRect(...box);
  });
  paintNumbers(context, palette, marks, { y: top + (height - HEIGHT) / 2, width });
}

/** The numbers of the sessions that have room for it before the next one; light behind them, so that they can be read on columns. */
function paintNumbers(context, palette, marks, { y, width }) {
  context.font = `600 9px ${palette.font}`;
  context.textAlign = "left";
  context.textBaseline = "top";
  marks.forEach(({ number, left }, i) => {
    const [words, from] = [count(number), Math.max(0, left) + GAP];
    const wide = context.measureText(words).width;
    if (from + wide + GAP > (marks[i + 1]?.left ?? width)) return;
    context.fillStyle = palette.panel;
    context.fillRect(from - 1, y, wide + 2, HEIGHT);
    context.fillStyle = palette.ink;
    context.fillText(words, from, y + 1);
  });
}

/** The lane of sessions, where a clock moves. */
export const sessionsLane = {
  key: "sessions",
  group: "sessions",
  height: 15,

  head({ figures: { sessions }, at }) {
    return { label: "sessions", value: sessionWords(sessions, at, at) || "none yet" };
  },

  paint(context, { figures: { sessions }, axis, scale, palette, width, log }, { top, height }) {
    const marks = sessionMarks(sessions.all, axis, scale, log.head);
    paintSessionBlocks(context, palette, marks, { top: top + 1, height: height - 2, width });
  },
};

/** The marks over all of an axis that is so wide. */
export function wholeMarks(sessions, axis, width, head) {
  return sessionMarks(sessions, axis, new Scale(wholeOf(axis), width), head);
}
