// A fold with what the screens read of nodes and pods: who is there, who is on which node, who waits where. All of
// it is told from tables, fields and lists by name, here and nowhere else. Nodes and pods are known by index: theirs
// in their table, which they keep for as long as the page lives, also while they aren't there.

import { ACTORS, NODE_PODS, NODES, PODS, QUEUE, WAITING } from "./effects.js";
import { Fold } from "./fold.js";
import { byOrder } from "./tables.js";
import { sessionProfiles } from "./schedulers/facts.js";

const NOBODY = [];

export class Cluster extends Fold {
  #nodes;
  #pods;
  /** By node: its list of pods, and those in order as of a version of the list. */
  #rooms = [];
  /** Of the uids' numbers those that were looked up: the indices of their pods. */
  #numbered = { values: null, pods: [] };

  constructor(runState) {
    super(runState);
    this.#nodes = this.tables.table(NODES);
    this.#pods = this.tables.table(PODS);
    /** Pods that are there and on no node. */
    this.waiting = new Set();
    /** Pods that are there and on their way out. */
    this.terminating = new Set();
    /** Nodes that are there and not ready. */
    this.failed = new Set();
    /** By name of a node: the decisions by which it was found not to be ready, in order. */
    this.failures = new Map();
    /** Grows whenever a node comes, goes or changes. */
    this.nodesVersion = 0;
    this.#sortAll();
  }

  begin(runState) {
    super.begin(runState);
    this.failures.clear();
    this.#sortAll();
  }

  pack(decision) {
    super.pack(decision);
    for (const { verb, table, id, new: values, row } of decision.changes) {
      if (table !== NODES || (verb === "set" ? values : row)?.ready !== false || verb === "vanish") continue;
      if (!this.failures.has(id)) this.failures.set(id, []);
      this.failures.get(id).push(decision.seq);
    }
  }

  /** Rows by index, with the values of now; one that isn't there has those of its first or last moment. @returns {LogNodeRow[]} */
  get nodes() {
    return this.#nodes.rows;
  }

  /** @returns {LogPodRow[]} */
  get pods() {
    return this.#pods.rows;
  }

  /** Indices by name. */
  get nodeIndex() {
    return this.#nodes.index;
  }

  /** Indices by uid. */
  get podIndex() {
    return this.#pods.index;
  }

  hasNode(node) {
    return this.#nodes.present[node] === 1;
  }

  hasPod(pod) {
    return this.#pods.present[pod] === 1;
  }

  /** Who schedules, by name. */
  get schedulers() {
    const { rows } = this.tables.table(ACTORS);
    return rows.filter(({ profiles }) => profiles.length > 0).map(({ name }) => name).sort();
  }

  /** Whether somebody schedules the pod; where the log names no schedulers, that is not known. */
  isServed(pod) {
    const { rows } = this.tables.table(ACTORS);
    return rows.length === 0 || rows.some(({ profiles }) => profiles.includes(this.pods[pod].scheduler));
  }

