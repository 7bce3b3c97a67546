// The candidates of a preemption: one row each, best first, folded by the criterion at which they lost. The
// criteria are the columns, and the cell where a candidate lost is marked.

import { h } from "./dom.js";
import { nodeLink } from "./node-link.js";
import { criteriaOf, releaseOf } from "./release.js";
import { count } from "./units.js";

/** Up to so many candidates all are shown; of more, so many of each group until it is unfolded. */
const ALL = 12,
  FIRST = 2;
const OFFSET = 2 ** 31;

/** The chosen one first, then those that held out longest. */
export function inOrder(candidates, nominated, release = releaseOf()) {
  const held = ({ node, lost_at }) =>
    node === nominated ? 99 : criteriaOf(release).findIndex(({ key }) => key === lost_at);
  return [...candidates].sort((a, b) => held(b) - held(a) || (a.node < b.node ? -1 : 1));
}

/**
 * Those that lost, by the criterion at which they did, the closest rivals first: [{key, label, lost, candidates}].
 * `lost` counts all of them; the log may hold fewer.
 */
export function lostGroups({ candidates, eliminated, nominated, best }, release = releaseOf()) {
  const rivals = inOrder(candidates, nominated, release).filter(({ node }) => node !== nominated);
  const equals = Math.max(0, best.length - 1);
  return criteriaOf(release, candidates)
    .map(({ key, label }) => ({
      key,
      label,
      lost: eliminated[key] ?? (key === "name" ? equals : 0),
      candidates: rivals.filter(({ lost_at: lost }) => lost === key),
    }))
    .filter(({ lost }) => lost > 0)
    .reverse();
}

/** A criterion's figure as shown. The sum weighs 2^31 for each victim, which is why it counts heads first. */
export function figure(candidate, key) {
  if (key === "name") return candidate.lost_at === "name" ? "equal" : candidate.lost_at ? "" : "taken";
  if (key === "earliest_start")
    return candidate.earliest_start
      ? candidate.earliest_start.replace("T", " ").replace("Z", "").slice(5, 16).replace("-", "\u2011")
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

/** `unfolded`: the keys of the groups that the reader has unfolded; it is kept up to date. */
export function drawCandidates({ preemption }, { release, names, selected, unfolded, onNode }) {
  const { candidates, candidate_count: all, nominated, best } = preemption;
  const criteria = criteriaOf(release, candidates);
  const columns = criteria.filter(({ key }) => key !== "name" || best.length > 1);
  const drawRow = (candidate) => {
    const { node } = candidate;
    const kind = [node === nominated && "win", node === selected && "picked"].filter(Boolean).join(" ");
    return h(
      "tr",
      { class: kind || null },
      h("th", { scope: "row" }, nodeLink(names, node, onNode, { pressed: node === selected })),
      columns.map(({ key }) => cell(candidate, key, criteria)),
    );
  };
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
            h("th", { scope: "col" }, "node"),
            columns.map(({ label }) => h("th", { scope: "col", class: "num" }, label)),
          ),
        ),
        h("tbody", {}, candidates.filter(({ node }) => node === nominated).map(drawRow)),
        lostGroups(preemption, release).map((group) =>
          drawGroup(group, { isFew: all <= ALL, unfolded, drawRow, selected, width: columns.length + 1 }),
        ),
      ),
    ),
    all > candidates.length &&
      h(
        "p",
        { class: "muted small" },
        `The log holds the ${count(candidates.length)} that came farthest of ${count(all)}.`,
      ),
  ];
}

/** The group's head, its first rows, and the others once they are unfolded. */
function drawGroup({ key, label, lost, candidates }, { isFew, unfolded, drawRow, selected, width }) {
  const words = key === "name" ? "equal, not taken" : `lost by ${label}`;
  const first = isFew ? candidates : candidates.slice(0, FIRST);
  const others = candidates.slice(first.length);
  if (others.some(({ node }) => node === selected)) unfolded.add(key);
  const rows = h("tbody", {}, others.map(drawRow));
  const more = h("button", { type: "button", class: "link", aria: { label: `all that ${words}` } });
  const draw = () => {
    rows.hidden = !unfolded.has(key);
    more.textContent = rows.hidden ? `${count(others.length)} more` : "fewer";
    more.setAttribute("aria-expanded", String(!rows.hidden));
  };
  more.onclick = () => {
    if (!unfolded.delete(key)) unfolded.add(key);
    draw();
  };
  draw();
  const head = h("th", { colspan: width, scope: "rowgroup" }, `${words}: ${count(lost)}`, others.length > 0 && more);
  return [h("tbody", {}, h("tr", { class: "lost-by" }, head), first.map(drawRow)), others.length > 0 && rows];
}

function cell(candidate, key, criteria) {
  const placeOf = (wanted) => criteria.findIndex((criterion) => criterion.key === wanted);
  const lost = candidate.lost_at ? placeOf(candidate.lost_at) : 99;
  const place = placeOf(key);
  const state = place === lost ? " cut" : place > lost ? " after" : "";
  const mark = place === lost && key !== "name" ? h("span", { class: "visually-hidden" }, " lost here") : null;
  return h("td", { class: `num${state}`, title: exactFigure(candidate, key) }, figure(candidate, key), mark);
}
