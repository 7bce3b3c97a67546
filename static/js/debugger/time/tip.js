// What a column of the time line says when it is pointed at. Pure.

import { clock, count, percent, plural } from "../words/units.js";
import { EVENTS } from "./series.js";

/** `timed`: {log, series} where a clock moves, else null. */
export function tipOf(bucket, timed) {
  const { from, to, tones, fitting } = bucket;
  const [placed, preempting, unschedulable, waiting, others] = tones;
  const parts = [
    placed && `${count(placed)} placed`,
    preempting && `${count(preempting)} preempting`,
    unschedulable && `${count(unschedulable)} unschedulable`,
    waiting && `${count(waiting)} waiting`,
    others && `${count(others)} of another kind`,
  ].filter(Boolean);
  const which = from === to ? `decision ${count(from)}` : `decisions ${count(from)} to ${count(to)}`;
  const when = timed ? `${clock(timed.log.fold.timeOf(from))} · ` : "";
  const fits = Number.isNaN(fitting) ? "" : ` · fits on ${percent(fitting)} of the nodes`;
  return `${when}${which}: ${parts.join(", ") || plural(0, "decision")}${fits}${timed ? happened(timed.series, from, to) : ""}`;
}

function happened(series, from, to) {
  const words = { arrives: "pod", gone: "pod", node: "node" };
  const verbs = { arrives: "arrived", gone: "gone", node: "changed" };
  const told = EVENTS.map((name) => [name, series.eventsWithin(name, from, to)]).filter(([, number]) => number);
  return told.map(([name, number]) => ` · ${plural(number, words[name])} ${verbs[name]}`).join("");
}