  /** How many pods wait for a scheduler of the run, in a queue or for a session, as the run's outcome counts them. */
  get pending() {
    const asked = new Set(sessionProfiles(this));
    let pods = 0;
    for (const [name, parts] of this.tables.lists)
      if (name.startsWith(QUEUE))
        for (const part of parts.values())
          for (const number of part.orders.keys()) if (this.waiting.has(this.#podOf(number))) pods++;
    if (asked.size) for (const pod of this.waiting) if (asked.has(this.pods[pod].scheduler)) pods++;
    return pods;
  }

  /** How many pods wait for a scheduler that is none of the run's. */
  get unserved() {
    const { rows } = this.tables.table(ACTORS);
    const served = new Set(rows.flatMap(({ profiles }) => profiles));
    let pods = 0;
    if (rows.length) for (const pod of this.waiting) if (!this.pods[pod].terminating && !served.has(this.pods[pod].scheduler)) pods++;
    return pods;
  }

  /** The nodes that are there, as indices. */
  presentNodes() {
    return this.nodes.map((_, node) => node).filter((node) => this.hasNode(node));
  }

  /** The decision by which a node that isn't ready was found so; null if it never was otherwise. */
  failedBy(node) {
    return this.failures.get(this.nodes[node].name)?.findLast((seq) => seq <= this.at) ?? null;
  }

  /** Whether the log, as far as it is read, has nodes that appear or vanish. */
  get nodesComeAndGo() {
    return this.changes.turnovers.has(NODES);
  }

  /** The node that a pod is on, or -1; of a pod that has gone, the one that it was on. */
  nodeOf(pod) {
    return this.#nodeNamed(this.pods[pod].node);
  }

  /** The node that a pod is nominated to; -1 for none, and for one that isn't part of the run. */
  nominatedTo(pod) {
    return this.#nodeNamed(this.pods[pod].nominated);
  }

  /** The pods on a node, in the scheduler's own order. */
  podsOn(node) {
    const room = this.#room(node);
    if (room.version !== room.members.version) {
      room.version = room.members.version;
      room.pods = this.#inOrder(room.members);
    }
    return room.pods;
  }

  /** The pods on a node with their orders, in no order: [[pod, order]]. */
  ordersOn(node) {
    return this.#indexed(this.#room(node).members);
  }

  /** Grows whenever who is on the node, or what they ask for, changes. */
  version(node) {
    return this.#room(node).members.version;
  }

  /** Whether decision `seq` does something to the pod, but for its place in lists. */
  touchesPod(seq, pod) {
    return this.touches(seq, this.#pods, pod);
  }

  /** The queues as [{actor, parts: Map(part -> [[pod, order]])}], by name; members in no order. */
  queues() {
    const names = [...this.tables.lists.keys()].filter((name) => name.startsWith(QUEUE)).sort();
    return names.map((name) => ({
      actor: name.slice(QUEUE.length),
      parts: new Map([...this.tables.lists.get(name).values()].map((part) => [part.of, this.#indexed(part)])),
    }));
  }

  /** Why a pod waits in an actor's queue and until when; null for one that doesn't, and where no clock moves. @returns {LogWaitingRow | null} */
  waitingRow(actor, pod) {
    const { index, present, rows } = this.tables.table(WAITING + actor);
    const i = index.get(this.pods[pod].uid);
    return present[i] ? rows[i] : null;
  }

  /** Where a pod waits, where a clock moves: {actor, part, row}; null for one that is in no queue. */
  placeInQueue(pod) {
    for (const { actor, parts } of this.hasClock ? this.queues() : [])
      for (const [part, members] of parts)
        if (members.some(([member]) => member === pod)) return { actor, part, row: this.waitingRow(actor, pod) };
    return null;
  }

  /** Whether a pod waits in a queue at any decision of the log, where a clock moves. */
  everWaits(pod) {
    return this.hasClock && this.#waitingTables(pod).length > 0;
  }

  /** Whether decision `seq` writes into why a pod waits, as every one does that moves it in a queue. */
  touchesWait(seq, pod) {
    const { uid } = this.pods[pod];
    return this.#waitingTables(pod).some((table) => this.touches(seq, table, table.index.get(uid)));
  }

  /** The decisions from one to another that bring or take a pod, or write into its row or into why it waits. */
  decisionsOn(pod, from, to) {
    const { uid } = this.pods[pod];
    const rows = [this.#pods, ...this.#waitingTables(pod)].map((table) => [table, table.index.get(uid)]);
    const found = [];
    for (let seq = from; seq <= to; seq++)
      if (rows.some(([table, row]) => this.touches(seq, table, row))) found.push(seq);
    return found;
  }

  appeared(table, i) {
    if (table === this.#pods) this.#sort(i);
    else if (table === this.#nodes) this.#sortNode(i);
  }

  vanished(table, i) {
    this.appeared(table, i);
  }

  wrote(table, i, field) {
    if (table === this.#nodes) this.#sortNode(i);
    if (table !== this.#pods) return;
    if (field === "node" || field === "terminating") this.#sort(i);
    else if (field === "requests" && this.nodeOf(i) >= 0) this.#room(this.nodeOf(i)).members.version++;
  }

  #sortAll() {
    this.#pods.present.forEach((_, pod) => this.#sort(pod));
    this.#nodes.present.forEach((_, node) => this.#sortNode(node));
  }

  /** Note whether a pod waits, and whether it is on its way out. */
  #sort(pod) {
    const { node, terminating } = this.pods[pod];
    const isThere = this.hasPod(pod);
    note(this.waiting, pod, isThere && !node);
    note(this.terminating, pod, isThere && terminating);
  }

  /** Note that a node came, went or changed, and whether it is ready; earlier logs don't say. */
  #sortNode(node) {
    this.nodesVersion++;
    note(this.failed, node, this.hasNode(node) && this.nodes[node].ready === false);
  }

  #waitingTables(pod) {
    const { uid } = this.pods[pod];
    return this.tables.all.filter(({ name, index }) => name.startsWith(WAITING) && index.has(uid));
  }

  #nodeNamed(name) {
    return this.#nodes.index.get(name) ?? -1;
  }

  #room(node) {
    this.#rooms[node] ??= {
      members: this.tables.membersOf(NODE_PODS, this.nodes[node].name),
      version: -1,
      pods: NOBODY,
    };
    return this.#rooms[node];
  }

  #inOrder(members) {
    return this.#indexed(members)
      .sort(byOrder)
      .map(([pod]) => pod);
  }

  /** Members by their indices as pods: [[pod, order]]. */
  #indexed({ orders }) {
    const found = [];
    for (const [number, order] of orders) {
      const pod = this.#podOf(number);
      if (pod !== undefined) found.push([pod, order]);
    }
    return found;
  }

  /** The index of the pod whose uid has this number, undefined of one that isn't known: a list of a large cluster has 30,000. */
  #podOf(number) {
    const { values } = this.tables;
    if (this.#numbered.values !== values) this.#numbered = { values, pods: [] };
    const { pods } = this.#numbered;
    return (pods[number] ??= this.podIndex.get(values.list[number]));
  }
}

function note(set, pod, isIn) {
  if (isIn) set.add(pod);
  else set.delete(pod);
}
