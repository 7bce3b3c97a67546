// The candidates of a preemption: one row each, best first, folded by the criterion at which they lost. The
// criteria are the columns, and the cell where a candidate lost is marked.

import { h, keep } from "../../../drawing/dom.js";
import { nodeLink } from "../../names/node-link.js";
import { count } from "../../words/units.js";

/** Up to so many candidates all are shown; of more, so many of each group until it is unfolded. */
const ALL = 12,
  FIRST = 2;

/**
 * Those that lost, by the criterion at which they did, the closest rivals first:
 * [{key, label, lost, candidates}]. `lost` counts all of them; the log may hold fewer.
 */
export function lostGroups({ candidates, eliminated, best_count }, scheduler) {
  const equals = Math.max(0, best_count - 1);
  return scheduler
    .criteria(candidates)
    .map(({ key, label }) => ({
      key,
      label,
      lost: eliminated[key] ?? (key === "name" ? equals : 0),
      candidates: candidates.filter(({ lost_at: lost }) => lost === key),
    }))
    .filter(({ lost }) => lost > 0)
    .reverse();
}

/** A criterion's figure as shown: of the sum of priorities only what the victims' own make. */
export function figure(candidate, key) {
  if (key === "name") return candidate.lost_at === "name" ? "equal" : candidate.lost_at ? "" : "taken";
  if (key === "earliest_start")
    return candidate.earliest_start
      ? candidate.earliest_start.replace("T", " ").replace("Z", "").slice(5, 16).replace("-", "\u2011")
      : "–";
  return count(key === "priority_sum" ? ownSum(candidate) : candidate[key]);
}

export function exactFigure(candidate, key) {
  if (key === "earliest_start") return candidate.earliest_start ?? "no start time";
  if (key === "highest_priority") return firstVictimOnly(candidate);
  return key === "priority_sum" ? howCompared(candidate) : null;
}

/** What is added to the sum for each victim comes first in the comparison: it counts heads. */
function howCompared(candidate) {
  const { priority_sum: compared, victims } = candidate;
  const own = ownSum(candidate);
  if (compared === own) return null;
  const each = (compared - own) / victims.length;
  return `compared as ${count(own)} + ${victims.length} × ${count(each)} = ${count(compared)}`;
}

function ownSum({ victims }) {
  return victims.reduce((sum, { priority }) => sum + priority, 0);
}

/** The first victim stands for the highest one: say so where it isn't. */
function firstVictimOnly({ victims, highest_priority: counted }) {
  const highest = Math.max(...victims.map(({ priority }) => priority));
  if (highest <= counted) return null;
  const order = "only the first victim counts, and those whose budget is broken come first";
  return `${order}; the highest has ${count(highest)}`;
}

/** `unfolded`: the keys of the groups that the reader has unfolded; it is kept up to date. */
export function drawCandidates({ preemption }, { scheduler, names, selected, unfolded, onNode }) {
  const { candidates, candidate_count: all, nominated, best_count: equals } = preemption;
  const criteria = scheduler.criteria(candidates);
  const columns = criteria.filter(({ key }) => key !== "name" || equals > 1);
  const drawRow = (candidate) => {
    const { node } = candidate;
    const link = nodeLink(names, node, onNode, { pressed: node === selected });
    const kind = [node === nominated && "win", node === selected && "picked"].filter(Boolean).join(" ");
    const cells = columns.map(({ key }) => cell(candidate, key, criteria));
    return h("tr", { class: kind || null }, h("th", { scope: "row" }, link), cells);
  };
  const chosen = candidates.filter(({ node }) => node === nominated);
  const shared = { isFew: all <= ALL, unfolded, drawRow, selected, width: columns.length + 1 };
  const groups = lostGroups(preemption, scheduler).map((group) => drawGroup(group, shared));
  const left = `The log holds the ${count(candidates.length)} that came farthest of ${count(all)}.`;
  return [
    h(
      "div",
      {
        class: "scroll-x candidates",
        tabindex: "0",
        role: "region",
        aria: { label: "Candidates by criterion" },
      },
      h("table", { class: "dense" }, head(columns), h("tbody", {}, chosen.map(drawRow)), groups),
    ),
    all > candidates.length && h("p", { class: "muted small" }, left),
  ];
}

function head(columns) {
  const labels = columns.map(({ label }) => h("th", { scope: "col", class: "num" }, label));
  return h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "node"), labels));
}

/** The group's title, its first rows, and the others once they are unfolded. */
function drawGroup({ key, label, lost, candidates }, { isFew, unfolded, drawRow, selected, width }) {
  const words = key === "name" ? "equal, not taken" : `lost by ${label}`;
  const first = isFew ? candidates : candidates.slice(0, FIRST);
  const others = candidates.slice(first.length);
  if (others.some(({ node }) => node === selected)) unfolded.add(key);
  const rows = keep(h("tbody", {}, others.map(drawRow)));
  const more = others.length > 0 && foldButton(rows, { key, unfolded, label: `all that ${words}` });
  const title = h("th", { colspan: width, scope: "rowgroup" }, `${words}: ${count(lost)}`, more);
  return [h("tbody", {}, h("tr", { class: "lost-by" }, title), first.map(drawRow)), more && rows];
}

function foldButton(rows, { key, unfolded, label }) {
  const button = keep(h("button", { type: "button", class: "link", data: { key: label }, aria: { label } }));
  const draw = () => {
    rows.hidden = !unfolded.has(key);
    button.textContent = rows.hidden ? `${count(rows.childElementCount)} more` : "fewer";
    button.setAttribute("aria-expanded", String(!rows.hidden));
  };
  button.addEventListener("click", () => {
    if (!unfolded.delete(key)) unfolded.add(key);
    draw();
  });
  draw();
  return button;
}

function cell(candidate, key, criteria) {
  const placeOf = (wanted) => criteria.findIndex((criterion) => criterion.key === wanted);
  const lost = candidate.lost_at ? placeOf(candidate.lost_at) : 99;
  const place = placeOf(key);
  const state = place === lost ? " cut" : place > lost ? " after" : "";
  const mark = place === lost && key !== "name" ? h("span", { class: "visually-hidden" }, " lost here") : null;
  return h("td", { class: `num${state}`, title: exactFigure(candidate, key) }, figure(candidate, key), mark);
}
