// A gang as cells, one a pod: who holds a node, what became of each try, who was not tried; and how many are missing.
// Pure.

import { MARKS, nameInJob, shortReason } from "./decisions/words.js";
import { count, plural } from "../../debugger/words/units.js";

/** The states of a pod of a gang in the order in which they stand: who counts for the minimum first. `counted`: as they are summed up. */
export const STATES = {
  runs: { mark: "■", tone: "ink", words: "runs", short: "runs", counted: "on a node", holds: true },
  committed: { mark: MARKS.committed, tone: "placed", words: "bound", short: "bound", counted: "committed", holds: true },
  open: { mark: MARKS.placed, tone: "placed", words: "open", short: "open", counted: "open", holds: true },
  pipelined: { mark: MARKS.pipelined, tone: "nominated", words: "waits for room", short: "waits", counted: "pipelined", holds: true },
  back: { mark: MARKS.back, tone: "wait", words: "taken back", short: "back", counted: "taken back", holds: false },
  refused: { mark: MARKS.refused, tone: "unsched", words: "no node", short: "none", counted: "fits nowhere", holds: false },
  passed: { mark: MARKS.passed, tone: "wait", words: "passed over", short: "passed", counted: "passed over", holds: false },
  victim: { mark: MARKS.evicts, tone: "preempt", words: "to go", short: "to go", counted: "to go", holds: false },
  waits: { mark: MARKS.waits, tone: "faint", words: "not tried", short: "–", counted: "waiting", holds: false },
};
const ORDER = Object.keys(STATES);
/** A gang of more pods is drawn as one cell for all neighbours that are in the same state. */
const ONE_BY_ONE = 16;

/**
 * How a job's pods stand, in order: [{uid, name, state, node, mark, tone, words, holds}].
 *
 * `statement`: the job's tries up to the reader; `settled`: the decision that ends them if the reader has come so far;
 * `members`: its pods; `task(uid)` and `node(uid)`: what an open statement says of a pod, and on which node it is ("" for
 * none). `refusal(event)`: why a pod was passed over, in words.
 */
export function podStates({ job, members, statement, settled, task, node, refusal }) {
  const tried = new Map(statement.map((event) => [event.pod.uid, event]));
  const told = members.map((pod) => {
    const { state, node: on, note } = stateOf(pod.uid, { tried, settled, task, node, refusal });
    return { uid: pod.uid, name: nameInJob(pod, job), state, node: on, ...STATES[state], ...(note ? { words: note } : {}) };
  });
  const rank = ({ state }) => (tried.size && !STATES[state].holds && state !== "waits" ? 4 : ORDER.indexOf(state));
  const place = new Map([...tried.keys()].map((uid, i) => [uid, i]));
  const inPlace = ({ uid }) => place.get(uid) ?? -1;
  return told.sort((a, b) => rank(a) - rank(b) || inPlace(a) - inPlace(b));
}

/** {have, min, missing, words}: how far a gang is from its minimum. */
export function standing(states, min, settled) {
  const back = states.filter(({ state }) => state === "back").length;
  const have = states.filter(({ holds }) => holds).length;
  const missing = Math.max(0, min - have - back);
  const minimum = `minimum ${count(min)}`;
  if (settled?.outcome === "discarded")
    return { have, min, missing, words: `${minimum}: ${count(have + back)} had a node, ${count(missing)} more ${missing === 1 ? "was" : "were"} needed` };
  if (missing) return { have, min, missing, words: `${minimum}: ${count(missing)} more ${missing === 1 ? "is" : "are"} needed` };
  return { have, min, missing, words: `${minimum}: reached` };
}

/** Cells to draw: [{states, label, isLastNeeded}]; of a large gang neighbours in the same state are one. */
export function cellsOf(states, min) {
  const cells = [];
  const merges = states.length > ONE_BY_ONE;
  states.forEach((one, i) => {
    const last = cells.at(-1);
    if (merges && last && i !== min && last.states[0].state === one.state) last.states.push(one);
    else cells.push({ states: [one] });
  });
  let before = 0;
  const shared = sharedBegin(states.map(({ name }) => name).filter(Boolean));
  return cells.map((cell) => {
    before += cell.states.length;
    return { ...cell, label: labelOf(cell.states, shared), isLastNeeded: before === min };
  });
}

function labelOf([first, ...others], shared) {
  return others.length ? `${count(others.length + 1)} pods` : first.name.slice(shared);
}

/** How long a beginning all names share, up to a hyphen: what tells them apart is left. */
export function sharedBegin(names) {
  const [first = "", ...others] = names;
  let shared = others.length ? first.lastIndexOf("-") + 1 : 0;
  while (shared && !others.every((name) => name.startsWith(first.slice(0, shared)) && name.length > shared))
    shared = first.lastIndexOf("-", shared - 2) + 1;
  return shared;
}

function stateOf(uid, { tried, settled, task, node, refusal }) {
  const event = tried.get(uid);
  if (event) return triedState(event, settled, refusal);
  const row = task(uid);
  if (row) return { state: { allocated: "open", pipelined: "pipelined" }[row.status] ?? "victim", node: row.node };
  const on = node(uid);
  return { state: on ? "runs" : "waits", node: on };
}

function triedState(event, settled, refusal) {
  const { outcome, node: on, victims, why, reasons } = event;
  if (outcome === "refused" && why === "nodes") return { state: "refused", node: "", note: mostOf(reasons) };
  if (outcome === "refused") return { state: "refused", node: "" };
  if (outcome === "skipped") return { state: "passed", node: "", note: why === "role" ? "same role" : refusal(event) };
  if (settled?.outcome === "discarded") return { state: "back", node: on };
  if (outcome === "pipelined") {
    const note = victims.length && !settled ? `${plural(victims.length, "pod")} to go` : "";
    return { state: "pipelined", node: on, note };
  }
  return { state: settled?.outcome === "committed" ? "committed" : "open", node: on };
}

function mostOf(reasons) {
  const [most] = [...reasons].sort((a, b) => b.nodes - a.nodes);
  return most ? shortReason(most.reason) : "";
}
