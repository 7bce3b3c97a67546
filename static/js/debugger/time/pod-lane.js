// The lane of one pod: its life as bars, with the attempts that failed.

import { clock } from "../words/units.js";
import { STATES } from "../pod/pod-life.js";
import { waitOf } from "../queue/queue-times.js";

const { ABSENT, APART, RUNS, LEAVES } = STATES;
const COLUMN = 3;
/** What a stretch says of itself where there is room; `from` is when it began, if that is in the run. */
const WORDS = {
  unschedulable: (_node, from) => `unschedulable${from}`,
  gated: (_node, from) => `gated${from}`,
  backoff: () => "back-off",
  [RUNS]: (node) => `runs on ${node}`,
  [LEAVES]: () => "leaves",
};
const HEADS = { backoff: "back-off", in_flight: "is tried", [ABSENT]: "isn't there", [APART]: "waits apart", [LEAVES]: "leaves" };

export function podLane(pod) {
  return {
    key: `pod-${pod}`,
    group: "pods",
    height: 20,
    pod,
    head: (scene) => headOf(scene, pod),
    paint: (context, scene, row) => paint(context, scene, row, scene.log.lives.of(pod)),
  };
}

/** Its name, and where it is at the reader's instant. */
function headOf({ fold, log, at, now, names }, pod) {
  const { namespace, name } = fold.pods[pod];
  const { state, node } = log.lives.of(pod).stretches.findLast(({ seq }) => seq <= at);
  const place = fold.placeInQueue(pod);
  const note = place && waitOf(place.part, place.row, now)?.note;
  const words = state === RUNS ? `on ${names.short(node)}` : (HEADS[state] ?? state);
  return { label: `${namespace}/${name}`, value: state === place?.part && note ? `${words}, ${note.replace(/^in |^for /, "")}` : words };
}

function paint(context, scene, { top, height, isFolded }, { stretches, attempts }) {
  const { axis, scale, width } = scene;
  const xOf = (seq) => scale.x(axis.placeOf({ at: seq, time: null }));
  const bar = { y: top + (isFolded ? 2 : 3), tall: height - (isFolded ? 4 : 6) };
  let drawn = -1;
  stretches.forEach(({ seq, state, node }, i) => {
    const x = Math.max(0, i ? xOf(seq) : 0);
    const end = i + 1 < stretches.length ? xOf(stretches[i + 1].seq) : scale.x(axis.high);
    const until = Math.min(width, end);
    // Of the many that fall onto one pixel, one is enough.
    if (until < 0 || x > width || (until - x < 0.5 && x - drawn < 0.5)) return;
    drawn = until;
    const from = seq > scene.first ? ` since ${clock(scene.fold.timeOf(seq))}` : "";
    stretch(context, scene, { state, x, w: Math.max(1, until - x), ...bar, words: isFolded ? "" : WORDS[state]?.(scene.names.short(node), from) });
  });
  if (!isFolded) attempts.filter((seq) => scene.hasFailed(seq)).reduce((last, seq) => cross(context, scene, xOf(seq), last, top + height / 2), -COLUMN);
}

function stretch(context, { palette, fitting }, { state, x, w, y, tall, words }) {
  const looks = {
    unschedulable: { fill: palette["unsched-wash"], stroke: palette.unsched, ink: palette.unsched },
    gated: { fill: palette.track, stroke: palette.wait, dash: [2, 2], ink: palette.muted },
    backoff: { fill: palette.hatch(context, palette.preempt), stroke: palette.preempt },
    active: { fill: palette["placed-wash"], stroke: palette.placed, dash: [3, 2] },
    in_flight: { fill: palette.placed, stroke: palette.placed },
    [RUNS]: { fill: palette["placed-wash"], stroke: palette.placed, ink: palette.ink },
    [LEAVES]: { fill: palette.hatch(context, palette.faint), stroke: palette.muted },
    [APART]: { fill: palette.track, stroke: palette.line },
  };
  const look = looks[state];
  if (!look) return;
  context.fillStyle = look.fill;
  context.fillRect(x, y, w, tall);
  context.strokeStyle = look.stroke;
  context.lineWidth = 1;
  context.setLineDash(look.dash ?? []);
  if (w > 2) context.strokeRect(x + 0.5, y + 0.5, w - 1, tall - 1);
  context.setLineDash([]);
  if (!words || !look.ink || w < 60) return;
  context.font = `10px ${palette.font}`;
  context.textAlign = "left";
  context.textBaseline = "middle";
  context.fillStyle = look.ink;
  context.fillText(fitting(context, words, w - 12), x + 6, y + tall / 2 + 0.5);
}

/** A failed attempt, unless it would stand on the `last` one; answers where the last one now is. */
function cross(context, { palette, width }, x, last, y) {
  if (x < 0 || x > width || x - last < COLUMN) return last;
  context.strokeStyle = palette.unsched;
  context.lineWidth = 1.75;
  context.beginPath();
  for (const by of [-3, 3]) {
    context.moveTo(x - 3, y - by);
    context.lineTo(x + 3, y + by);
  }
  context.stroke();
  return x;
}
