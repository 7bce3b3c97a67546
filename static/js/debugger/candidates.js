// The candidates of a preemption side by side: criteria as rows, nodes as columns, each node's losing cell marked.

import { h } from "./dom.js";
import { criteriaOf, releaseOf } from "./release.js";
import { count } from "./units.js";

const COLUMNS = 12;
const OFFSET = 2 ** 31;

/** The chosen one first, then those that held out longest. */
export function inOrder(candidates, nominated, release = releaseOf()) {
  const held = ({ node, lost_at }) =>
    node === nominated ? 99 : criteriaOf(release).findIndex(({ key }) => key === lost_at);
  return [...candidates].sort((a, b) => held(b) - held(a) || (a.node < b.node ? -1 : 1));
}

/** A criterion's figure as shown. The sum weighs 2^31 for each victim, which is why it counts heads first. */
export function figure(candidate, key) {
  if (key === "name") return candidate.lost_at === "name" ? "equal" : candidate.lost_at ? "" : "taken";
  if (key === "earliest_start")
    return candidate.earliest_start
      ? candidate.earliest_start.replace("T", " ").replace("Z", "").slice(5, 16)
      : "–";
  if (key !== "priority_sum") return count(candidate[key]);
  const own = candidate.victims.reduce((sum, victim) => sum + victim.priority, 0);
  return count(own);
}

export function exactFigure(candidate, key) {
  if (key === "earliest_start") return candidate.earliest_start ?? "no start time";
  if (key === "highest_priority") return firstVictimOnly(candidate);
  if (key !== "priority_sum") return null;
  const own = candidate.victims.reduce((sum, victim) => sum + victim.priority, 0);
  return candidate.priority_sum === own
    ? null
    : `compared as ${count(own)} + ${candidate.victims.length} × 2³¹ = ${count(own + candidate.victims.length * OFFSET)}`;
}

/** The first victim stands for the highest one: say so where it isn't. */
function firstVictimOnly({ victims, highest_priority: counted }) {
  const highest = Math.max(...victims.map(({ priority }) => priority));
  if (highest <= counted) return null;
  const order = "only the first victim counts, and those whose budget is broken come first";
  return `${order}; the highest has ${count(highest)}`;
}

export function drawCandidates({ preemption }, { release, selected, all, onNode, onAll }) {
  const criteria = criteriaOf(release, preemption.candidates);
  const ordered = inOrder(preemption.candidates, preemption.nominated, release);
  const shown = all ? ordered : ordered.slice(0, COLUMNS);
  const rows = criteria.filter(({ key }) => key !== "name" || preemption.best.length > 1);
  return [
    h(
      "div",
      {
        class: "scroll-x candidates",
        tabindex: "0",
        role: "region",
        aria: { label: "Candidates by criterion" },
      },
      h(
        "table",
        { class: "dense" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("td", {}),
            shown.map((candidate) =>
              h(
                "th",
                { scope: "col", class: columnClass(candidate, preemption, selected) },
                h(
                  "button",
                  {
                    type: "button",
                    class: "link",
                    aria: { pressed: candidate.node === selected },
                    onclick: () => onNode(candidate.node),
                  },
                  candidate.node,
                ),
              ),
            ),
          ),
        ),
        h(
          "tbody",
          {},
          rows.map(({ key, label }) =>
            h(
              "tr",
              {},
              h("th", { scope: "row" }, label),
              shown.map((candidate) => cell(candidate, key, criteria, preemption, selected)),
            ),
          ),
        ),
      ),
    ),
    ordered.length > shown.length &&
      h(
        "button",
        { type: "button", class: "link small", onclick: onAll },
        `${count(ordered.length - shown.length)} more candidates`,
      ),
    preemption.candidate_count > ordered.length &&
      h(
        "p",
        { class: "muted small" },
        `The log holds the ${count(ordered.length)} that came farthest of ${count(preemption.candidate_count)}.`,
      ),
  ];
}

function cell(candidate, key, criteria, preemption, selected) {
  const placeOf = (wanted) => criteria.findIndex((criterion) => criterion.key === wanted);
  const lost = candidate.lost_at ? placeOf(candidate.lost_at) : 99;
  const row = placeOf(key);
  const state = row === lost ? " cut" : row > lost ? " after" : "";
  const mark = row === lost && key !== "name" ? h("span", { class: "visually-hidden" }, " lost here") : null;
  return h(
    "td",
    {
      class: `num${state} ${columnClass(candidate, preemption, selected)}`,
      title: exactFigure(candidate, key),
    },
    figure(candidate, key),
    mark,
  );
}

function columnClass(candidate, { nominated }, selected) {
  return `${candidate.node === nominated ? "win" : ""}${candidate.node === selected ? " picked" : ""}`;
}
