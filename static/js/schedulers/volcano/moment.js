// What the reader's decision means for queues and jobs: the session it is in, the orders at its opening, the queue and
// the job at hand, what a statement tries, who was found no node for, whose queue is passed over. Pure.

import { byName } from "../../names.js";
import { groupRows, membersOf, queueOf, queueRows } from "./rows.js";
import { figuresOf } from "./queue-figures.js";
import { lastNotAfter } from "../sessions/sessions.js";
import { statementAt } from "../sessions/statement.js";

const NO_ORDER = { jobs: [], deciders: [] };

/** `parts`: {fold, log, figures, sessions, loads}; `event`: the decision, or null while it isn't held. */
export function momentOf(parts, event) {
  return new Moment(parts, event);
}

class Moment {
  /** @type {import("../../decisions/figures.js").Figures} */
  figures;
  /** @type {import("../../cluster.js").Cluster} */
  fold;
  /** @type {import("../../debugger/map/loads.js").Loads} */
  loads;
  /** @type {import("../../debugger/log/log.js").Log} */
  log;
  sessions;

  constructor({ fold, log, figures, sessions, loads }, event) {
    Object.assign(this, { fold, log, figures, sessions, loads, event });
    this.session = fold.at > log.first ? sessions.at(fold.at) : null;
    this.opening = this.session && log.event(this.session.first);
    this.statement = statementAt(fold, event);
    this.fates = new Map([...this.statement].map(([pod, { fate }]) => [pod, fate]));
    this.job = event?.job ?? "";
    this.overused = this.#overused();
    const named = this.opening?.queues ?? [];
    const others = [...queueRows(fold).keys()].filter((name) => !named.includes(name)).sort(byName);
    this.queues = [...named, ...others];
    this.queue = event?.queue ?? this.#lastQueue() ?? this.queues[0] ?? "";
  }

  /** Whether the session's opening is at hand; without it there are no orders. */
  get isWhole() {
    return !this.session || Boolean(this.opening);
  }

  /** A queue's jobs in the order of the session's opening, and what puts each before the next. */
  orderOf(queue) {
    const { jobs = {}, deciders = {} } = this.opening ?? {};
    if (jobs[queue]) return { jobs: jobs[queue], deciders: deciders[queue] ?? [] };
    return NO_ORDER;
  }

  /** What a statement tries for a queue, in the page's units: {tried, isBack, isPipelined}. */
  triesOf(queue, resource) {
    const { fold, loads, statement } = this;
    const counted = [...statement].filter(([pod, { fate }]) => ["open", "pipelined", "back"].includes(fate) && queueOf(fold, pod) === queue);
    return {
      tried: counted.reduce((sum, [pod]) => sum + loads.podAmount(pod, resource), 0),
      isBack: counted.some(([, { fate }]) => fate === "back"),
      isPipelined: counted.length > 0 && counted.every(([, { fate }]) => fate === "pipelined"),
    };
  }

  /** A queue's figures with what a statement tries for it (queue-figures.js), and until a session has any, what its pods take. */
  figuresOf(queue, row, resource) {
    return figuresOf(row, resource, { ...this.triesOf(queue, resource), heldNow: () => this.#heldBy(queue, resource) });
  }

  /** What a queue's pods on nodes take, in the page's units. */
  #heldBy(queue, resource) {
    const { fold, loads } = this;
    const groups = [...groupRows(fold)].filter(([, row]) => row.queue === queue).map(([group]) => group);
    const pods = groups.flatMap((group) => membersOf(fold, group)).filter((pod) => fold.pods[pod].node);
    return pods.reduce((sum, pod) => sum + loads.podAmount(pod, resource), 0);
  }

  /** The pods of a job for which this session has found no node so far, or that it passed over for that. */
  refusedOf(job) {
    const refused = new Set();
    for (const seq of this.#sofar(this.sessions.aboutJob(job))) {
      const { kind, outcome } = this.figures.endingOf(seq);
      if (kind === "placement" && outcome === "refused") refused.add(this.log.pod.get(seq));
      else if (kind === "placement" && outcome !== "skipped") refused.delete(this.log.pod.get(seq));
    }
    return refused;
  }

  /** The queues that this session has passed over so far, or a pod of theirs, since they have their share. */
  #overused() {
    const isOver = (seq) => {
      const { kind, outcome } = this.figures.endingOf(seq);
      return kind === "overused" || (outcome === "skipped" && this.log.event(seq)?.why === "queue");
    };
    const isSo = (queue) => this.#sofar(this.sessions.aboutQueue(queue)).some(isOver);
    return new Set([...this.sessions.queues.keys()].filter(isSo));
  }

  /** The queue of the last decision in this session that was about one. */
  #lastQueue() {
    let found = null;
    for (const queue of this.sessions.queues.keys()) {
      const last = this.#sofar(this.sessions.aboutQueue(queue)).at(-1) ?? 0;
      if (last > (found?.last ?? 0)) found = { queue, last };
    }
    return found?.queue ?? null;
  }

  /** Those of some decisions that lie in this session, up to the reader's. */
  #sofar(seqs) {
    if (!this.session) return [];
    const until = (seq) => lastNotAfter(seqs, seq) + 1;
    return seqs.slice(until(this.session.first - 1), until(this.fold.at));
  }
}
