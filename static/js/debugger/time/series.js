// How a run with a clock went on, in columns by decision: who arrived and left, how many waited in each part of the
// queues, and how much of the cluster was used. It is summed up as decisions come in, from their changes alone. Pure.

import { hasCards } from "../../cards.js";
import { Column } from "../../columns.js";
import { effectsOf, NODE_PODS, NODES, PODS, QUEUE } from "../../effects.js";
import { soFar } from "../../decisions/figures.js";
import { sessionProfiles } from "../../schedulers/facts.js";
import { inTurns } from "../../turns.js";
import { isDevice, resourcesOf } from "../map/loads.js";
import { Peaks } from "./peaks.js";

/** The part of those who wait for a session, which keeps no queue of pods. */
const OPEN = "open";

/** What the lane of events marks: a pod comes, a pod goes, a node comes, changes or goes. */
export const EVENTS = ["arrives", "gone", "node"];

export class Series {
  /** `log`: before its first decision, where its fold stands; `now`: the sums there, if somebody has them. */
  constructor(log, now = null) {
    this.log = log;
    this.begin(now);
  }

  /** The same, summed up in turns: a large cluster has 30,000 pods on its nodes. */
  static async opened(log) {
    const now = new Now();
    await inTurns(now.sumUp(log.fold), () => {});
    return new Series(log, now);
  }

  /** Begin where the log does, before its first decision. */
  begin(now = null) {
    const { first, fold } = this.log;
    this.first = first;
    this.eventsSoFar = Object.fromEntries(EVENTS.map((name) => [name, new Column(Uint32Array, first)]));
    /** By part of a queue: how many wait there after a decision, in all queues. */
    this.lengths = new Map();
    this.peaks = new Peaks(first);
    this.used = new Map();
    this.now = now ?? new Now();
    if (!now) for (const _ of this.now.sumUp(fold));
    this.#write(first);
  }

  take(decisions) {
    for (const decision of decisions) {
      this.#count(decision);
      for (const change of decision.changes) this.now.take(change);
      this.#write(decision.seq);
    }
  }

  /** How many of an event there were from one decision to another. */
  eventsWithin(name, from, to) {
    return this.eventsSoFar[name].get(to) - soFar(this.eventsSoFar[name], from - 1);
  }

  /** How many wait in a part of the queues after a decision. */
  lengthOf(part, seq) {
    return this.lengths.get(part)?.get(seq) ?? 0;
  }

  /** The decision of those from one to another after which most waited. */
  longest(from, to) {
    return this.peaks.highest(from, to);
  }

  /** How many wait in all after a decision. */
  waiting(seq) {
    return this.peaks.get(seq);
  }

  /** The resources that the cluster has: cpu, memory, and the first kind of device. */
  get resources() {
    return [...this.used.keys()];
  }

  /** Which share of a resource is asked for after a decision, 0 to 1, above where it is overcommitted. */
  usedOf(resource, seq) {
    return this.used.get(resource)?.get(seq) ?? 0;
  }

  #count({ seq, changes }) {
    const arrivals = effectsOf(changes).filter(({ effect }) => effect === "arrived" || effect === "left");
    const counted = {
      arrives: arrivals.filter(({ effect }) => effect === "arrived").length,
      gone: arrivals.filter(({ effect }) => effect === "left").length,
      node: new Set(changes.filter(({ table }) => table === NODES).map(({ id }) => id)).size,
    };
    for (const name of EVENTS)
      this.eventsSoFar[name].set(seq, soFar(this.eventsSoFar[name], seq - 1) + counted[name]);
  }

  #write(seq) {
    let all = 0;
    for (const [part, number] of this.now.parts) {
      if (!this.lengths.has(part)) this.lengths.set(part, new Column(Uint32Array, this.first));
      this.lengths.get(part).set(seq, number);
      all += number;
    }
    this.peaks.set(seq, all);
    for (const resource of this.now.resources()) {
      if (!this.used.has(resource)) this.used.set(resource, new Column(Float32Array, this.first));
      this.used.get(resource).set(seq, this.now.share(resource));
    }
  }
}

