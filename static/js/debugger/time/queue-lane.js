// The lane of the queues' length, stacked by part: in each column as it was when most pods waited.

import { partsToShow } from "../queue/queue.js";
import { count } from "../words/units.js";

const COLUMN = 3;
/** From the bottom up. */
const STACK = ["gated", "unschedulable", "backoff", "active", "in_flight"];

export const queueLane = {
  key: "queue",
  group: "queue",
  height: 38,

  head({ series, at }) {
    const lengths = new Map([...series.lengths.keys()].map((part) => [part, series.lengthOf(part, at)]));
    const shown = partsToShow(new Map([...lengths].map(([part, number]) => [part, { length: number }])));
    const parts = shown.map((part) => lengths.get(part) ?? 0).filter((number) => number > 0);
    const sum = count(series.waiting(at));
    return { label: "queue", value: parts.length > 1 ? `${parts.map(count).join(" + ")} = ${sum}` : `${sum} wait` };
  },

  paint(context, scene, { top, height }) {
    const { series, palette, width } = scene;
    const columns = Math.max(1, Math.floor(width / COLUMN));
    const steps = stepsOf(scene, columns);
    const most = Math.max(1, ...steps.map(({ seq }) => series.waiting(seq)));
    const parts = [...STACK, ...[...series.lengths.keys()].filter((part) => !STACK.includes(part))];
    const wide = width / columns;
    for (const { place, until, seq } of steps) {
      let y = top + height;
      for (const part of parts) {
        const tall = (series.lengthOf(part, seq) / most) * (height - 2);
        if (!tall) continue;
        y -= tall;
        paintPart(context, palette, part, { x: place * wide, y, w: (until - place) * wide, tall });
      }
    }
    context.font = `10px ${palette.font}`;
    context.textAlign = "right";
    context.textBaseline = "top";
    const words = `up to ${count(most)}`;
    const room = context.measureText(words).width + 6;
    context.fillStyle = palette.panel;
    context.fillRect(width - room, top, room, 11);
    context.fillStyle = palette.muted;
    context.fillText(words, width - 2, top + 1);
  },
};

/** Where the drawn decision changes: [{place, until: the place of the next one, seq}]. */
export function stepsOf({ series, binsOf, before }, columns) {
  const steps = [{ place: 0, seq: before }];
  for (const { place, from, to } of binsOf(columns)) {
    steps.push({ place, seq: series.longest(from, to) });
    steps.push({ place: place + 1, seq: to });
  }
  return steps
    .map((step, i) => ({ ...step, until: steps[i + 1]?.place ?? columns }))
    .filter(({ place, until }) => until > place);
}

/** Hatched: back-off; ruled: gated; solid: unschedulable and, in blue, active; an outline: in flight. */
function paintPart(context, palette, part, { x, y, w, tall }) {
  const solid = { active: palette.placed, unschedulable: palette.unsched, gated: palette["line-strong"] };
  context.globalAlpha = part === "unschedulable" ? 0.55 : 1;
  context.fillStyle =
    part === "backoff" ? palette.hatch(context, palette.preempt) : (solid[part] ?? palette.nominated);
  context.fillRect(x, y, w, tall);
  context.globalAlpha = 1;
  if (part !== "backoff") return;
  context.fillStyle = palette.preempt;
  context.fillRect(x, y, w, 1);
}
