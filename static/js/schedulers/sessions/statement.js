// A job's statement: what becomes of its pods at the reader's decision, and what was tried before it is settled. Pure.
//
//   open        tried on a node, nothing is promised        back       taken back by this decision
//   pipelined   waits for room that is to be freed          committed  bound by this decision
//   victim      is to go, if the statement is committed

import { openTasks, settledTasks } from "./tasks.js";
import { plural } from "../../debugger/words/units.js";

/** So many pods are named. */
const NAMED = 3;

/** What each fate is called, and its sign where there is no room for a word. */
export const FATES = {
  open: { word: "open", sign: "◌" },
  committed: { word: "committed", sign: "✓" },
  back: { word: "taken back", sign: "↶" },
  pipelined: { word: "pipelined", sign: "◌" },
  victim: { word: "victim", sign: "▼" },
};
const BY_STATUS = { allocated: "open", pipelined: "pipelined", evicted: "victim" };

/** The pods of open statements and of the one that `event` settles: Map(pod -> {fate, node: its index, job}). */
export function statementAt(fold, event) {
  const found = new Map();
  const put = (pod, fate, { node, job }) => found.set(pod, { fate, node: fold.nodeIndex.get(node) ?? -1, job });
  for (const [pod, task] of openTasks(fold)) put(pod, BY_STATUS[task.status] ?? "open", task);
  if (event?.kind !== "gang") return found;
  for (const [pod, task] of settledTasks(fold, fold.at)) {
    if (task.status === "evicted") continue;
    if (event.outcome === "discarded") put(pod, "back", task);
    else if (event.outcome === "committed" && fold.pods[pod].node) put(pod, "committed", task);
  }
  return found;
}

/** What a statement does on a node, in words: ["open: ml/bert-0 and 2 others", "victim: ml/etl-3"]. */
export function triedWords({ pods }, { statement }, node) {
  const byFate = new Map();
  for (const [pod, { fate, node: on }] of statement)
    if (on === node) byFate.set(fate, [...(byFate.get(fate) ?? []), `${pods[pod].namespace}/${pods[pod].name}`]);
  const named = (names) => (names.length > NAMED ? [...names.slice(0, NAMED), plural(names.length - NAMED, "other")] : names);
  return [...byFate].map(([fate, names]) => `${FATES[fate].word}: ${named(names).join(" and ")}`);
}

/** Add to the map's marks the `statement`; `fates`, Map(pod -> fate); and `tried`, Map(node -> pods that aren't on it). */
export function markStatement(fold, event, marks) {
  marks.statement = statementAt(fold, event);
  for (const [pod, { fate, node }] of marks.statement) {
    marks.fates.set(pod, fate);
    if (fate === "committed" || fate === "victim") continue;
    if (!marks.tried.has(node)) marks.tried.set(node, []);
    marks.tried.get(node).push(pod);
  }
}

/** The tries that a settling decision is about, oldest first, as far as the log's window has them; else none. */
export function triesBefore(log, { kind, seq, action, job }) {
  const tries = [];
  for (let before = seq - 1; kind === "gang" && before > log.first; before--) {
    const event = log.event(before);
    if (event?.kind !== "placement" || event.action !== action || event.job !== job) break;
    tries.unshift(event);
  }
  return tries;
}