/** The sums at the newest decision, wherever the reader stands. */
class Now {
  parts = new Map();
  asked = new Map();
  /** Pods on nodes. */
  placed = new Set();
  /** Whether cards are shared: then nodes have slots of them, which say nothing of how full the cards are. */
  isShared = false;
  capacity = {};
  taken = {};
  /** The schedulers that hold sessions. */
  profiles = new Set();
  /** Pods without a node whose scheduler holds sessions. */
  open = new Set();

  /** Sum up what a fold has, in steps. */
  *sumUp(fold) {
    this.isShared = hasCards(fold);
    fold.nodes.forEach((node, i) => fold.hasNode(i) && add(this.capacity, node.allocatable, 1));
    for (const { uid, requests } of fold.pods) this.asked.set(uid, requests);
    for (const node of fold.presentNodes()) {
      yield;
      for (const pod of fold.podsOn(node)) this.#place(fold.pods[pod].uid, 1);
    }
    for (const { parts } of fold.queues())
      for (const [part, members] of parts) this.#move(part, members.length);
    yield;
    this.profiles = new Set(sessionProfiles(fold));
    fold.pods.forEach((pod, i) => fold.hasPod(i) && this.#comes(pod.uid, pod));
  }

  take(change) {
    if (change.table === PODS) this.#ofPod(change);
    else if (change.table === NODES) this.#ofNode(change);
    else if (change.list === NODE_PODS) this.#place(change.id, change.verb === "join" ? 1 : -1);
    else if (change.list?.startsWith(QUEUE)) this.#ofQueue(change);
  }

  /** Those that the lane shows; worked out anew only when a node comes, goes or offers something else. */
  resources() {
    this.shown ??= shownOf(this.capacity).filter((name) => !(this.isShared && isDevice(name)));
    return this.shown;
  }

  share(resource) {
    return this.capacity[resource] ? (this.taken[resource] ?? 0) / this.capacity[resource] : 0;
  }

  /** Who comes, and who asks for something else. */
  #ofPod({ verb, id, row, old, new: values }) {
    if (verb === "appear") {
      this.asked.set(id, row.requests);
      this.#comes(id, row);
    }
    if (verb === "vanish" || values?.node || values?.terminating) this.#waitsNoMore(id);
    if (verb !== "set" || !values.requests) return;
    this.asked.set(id, values.requests);
    if (!this.placed.has(id)) return;
    add(this.taken, old.requests, -1);
    add(this.taken, values.requests, 1);
  }

  #comes(uid, { scheduler, node, terminating }) {
    if (!this.profiles.has(scheduler) || node || terminating || this.placed.has(uid)) return;
    this.open.add(uid);
    this.#move(OPEN, 1);
  }

  #waitsNoMore(uid) {
    if (this.open.delete(uid)) this.#move(OPEN, -1);
  }

  #ofNode({ verb, row, old, new: values }) {
    this.shown = null;
    if (verb === "appear") add(this.capacity, row.allocatable, 1);
    if (verb === "vanish") add(this.capacity, row.allocatable, -1);
    if (verb !== "set" || !values.allocatable) return;
    add(this.capacity, old.allocatable, -1);
    add(this.capacity, values.allocatable, 1);
  }

  #place(uid, by) {
    if (by > 0) this.placed.add(uid);
    else this.placed.delete(uid);
    add(this.taken, this.asked.get(uid), by);
  }

  #ofQueue({ verb, of: part, to, count }) {
    if (verb === "join") return this.#move(part, 1);
    if (verb === "leave") return this.#move(part, -1);
    this.#move(part, -count);
    this.#move(to, count);
  }

  #move(part, by) {
    this.parts.set(part, (this.parts.get(part) ?? 0) + by);
  }
}

function shownOf(capacity) {
  const known = resourcesOf([{ allocatable: capacity }]);
  return [...["cpu", "memory"].filter((name) => known.includes(name)), ...known.filter(isDevice).slice(0, 1)];
}

function add(sums, amounts, times) {
  for (const name in amounts) sums[name] = (sums[name] ?? 0) + times * amounts[name];
}
