// A pod's life where a clock moves: in which part of a queue it was, on which node it ran, when it was tried and called
// back. Pure.

import { PODS, QUEUE } from "../../effects.js";
import { TRIED_FROM } from "../../decisions/queue-words.js";

const ABSENT = "absent",
  APART = "apart",
  RUNS = "runs",
  LEAVES = "leaves";
/** Where a pod is that is in no part of a queue: nowhere, in no queue, on its node, on its way out. */
export const STATES = { ABSENT, APART, RUNS, LEAVES };

/** The lives of a log's pods. */
export class Lives {
  constructor(log) {
    this.log = log;
    this.known = new Map();
  }

  /**
   * {stretches: [{seq, state, node}] from the first state on, attempts: [seq], recalls: [seq]}. A state is a part of a
   * queue or one of STATES; a stretch lasts till the next one begins. Recalls are the decisions about others by which
   * the pod is to be tried again. Only decisions that came since are read.
   */
  of(pod) {
    const { log } = this;
    if (!this.known.has(pod)) this.known.set(pod, begin(log, pod));
    const life = this.known.get(pod);
    for (let seq = life.head + 1; seq <= log.head; seq++)
      if (log.tried.get(seq) && log.pod.get(seq) === pod) life.attempts.push(seq);
    for (const seq of log.fold.decisionsOn(pod, life.head + 1, log.head)) follow(life, log, pod, seq);
    life.head = log.head;
    return life;
  }
}

/**
 * {stages: [{stage, from, to}], attempts: [{seq, time, placed}]} of a pod up to the decision where the log's fold stands
 * and the instant `now`, in milliseconds: stages in their order without those that took no time; `stage` is the part of a queue, RUNS or LEAVES.
 */
export function lifeUntil(log, pod, now) {
  const { fold } = log;
  const timeOf = (seq) => fold.timeOf(seq);
  const isOver = ({ seq }) => seq <= fold.at;
  const life = log.lives.of(pod);
  const stretches = life.stretches.filter(isOver);
  const attempts = life.attempts.map((seq) => ({ seq, time: timeOf(seq), placed: log.outcomeOf(seq) === "scheduled" }));
  const stages = [];
  stretches.forEach(({ seq, state }, i) => {
    const [from, to] = [timeOf(seq), i + 1 < stretches.length ? timeOf(stretches[i + 1].seq) : Infinity];
    if (from === to || [ABSENT, APART].includes(state)) return;
    const before = stages.at(-1);
    if (before?.stage === state && before.to === from) before.to = Math.min(to, now);
    else stages.push({ stage: state, from, to: Math.min(to, now) });
  });
  return { stages, attempts: attempts.filter(isOver) };
}

/** How long each stage lasted in all, in the order of the first of each: [[stage, milliseconds]]. */
export function totals(stages) {
  const all = new Map();
  for (const { stage, from, to } of stages) all.set(stage, (all.get(stage) ?? 0) + to - from);
  return [...all];
}

function follow(life, log, pod, seq) {
  const { now } = life;
  const before = now.part;
  for (const change of log.fold.changesOf(seq)) carryOut(now, change, log.fold.pods[pod].uid);
  const isRecalled = TRIED_FROM.includes(now.part) && before !== "" && !TRIED_FROM.includes(before);
  if (isRecalled && log.pod.get(seq) !== pod) life.recalls.push(seq);
  const [state, last] = [stateOf(now), life.stretches.at(-1)];
  if (last.state !== state || last.node !== now.node) life.stretches.push({ seq, state, node: now.node });
}

/** As it was before the first decision: what nothing changes is as it is now, anything else as its first change found it. */
function begin(log, pod) {
  const { fold } = log;
  const { uid, node, terminating } = fold.pods[pod];
  const first = { there: fold.hasPod(pod), node, terminating, part: fold.placeInQueue(pod)?.part ?? "" };
  const seen = new Set();
  const note = (field, value) => {
    if (!seen.has(field)) first[field] = value;
    seen.add(field);
  };
  for (const seq of fold.decisionsOn(pod, log.first + 1, log.head))
    for (const change of fold.changesOf(seq)) lookBack(change, uid, note);
  const stretches = [{ seq: log.first, state: stateOf(first), node: first.node }];
  return { head: log.first, now: first, attempts: [], recalls: [], stretches };
}

function lookBack({ verb, table, id, list, of, old }, uid, note) {
  if (id !== uid) return;
  if (list?.startsWith(QUEUE)) return note("part", verb === "leave" ? of : "");
  if (table !== PODS) return;
  if (verb === "set") for (const field of ["node", "terminating"]) if (field in old) note(field, old[field]);
  note("there", verb !== "appear");
}

function carryOut(now, { verb, table, id, list, of, new: values }, uid) {
  if (id !== uid) return;
  if (list?.startsWith(QUEUE)) now.part = verb === "join" ? of : "";
  if (table !== PODS) return;
  if (verb === "set") for (const field of ["node", "terminating"]) if (field in values) now[field] = values[field];
  if (verb === "appear") now.there = true;
  if (verb === "vanish") now.there = false;
}

function stateOf({ there, node, terminating, part }) {
  if (!there) return ABSENT;
  if (terminating) return LEAVES;
  if (part) return part;
  return node ? RUNS : APART;
}
