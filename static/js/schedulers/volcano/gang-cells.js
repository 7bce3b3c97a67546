// A gang in small: one cell a pod, and a thick line where its minimum is reached.

import { allMembersOf, groupRows, membersOf } from "./rows.js";
import { h } from "../../drawing/dom.js";
import { count } from "../../debugger/words/units.js";
import { STATES } from "./gang-states.js";

/** So many cells are drawn; what lies beyond is counted. */
const MOST = 16;
const COMPLETED = "Completed";

/**
 * The states of a group's pods, those that hold or were promised a node first: {cells: [[pod, state]], min, holding}.
 * `fates`: Map(pod -> fate) (statement.js); `refused`: the pods that this session found no node for.
 */
export function gangOf(fold, group, fates, refused = new Set()) {
  const rank = (state) => (STATES[state].holds ? 0 : state === "back" || state === "victim" ? 1 : 2);
  const cells = membersOf(fold, group)
    .map((pod) => [pod, stateOf(fold, pod, fates, refused)])
    .sort(([, a], [, b]) => rank(a) - rank(b));
  const holding = cells.filter(([, state]) => STATES[state].holds).length;
  const row = groupRows(fold).get(group);
  const gone = allMembersOf(fold, group).filter((pod) => isGone(fold, pod)).length;
  return { cells, min: row?.min_member ?? 0, holding, gone, isCompleted: row?.phase === COMPLETED && !holding };
}

/** Whether a pod has been on a node and is gone, not evicted: it has ended, or its job restarts and it was deleted. */
function isGone(fold, pod) {
  const { node, evicted, terminating } = fold.pods[pod];
  return Boolean(node) && !fold.hasPod(pod) && !evicted && !terminating;
}

/** "completed", "3 taken back, 4 needed", "2 of 4 needed, 2 open", "2 of 4 needed, 2 gone" */
export function gangWords({ cells, min, holding, gone = 0, isCompleted = false }) {
  const many = (wanted) => cells.filter(([, state]) => state === wanted).length;
  if (many("back")) return `${count(many("back"))} taken back, ${count(min)} needed`;
  const named = ["committed", "open", "pipelined", "victim", "refused"].filter(many);
  const told = named.map((state) => `${count(many(state))} ${STATES[state].counted}`);
  const needed = holding > min ? `${count(holding)} have room, ${count(min)} needed` : `${count(holding)} of ${count(min)} needed`;
  if (isCompleted && !told.length) return "completed";
  return [needed, ...told, ...(gone ? [`${count(gone)} gone`] : [])].join(", ");
}

/** "8 pods: 3 on a node, 5 waiting" */
export function cellWords({ cells }) {
  if (!cells.length) return "none of its pods is there";
  const told = Object.entries(STATES).map(([state, { counted }]) => {
    const number = cells.filter(([, one]) => one === state).length;
    return number && `${count(number)} ${counted}`;
  });
  return `${count(cells.length)} pods: ${told.filter(Boolean).join(", ")}`;
}

export function drawCells(gang) {
  const { cells, min } = gang;
  const shown = cells.slice(0, MOST);
  const drawn = shown.flatMap(([, state], i) => [
    i === min && i > 0 && h("i", { class: "gang-line" }),
    h("i", { class: `gang-${state}` }),
  ]);
  if (min === shown.length && min > 0) drawn.push(h("i", { class: "gang-line" }));
  const rest = cells.length - shown.length;
  return h("span", { class: "gang-cells", role: "img", aria: { label: cellWords(gang) }, title: cellWords(gang) }, drawn, rest > 0 && ` +${count(rest)}`);
}

function stateOf(fold, pod, fates, refused) {
  const fate = fates.get(pod);
  if (fate) return fate;
  const { node, nominated } = fold.pods[pod];
  if (node) return "runs";
  if (refused.has(pod)) return "refused";
  return nominated ? "pipelined" : "waits";
}
