// The decision log as the page holds it: the fold with all changes packed, a few figures of every decision
// in columns (for the time line, the stops and the totals), and some whole events, of which the least recently read
// are forgotten and read again by REST.
//
// Of a long run it holds a window (window.js): the decisions behind `first`, up to `head`, of those from `start` to
// `end`. Whatever is told of earlier decisions is told of those that are held.

import { Cluster } from "../../cluster.js";
import { Column } from "../../columns.js";
import { effectsOf } from "../../effects.js";
import { Lives } from "../pod/pod-life.js";
import { reasonCounts } from "../words/reasons.js";
import { TakenDown } from "./taken-down.js";

/** How a decision ended whose outcome isn't known here. */
const OTHER = "other";
export const OUTCOMES = [
  "scheduled",
  "nominated",
  "unschedulable",
  "gated",
  "error",
  "evicted",
  "refused",
  "skipped",
  "tainted",
  OTHER,
];
/** The number of the state before a run's first decision. */
const START = 0;
const BLOCK = 250;
const KEPT_BLOCKS = 80;
/** The priority of a decision that is about no pod. */
const LEAST = -(2 ** 31);

export class Log {
  /** `read(after, limit)` answers the decisions after a number, by REST. */
  constructor(base, read) {
    this.fold = new Cluster(base);
    this.read = read;
    /** Before the run's first decision, and its last one as far as that is known. */
    this.start = START;
    this.announced = base.at;
    this.actors = [];
    this.reasons = [];
    this.reasonNumbers = new Map();
    this.blocks = new Map();
    this.reading = new Map();
    this.roots = [];
    this.#begin(base.at);
  }

  /** Hold what follows on another state instead; events that were read stay known. */
  begin(base) {
    this.fold.begin(base);
    this.#begin(base.at);
  }

