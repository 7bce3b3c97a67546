// The jobs' dominant shares over the sessions: a line each, paler from the reader's session on.

import { jobName } from "../../job-names.js";
import { groupRows } from "./rows.js";
import { h, svg } from "../../drawing/dom.js";
import { plural } from "../../debugger/words/units.js";

const DASHES = ["", "5 3", "2 2", "8 3 2 3"];
const LETTER = 6.3,
  LINE = 12;

/**
 * The lines to draw, those with the largest shares: [{job, queue, points: [[session's place, share]]}], each point
 * valid until the next. `last`: the place of the last session.
 */
export function linesOf(sessions, fold, most, chosen = null) {
  const groups = groupRows(fold);
  const lines = [...sessions.shares].map(([job, points]) => ({
    job,
    queue: groups.get(job)?.queue ?? "",
    points,
    highest: Math.max(...points.map(([, share]) => share)),
  }));
  const first = (a, b) => Number(b.job === chosen) - Number(a.job === chosen) || b.highest - a.highest || (a.job < b.job ? -1 : 1);
  return lines.sort(first).slice(0, most);
}

/** The share at a session, null before the first that knows it. */
export function shareAt(points, place) {
  return points.findLast(([at]) => at <= place)?.[1] ?? null;
}

/** `look`: {width, height, most, chosen: the job to stress, onJob(job)}. */
export function drawShares({ sessions, fold, colours, at }, { width, height, most, chosen, onJob }) {
  const lines = linesOf(sessions, fold, most, chosen);
  if (!lines.length) return null;
  const last = sessions.all.findLastIndex(({ last: close }) => close !== null);
  const names = lines.map(({ job }) => jobName(job.slice(job.indexOf("/") + 1)));
  const side = Math.min(width * 0.4, Math.max(...names.map((name) => name.length)) * LETTER + 14);
  const frame = { left: 32, top: 6, right: width - side - 4, bottom: height - 18 };
  const highest = Math.max(...lines.map((line) => line.highest)) || 1;
  const x = (place) => frame.left + (last > 0 ? place / last : 0.5) * (frame.right - frame.left);
  const y = (share) => frame.bottom - (share / highest) * (frame.bottom - frame.top);
  const now = Math.max(0, Math.min(sessions.placeAt(at), last));
  const labels = placed(lines.map(({ points }) => y(shareAt(points, last) ?? 0)), frame);
  return h(
    "figure",
    { class: "share-chart" },
    svg(
      "svg",
      { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": wordsOf(lines, last) },
      [0, highest / 2, highest].map((share) => gridLine(frame, y(share), share)),
      lines.map((line) => drawLine(line, { x, y, last, now, colours, isChosen: line.job === chosen })),
      svg("line", { class: "share-now", x1: x(now), x2: x(now), y1: frame.top, y2: frame.bottom }),
      ...[...new Set([0, now, last])].map((place) => text(x(place), height - 4, sessions.all[place].number, "middle")),
      lines.map((line, i) =>
        svg(
          "text",
          { class: `share-name${line.job === chosen ? " is-chosen" : ""}`, x: frame.right + 5, y: labels[i] + 3, onclick: () => onJob(line.job) },
          clipped(names[i], side),
        ),
      ),
    ),
  );
}

/** The same for who doesn't see: "ml/bert 0.5, ml/gpt 0; of 3 sessions" */
export function wordsOf(lines, last) {
  const said = lines.map(({ job, points }) => `${jobName(job)} ${rounded(shareAt(points, last) ?? 0)}`);
  return `Dominant shares after ${plural(last + 1, "session")}: ${said.join(", ")}`;
}

function gridLine({ left, right }, y, share) {
  return [
    svg("line", { class: "share-grid", x1: left, x2: right, y1: y, y2: y }),
    text(left - 4, y + 4, rounded(share), "end"),
  ];
}

function drawLine({ queue, points }, { x, y, last, now, colours, isChosen }) {
  const { colour, round } = colours.lookOf(queue) ?? { colour: 0, round: 0 };
  const props = {
    class: `share-line line-${colour + 1}${isChosen ? " is-chosen" : ""}`,
    "stroke-dasharray": DASHES[(colour + round) % DASHES.length] || null,
  };
  const until = (from, to) => {
    const inner = points.filter(([place]) => place > from && place <= to);
    const start = shareAt(points, from);
    const all = [...(start === null ? [] : [[from, start]]), ...inner];
    if (all.length && all.at(-1)[0] < to) all.push([to, all.at(-1)[1]]);
    return all.map(([place, share]) => `${x(place).toFixed(1)},${y(share).toFixed(1)}`).join(" ");
  };
  if (last === 0) return svg("circle", { ...props, cx: x(0), cy: y(points[0][1]), r: 2.5 });
  return [
    svg("polyline", { ...props, points: until(0, now) }),
    svg("polyline", { ...props, class: `${props.class} is-to-come`, points: until(now, last) }),
  ];
}

/** Heights of labels that don't cover each other, as near to their lines as can be. */
export function placed(heights, { top, bottom }) {
  const order = heights.map((_, i) => i).sort((a, b) => heights[a] - heights[b]);
  const found = [];
  let next = top;
  for (const i of order) {
    found[i] = Math.max(heights[i], next);
    next = found[i] + LINE;
  }
  let limit = bottom;
  for (const i of [...order].reverse()) {
    found[i] = Math.min(found[i], limit);
    limit = found[i] - LINE;
  }
  return found;
}

function text(x, y, words, anchor) {
  return svg("text", { class: "share-tick", x, y, "text-anchor": anchor }, String(words));
}

/** Two digits that say something, however small the share is of a large cluster. */
function rounded(share) {
  return Number(share.toPrecision(2));
}

function clipped(name, width) {
  const most = Math.floor((width - 8) / LETTER);
  if (name.length <= most) return name;
  const head = Math.ceil((most - 1) / 2);
  return `${name.slice(0, head)}…${name.slice(name.length - (most - 1 - head))}`;
}
