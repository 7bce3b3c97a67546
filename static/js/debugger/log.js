// The decision log as the page holds it: the fold with all changes packed, a few figures of every decision
// in columns (for the time line, the stops and the totals), and a window of whole events that forgets the
// least recently read. What the window lost is read again by REST.

import { Fold, isEviction } from "../fold.js";
import { Column } from "./columns.js";
import { tellingReasons } from "./release.js";

export const OUTCOMES = [
  "scheduled",
  "nominated",
  "unschedulable",
  "gated",
  "error",
  "evicted",
  "refused",
  "skipped",
];
const BLOCK = 250;
const KEPT_BLOCKS = 80;

export class Log {
  /** `read(after, limit)` answers the decisions after a number, by REST. */
  constructor(base, read) {
    this.fold = new Fold(base);
    this.first = base.at;
    this.read = read;
    this.outcome = new Column(Uint8Array);
    this.pod = new Column(Int32Array);
    this.chosen = new Column(Int32Array);
    this.priority = new Column(Int32Array);
    this.attempt = new Column(Uint16Array);
    this.fitting = new Column(Float32Array);
    this.evictions = new Column(Uint16Array);
    this.repeated = new Column(Uint8Array);
    this.placedSoFar = new Column(Int32Array);
    this.evictedSoFar = new Column(Int32Array);
    this.reason = new Column(Int32Array);
    this.reasons = [];
    this.reasonNumbers = new Map();
    this.blocks = new Map();
    this.reading = new Map();
    this.lost = new Set();
  }

  get head() {
    return this.fold.head;
  }

  /** Take in the next decisions of the stream, in order. */
  take(decisions) {
    for (const decision of decisions) {
      this.fold.pack(decision);
      this.#note(decision);
      this.#keep(decision);
    }
  }

  outcomeOf(seq) {
    return OUTCOMES[this.outcome.get(seq)];
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
      const first = Math.max(this.first + 1, number * BLOCK);
      const reading = this.read(first - 1, number * BLOCK + BLOCK - first)
        .then((events) => events.forEach((event) => this.#keep(event)))
        .finally(() => this.reading.delete(number));
      this.reading.set(number, reading);
    }
    await this.reading.get(number);
    return this.event(seq);
  }

  /** Decisions about a pod or that change it, newest last: [{seq, what, by}]. */
  lifeOf(pod) {
    if (this.told?.pod === pod && this.told.head === this.head) return this.told.life;
    const life = [];
    for (let seq = this.first + 1; seq <= this.head; seq++) {
      const own = this.pod.get(seq) === pod;
      if (own) life.push({ seq, what: this.outcomeOf(seq) });
      for (const change of this.fold.changesOf(seq)) {
        if (change.pod !== pod) continue;
        if (isEviction(change) && !own) life.push({ seq, what: "lost", by: this.pod.get(seq) });
        else if (change.type === "create") life.push({ seq, what: "created" });
        else if (change.type === "nominate" && !own)
          life.push({ seq, what: "nomination", by: this.pod.get(seq) });
      }
    }
    this.told = { pod, head: this.head, life };
    return life;
  }

  /** The last decision up to `until` that was an attempt at this pod, or 0. */
  lastAttempt(pod, until) {
    for (let seq = until; seq > this.first; seq--) if (this.pod.get(seq) === pod) return seq;
    return 0;
  }

  /** A pod's name without what a controller's copy adds, so that copies of one pod are one. */
  lineage(pod) {
    const card = this.fold.pods[pod];
    return `${card.namespace}/${card.name.replace(/-r\d+$/, "")}`;
  }

  #note(decision) {
    const { seq } = decision;
    const fold = this.fold;
    const outcome = OUTCOMES.indexOf(decision.outcome);
    let evicted = 0,
      placed = 0,
      repeated = 0;
    for (const change of fold.changesOf(seq)) {
      if (change.type === "bind") placed++;
      else if (isEviction(change)) {
        evicted++;
        const lineage = this.lineage(change.pod);
        if (this.lost.has(lineage)) repeated = 1;
        this.lost.add(lineage);
      }
    }
    this.outcome.set(seq, outcome < 0 ? OUTCOMES.indexOf("error") : outcome);
    this.pod.set(seq, fold.podIndex.get(decision.pod.uid) ?? -1);
    const taken = decision.chosen || decision.nominated_after || decision.node;
    this.chosen.set(seq, taken ? fold.nodeNames.number(taken) : -1);
    this.priority.set(seq, decision.pod.priority);
    this.attempt.set(seq, decision.attempt ?? 0);
    this.fitting.set(seq, shareThatFits(decision));
    this.evictions.set(seq, evicted);
    this.repeated.set(seq, repeated);
    this.placedSoFar.set(seq, (seq > this.first + 1 ? this.placedSoFar.get(seq - 1) : 0) + placed);
    this.evictedSoFar.set(seq, (seq > this.first + 1 ? this.evictedSoFar.get(seq - 1) : 0) + evicted);
    this.reason.set(seq, this.#reasonNumber(mainReason(decision)));
  }

  #reasonNumber(text) {
    if (!text) return 0;
    if (!this.reasonNumbers.has(text)) this.reasonNumbers.set(text, this.reasons.push(text));
    return this.reasonNumbers.get(text);
  }

  #keep(decision) {
    if (decision.best?.length) {
      // One string for each node, however many decisions name it.
      const { nodeNames } = this.fold;
      decision.best = decision.best.map((name) => nodeNames.name(nodeNames.number(name)));
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

/** Which share of the nodes could take the pod; unknown if only its nominated node was asked. */
function shareThatFits(decision) {
  if (decision.kind !== "attempt" || !decision.nodes) return NaN;
  const isAskedAlone = decision.nominated_before === decision.chosen && decision.visited < decision.nodes;
  if (decision.nominated_before && isAskedAlone) return NaN;
  return decision.visited ? decision.feasible / decision.nodes : 0;
}

/** The reason that most nodes gave, in the plugin's words. */
export function mainReason(decision) {
  if (decision.preenqueue) return decision.preenqueue.reasons[0] ?? decision.preenqueue.plugin;
  if (decision.prefilter) return decision.prefilter.reasons[0] ?? decision.prefilter.plugin;
  if (decision.kind !== "attempt" || decision.chosen) return "";
  const byReason = new Map();
  for (const { reasons, nodes } of decision.rejections) {
    for (const reason of tellingReasons(reasons)) byReason.set(reason, (byReason.get(reason) ?? 0) + nodes);
  }
  const [main] = [...byReason].sort((a, b) => b[1] - a[1]);
  return main?.[0] ?? "";
}