  #begin(at) {
    this.first = at;
    this.told = null;
    this.lives = new Lives(this);
    this.outcome = new Column(Uint8Array, at);
    this.pod = new Column(Int32Array, at);
    this.actor = new Column(Uint16Array, at);
    this.chosen = new Column(Int32Array, at);
    this.priority = new Column(Int32Array, at);
    this.attempt = new Column(Uint16Array, at);
    this.tried = new Column(Uint8Array, at);
    this.evictions = new Column(Uint16Array, at);
    this.repeated = new Column(Uint8Array, at);
    this.placedSoFar = new Column(Int32Array, at);
    this.evictedSoFar = new Column(Int32Array, at);
    this.deletedSoFar = new Column(Int32Array, at);
    this.takenDown = new TakenDown(this.fold);
    /** By pod: the decision that placed it, 0 for none. */
    this.placement = new Column(Int32Array);
    this.reason = new Column(Int32Array, at);
    this.lost = new Set();
    /** Decisions that found a pod gated: [{seq, pod}]. */
    this.gatings = [];
  }

  get head() {
    return this.fold.head;
  }

  /** The run's last decision, as far as it is known. */
  get end() {
    return Math.max(this.head, this.announced);
  }

  /** The stream says how many decisions the run has. */
  announce(decisions) {
    this.announced = decisions;
  }

  /** Whether the page can stand at a decision; before the first one only at the run's start. */
  holds(seq) {
    return seq <= this.head && (seq > this.first || (seq === this.first && this.isFromStart));
  }

  /** Whether no earlier decision was left out. */
  get isFromStart() {
    return this.first === this.start;
  }

  /** Take in the next decisions of the stream, in order. */
  take(decisions) {
    for (const decision of decisions) {
      this.fold.pack(decision);
      this.#note(decision);
      this.#keep(decision);
    }
  }

  /** The decision of this run that placed a pod, 0 for none. */
  placedBy(pod) {
    return this.placement.get(pod) ?? 0;
  }

  outcomeOf(seq) {
    return OUTCOMES[this.outcome.get(seq)];
  }

  /** Who took decision `seq`, by name. */
  actorOf(seq) {
    return this.actors[this.actor.get(seq)];
  }

  reasonOf(seq) {
    const number = this.reason.get(seq);
    return number > 0 ? this.reasons[number - 1] : "";
  }

  /** The whole event if the window has it, else null. */
  event(seq) {
    const block = this.blocks.get(blockOf(seq));
    if (!block) return null;
    this.blocks.delete(blockOf(seq));
    this.blocks.set(blockOf(seq), block);
    return block[seq % BLOCK] ?? null;
  }

  /** The whole event, from the window or by REST. */
  async fetch(seq) {
    const known = this.event(seq);
    if (known) return known;
    const number = blockOf(seq);
    if (!this.reading.has(number)) {
      const first = Math.max(this.start + 1, number * BLOCK);
      const reading = this.read(first - 1, number * BLOCK + BLOCK - first)
        .then((events) => events.forEach((event) => this.#keep(event)))
        .finally(() => this.reading.delete(number));
      this.reading.set(number, reading);
    }
    await this.reading.get(number);
    return this.event(seq);
  }

  /** What decision `seq` did to pods: see effects.js. */
  effectsOf(seq) {
    return effectsOf(this.fold.changesOf(seq));
  }

  /** Decisions about a pod or that change it, newest last: [{seq, what, by}]. */
  lifeOf(pod) {
    if (this.told?.pod === pod && this.told.head === this.head) return this.told.life;
    const { uid } = this.fold.pods[pod];
    const life = [];
    for (let seq = this.first + 1; seq <= this.head; seq++) {
      const by = this.pod.get(seq);
      const own = by === pod;
      if (own) life.push({ seq, what: this.outcomeOf(seq) });
      if (!this.fold.touchesPod(seq, pod)) continue;
      for (const { effect, pod: whom } of this.effectsOf(seq)) {
        if (whom !== uid) continue;
        if (effect === "arrived" && !own) life.push({ seq, what: "created" });
        else if (effect === "evicted" && !own) life.push({ seq, what: "lost", by });
        else if (effect === "nominated" && !own) life.push({ seq, what: "nomination", by });
      }
    }
    this.told = { pod, head: this.head, life };
    return life;
  }

  /** The last decision up to `until` that was an attempt at this pod, or 0. */
  lastAttempt(pod, until) {
    for (let seq = until; seq > this.first; seq--)
      if (this.tried.get(seq) && this.pod.get(seq) === pod) return seq;
    return 0;
  }

  /** The pod that this one goes back to: controllers' copies of evicted pods say which pod they replace. */
  root(pod) {
    if (this.roots[pod] === undefined) {
      const before = this.fold.podIndex.get(this.fold.pods[pod].replaces);
      this.roots[pod] = before === undefined || before === pod ? pod : this.root(before);
    }
    return this.roots[pod];
  }

  /** The other pods that go back to the same one. */
  copiesOf(pod) {
    const root = this.root(pod);
    return this.fold.pods.map((_, i) => i).filter((i) => i !== pod && this.root(i) === root);
  }

  /** Whether the pod, what it replaces, or a copy of it was evicted. */
  wasEvicted(pod) {
    return this.lost.has(this.root(pod));
  }

  /** The last decision before `seq` by which the pod, what it replaces, or a copy of it was evicted, or 0. */
  lastEviction(pod, seq) {
    if (!this.wasEvicted(pod)) return 0;
    const uids = new Set([pod, ...this.copiesOf(pod)].map((i) => this.fold.pods[i].uid));
    const isLoss = ({ effect, pod: uid }) => effect === "evicted" && uids.has(uid);
    for (let earlier = Math.min(seq - 1, this.head); earlier > this.first; earlier--)
      if (this.evictions.get(earlier) && this.effectsOf(earlier).some(isLoss)) return earlier;
    return 0;
  }

  /** How many pods wait: those in a queue or for a session, and those that a later decision finds gated. */
  get pending() {
    return this.fold.pending + this.gatedLater().size;
  }

  /** The pods that wait in no queue until a later decision finds them gated, as all are at the start of a run without a clock. */
  gatedLater() {
    const { fold, gatings } = this;
    if (!gatings.length || gatings.at(-1).seq <= fold.at) return new Set();
    const queued = new Set(fold.queues().flatMap(({ parts }) => [...parts.values()].flat().map(([pod]) => pod)));
    const waits = ({ seq, pod }) => seq > fold.at && fold.waiting.has(pod) && !queued.has(pod);
    return new Set(gatings.filter(waits).map(({ pod }) => pod));
  }

  #note(decision) {
    const { seq } = decision;
    const { fold } = this;
    const { placed, evicted, repeated } = this.#counted(decision);
    const outcome = OUTCOMES.includes(decision.outcome) ? decision.outcome : OTHER;
    this.outcome.set(seq, OUTCOMES.indexOf(outcome));
    this.pod.set(seq, fold.podIndex.get(decision.pod?.uid) ?? -1);
    if (outcome === "gated") this.gatings.push({ seq, pod: this.pod.get(seq) });
    const taken = decision.chosen || decision.nominated_after || decision.node;
    this.chosen.set(seq, fold.nodeIndex.get(taken) ?? -1);
    this.actor.set(seq, this.#actorNumber(decision.actor ?? ""));
    this.priority.set(seq, decision.pod?.priority ?? LEAST);
    this.attempt.set(seq, decision.attempt ?? 0);
    this.tried.set(seq, decision.kind === "attempt");
    this.evictions.set(seq, evicted);
    this.repeated.set(seq, repeated);
    this.#sum(this.placedSoFar, seq, placed);
    this.#sum(this.evictedSoFar, seq, evicted);
    this.#sum(this.deletedSoFar, seq, this.takenDown.count(decision));
    this.reason.set(seq, this.#reasonNumber(mainReason(decision)));
  }

  #sum(column, seq, more) {
    column.set(seq, (seq > this.first + 1 ? column.get(seq - 1) : 0) + more);
  }

  /** How many pods a decision placed and evicted, and whether one of those had been evicted before. */
  #counted({ seq, changes }) {
    const counted = { placed: 0, evicted: 0, repeated: 0 };
    for (const { effect, pod: uid } of effectsOf(changes)) {
      if (effect === "placed") {
        counted.placed++;
        this.placement.set(this.fold.podIndex.get(uid), seq);
      }
      if (effect === "unplaced") counted.placed--;
      if (effect !== "evicted") continue;
      counted.evicted++;
      const root = this.root(this.fold.podIndex.get(uid));
      if (this.lost.has(root)) counted.repeated = 1;
      this.lost.add(root);
    }
    return counted;
  }

  #actorNumber(name) {
    const known = this.actors.indexOf(name);
    return known < 0 ? this.actors.push(name) - 1 : known;
  }

  #reasonNumber(text) {
    if (!text) return 0;
    if (!this.reasonNumbers.has(text)) this.reasonNumbers.set(text, this.reasons.push(text));
    return this.reasonNumbers.get(text);
  }

  #keep(decision) {
    if (decision.best?.length) {
      // One string for each node, however many decisions name it.
      const { nodes, nodeIndex } = this.fold;
      decision.best = decision.best.map((name) => nodes[nodeIndex.get(name)]?.name ?? name);
    }
    const number = blockOf(decision.seq);
    let block = this.blocks.get(number);
    if (!block) {
      block = new Array(BLOCK);
      this.blocks.set(number, block);
      if (this.blocks.size > KEPT_BLOCKS) this.blocks.delete(this.blocks.keys().next().value);
    }
    block[decision.seq % BLOCK] = decision;
  }
}

function blockOf(seq) {
  return Math.floor(seq / BLOCK);
}

/** The reason that most nodes gave, in the plugin's words. */
export function mainReason(decision) {
  if (decision.preenqueue) return decision.preenqueue.reasons[0] ?? decision.preenqueue.plugin;
  if (decision.prefilter) return decision.prefilter.reasons[0] ?? decision.prefilter.plugin;
  if (decision.kind !== "attempt" || decision.chosen) return "";
  const [main] = reasonCounts(decision.rejections);
  return main?.[0] ?? "";
}
