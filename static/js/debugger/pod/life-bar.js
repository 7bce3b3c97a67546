// A pod's life as one bar: its stages by pattern and colour, its attempts above, how long each stage lasted below.

import { partWords } from "../../decisions/queue-words.js";
import { h } from "../../drawing/dom.js";
import { lifeUntil, totals } from "./pod-life.js";
import { clock, lasting, plural } from "../words/units.js";

/** An attempt may take less, in milliseconds, than is told of a wait. */
const SHORT = 50;

/** The bar of a pod by index up to the instant `now`; `latest`: when it is tried again without an event, or null. */
export function drawLife(log, pod, now, latest = null) {
  const { stages, attempts } = lifeUntil(log, pod, now);
  if (!stages.length) return null;
  const start = stages[0].from;
  const share = (time) => `${((time - start) / Math.max(1, now - start)) * 100}%`;
  const cameLater = start > log.fold.timeOf(log.fold.base);
  return h(
    "section",
    { class: "pod-life" },
    h("h3", {}, "Its life", h("span", { class: "muted" }, wordsOf(attempts, latest))),
    drawAttempts(attempts, share),
    drawStages(stages, share),
    h("p", { class: "life-ends" }, h("span", {}, `${clock(start)} ${cameLater ? "added" : "start"}`), h("span", {}, "now")),
    drawLegend(stages),
  );
}

function drawAttempts(attempts, share) {
  const mark = ({ time, placed }) => {
    const said = placed ? { class: "is-placed" } : { class: "has-failed" };
    return h("span", { ...said, style: { left: share(time) } }, placed ? "→" : "✕");
  };
  return h("div", { class: "life-attempts", aria: { hidden: true } }, attempts.map(mark));
}

function drawStages(stages, share) {
  const words = totals(stages).map(([stage, time]) => stageWords(stage, time));
  const label = `since ${clock(stages[0].from)}: ${words.join(", ")}`;
  const bars = stages.map(({ stage, from, to }) => {
    const title = `${partWords(stage)} ${clock(from)} to ${clock(to)}`;
    const style = { left: share(from), right: `calc(100% - ${share(to)})` };
    return h("i", { class: `stage-${stage}`, title, style });
  });
  return h("div", { class: "life-bar", role: "img", aria: { label } }, bars);
}

/** The label of the bar says the same to those who don't see it. */
function drawLegend(stages) {
  const keys = totals(stages).map(([stage, time]) =>
    h("span", {}, h("i", { class: `swatch stage-${stage}` }), stageWords(stage, time)),
  );
  return h("p", { class: "legend-line", aria: { hidden: true } }, keys);
}

function stageWords(stage, time) {
  return `${partWords(stage)} ${time < SHORT ? "under 0.1 s" : lasting(time)}`;
}

function wordsOf(attempts, latest) {
  const failed = attempts.filter(({ placed }) => !placed).length;
  const tried = failed > 0 && `✕ ${plural(failed, "failed attempt")}`;
  const next = latest !== null && `without an event tried again at the latest ${clock(latest)}`;
  return [tried, next].filter(Boolean).join("; ");
}
