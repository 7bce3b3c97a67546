// A pod's life as the time line draws it where a clock moves: in which part of a queue it was, on which node it ran, when
// it was tried and woken. Pure.

import { PODS, QUEUE } from "../../effects.js";
import { TRIED_FROM } from "../../kinds/queue-words.js";

const ABSENT = "absent",
  APART = "apart",
  RUNS = "runs",
  LEAVES = "leaves";
export const STATES = { ABSENT, APART, RUNS, LEAVES };

export class Lives {
  /** `canWake(seq)`: whether a decision wakes those whom it moves (kinds/registry.js). */
  constructor(log, canWake) {
    Object.assign(this, { log, canWake });
    this.known = new Map();
  }

  /**
   * {stretches: [{seq, state, node}] from the first state on, attempts: [seq], wakes: [seq]}. A state is a part of a
   * queue or one of STATES; a stretch lasts till the next one begins. Only decisions that came since are read.
   */
  of(pod) {
    const { log } = this;
    if (!this.known.has(pod)) this.known.set(pod, begin(log, pod));
    const life = this.known.get(pod);
    for (const seq of log.fold.decisionsOn(pod, life.head + 1, log.head)) this.#follow(life, pod, seq);
    life.head = log.head;
    return life;
  }

  /** The last decision up to `at` that woke the pod, or 0. */
  lastWake(pod, at) {
    return this.of(pod).wakes.findLast((seq) => seq <= at) ?? 0;
  }

  #follow(life, pod, seq) {
    const { log } = this;
    const isOwn = log.pod.get(seq) === pod;
    if (isOwn && log.tried.get(seq)) life.attempts.push(seq);
    const before = life.now.part;
    for (const change of log.fold.changesOf(seq)) carryOut(life.now, change, log.fold.pods[pod].uid);
    const state = stateOf(life.now);
    const isTried = TRIED_FROM.includes(life.now.part) && before !== "" && !TRIED_FROM.includes(before);
    if (isTried && !isOwn && this.canWake(seq)) life.wakes.push(seq);
    const last = life.stretches.at(-1);
    if (last.state !== state || last.node !== life.now.node)
      life.stretches.push({ seq, state, node: life.now.node });
  }
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
  return { head: log.first, now: first, attempts: [], wakes: [], stretches: [{ seq: log.first, state: stateOf(first), node: first.node }] };
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
