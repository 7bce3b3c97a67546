// A pod's life as one bar: its stages by pattern and colour, its attempts above, how long each stage lasted below.

import { partWords } from "../kinds/queue-words.js";
import { h } from "./dom.js";
import { lifeUntil, totals } from "./pod-life.js";
import { clock, lasting, plural } from "./units.js";

/** The bar of a pod by index up to the instant `now`; `latest`: when it is tried again without an event, or null. */
export function drawLife(log, pod, now, latest = null) {
  const { stages, attempts } = lifeUntil(log, pod, now);
  if (!stages.length) return null;
  const start = stages[0].from;
  const share = (time) => (now > start ? `${((time - start) / (now - start)) * 100}%` : "0%");
  const width = (from, to) => (now > start ? `${((to - from) / (now - start)) * 100}%` : "100%");
  const lasted = totals(stages);
  return h(
    "section",
    { class: "pod-life" },
    h("h3", {}, "Its life", h("span", { class: "muted" }, wordsOf(attempts, latest))),
    h(
      "div",
      { class: "life-attempts", aria: { hidden: true } },
      attempts.map(({ time, placed }) =>
        h("span", { class: placed ? "is-placed" : "has-failed", style: { left: share(time) } }, placed ? "→" : "✕"),
      ),
    ),
    h(
      "div",
      { class: "life-bar", role: "img", aria: { label: `since ${clock(start)}: ${inWords(lasted)}` } },
      stages.map(({ stage, from, to }) =>
        h("i", { class: `stage-${stage}`, title: `${partWords(stage)} ${clock(from)} to ${clock(to)}`, style: { left: share(from), width: width(from, to) } }),
      ),
    ),
    h("p", { class: "life-ends" }, h("span", {}, `${clock(start)} ${start === log.fold.timeOf(log.fold.base) ? "start" : "added"}`), h("span", {}, "now")),
    h(
      "p",
      { class: "legend-line", aria: { hidden: true } },
      lasted.map(([stage, time]) => h("span", {}, h("i", { class: `swatch stage-${stage}` }), `${partWords(stage)} ${lasting(time)}`)),
    ),
  );
}

function wordsOf(attempts, latest) {
  const failed = attempts.filter(({ placed }) => !placed).length;
  const tried = failed ? `✕ ${plural(failed, "failed attempt")}` : "";
  const next = latest === null || latest === undefined ? "" : `without an event tried again at the latest ${clock(latest)}`;
  return [tried, next].filter(Boolean).join("; ");
}

function inWords(lasted) {
  return lasted.map(([stage, time]) => `${partWords(stage)} ${lasting(time)}`).join(", ");
}
