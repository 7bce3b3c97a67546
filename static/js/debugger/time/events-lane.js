// The lane of events: pods that arrive and go, nodes that come, change or go. Where there is room, with a name.

import { EVENTS } from "./series.js";
import { WORDY } from "./cards.js";

const COLUMN = 9;
const GLYPHS = { arrives: "▲", gone: "◆", node: "✕" };
const COLOURS = { arrives: "muted", gone: "ink", node: "unsched" };
/** Of several in a column the rarest shows. */
const RAREST = [...EVENTS].reverse();

export const eventsLane = {
  key: "events",
  group: "events",
  height: 19,

  head: () => ({ label: "events", value: EVENTS.map((name) => `${GLYPHS[name]} ${name}`).join(" ") }),

  paint(context, scene, { top, height, isFolded }) {
    const { palette, width } = scene;
    const found = eventsOf(scene);
    context.font = `${isFolded ? 8 : 10}px ${palette.font}`;
    context.textBaseline = "middle";
    found.forEach(({ x, name, seq }, i) => {
      context.fillStyle = palette[COLOURS[name]];
      context.textAlign = "center";
      context.fillText(GLYPHS[name], x, top + height / 2);
      const room = Math.min(found[i + 1]?.x ?? width, width) - x;
      if (isFolded || room < WORDY || seq === null) return;
      const words = scene.fitting(context, scene.nameOf(seq), room - 16);
      context.textAlign = "left";
      context.fillText(words, x + 8, top + height / 2);
    });
  },
};

/** A mark a column with events: {x, name, seq: the event's decision if there is only one}. */
function eventsOf({ series, binsOf, scale, axis, width }) {
  const columns = Math.max(1, Math.floor(width / COLUMN));
  return binsOf(columns).flatMap(({ place, from, to }) => {
    const name = RAREST.find((one) => series.eventsWithin(one, from, to));
    if (!name) return [];
    const all = EVENTS.reduce((sum, one) => sum + series.eventsWithin(one, from, to), 0);
    const seq = all === 1 ? firstWith(series, name, from, to) : null;
    const x = seq === null ? (place + 0.5) * (width / columns) : scale.x(axis.placeOf({ at: seq, time: null }));
    return [{ x, name, seq }];
  });
}

/** The first decision with an event; there is one. */
function firstWith(series, name, from, to) {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (series.eventsWithin(name, from, middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
