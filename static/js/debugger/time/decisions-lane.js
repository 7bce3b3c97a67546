// The lane of decisions: columns as on every time line, with words where decisions stand far apart.

import { bucketsOf } from "./buckets.js";
import { BELOW, paintColumns } from "./columns.js";
import { WORDY } from "./cards.js";

const COLUMN = 5;

export const decisionsLane = {
  key: "decisions",
  group: "decisions",
  height: 30,

  head: () => ({ label: "decisions", value: "placed, failed, ▼ evicts" }),

  paint(context, scene, { top, height, isFolded }) {
    const { figures, palette, width } = scene;
    const columns = Math.max(1, Math.floor(width / COLUMN));
    const buckets = bucketsOf(figures, scene.binsOf(columns)).filter(({ tones }) => isTold(tones));
    const step = width / columns;
    const base = top + height - (isFolded ? 1 : BELOW);
    paintColumns(context, palette, buckets, { step, top, base });
    if (!isFolded) buckets.forEach((bucket, i) => words(context, scene, { bucket, step, next: buckets[i + 1], top }));
  },
};

/** Whether a scheduler decided something; what else happens has a lane of its own. */
function isTold(tones) {
  return tones.slice(0, 4).some((number) => number > 0);
}

/** What the only decision of a column says, if the next one is far enough. */
function words(context, scene, { bucket: { place, from, to, tones }, step, next, top }) {
  const x = (place + 1) * step + 3;
  const room = (next ? next.place * step : scene.width) - x;
  const told = tones.slice(0, 4).reduce((sum, number) => sum + number, 0);
  if (room < WORDY || told > 1) return;
  const { pod, mark, words: said, node } = scene.briefOf(scene.firstTold(from, to));
  context.font = `10px ${scene.palette.font}`;
  context.fillStyle = scene.palette.muted;
  context.textAlign = "left";
  context.textBaseline = "top";
  const lines = [pod.slice(pod.indexOf("/") + 1), [mark, said, node].filter(Boolean).join(" ")];
  lines.forEach((line, i) => context.fillText(scene.fitting(context, line, room - 6), x, top + i * 11));
}
