// Fold the decision log in the browser: the twin of scheduler_core/events/fold.py, held to the same vectors.
//
// In goes the RunState before the first decision; decisions are first packed (their changes become a run
// of integers) and then applied or reverted by number, so that 100,000 of them cost a few megabytes and a
// jump of thousands of decisions a few milliseconds. Pods and nodes are known by their index here: `pods`
// in the order of arrival, `nodes` in the cluster's own order. Nothing is decided in this file.

const BIND = 0,
  EVICT = 1,
  NOMINATE = 2,
  MOVE = 3,
  CREATE = 4,
  TERMINATE = 5,
  DELETE = 6;
const LENGTH = [4, 5, 4, 6, 2, 5, 5];
const TAKING_OFF = { [EVICT]: "evict", [DELETE]: "delete" };
const CODES = { evict: EVICT, delete: DELETE };
export const PARTS = ["active", "backoff", "unschedulable", "gated"];
const NONE = -1;

/** Whether a change evicts its pod: at once, or after a grace period in which the pod stays. */
export const isEviction = ({ type }) => type === "evict" || type === "terminate";

/** A growing row of 32-bit integers. */
class Integers {
  constructor(size = 1024) {
    this.data = new Int32Array(size);
    this.length = 0;
  }

  push(...values) {
    if (this.length + values.length > this.data.length) {
      const larger = new Int32Array(Math.max(this.data.length * 2, this.length + values.length));
      larger.set(this.data);
      this.data = larger;
    }
    for (const value of values) this.data[this.length++] = value;
  }
}

/** Names or instants by number; null is -1. */
class Names {
  constructor() {
    this.list = [];
    this.numbers = new Map();
  }

  number(name) {
    if (name === null || name === undefined) return NONE;
    let number = this.numbers.get(name);
    if (number === undefined) {
      number = this.list.length;
      this.numbers.set(name, number);
      this.list.push(name);
    }
    return number;
  }

  name(number) {
    return number === NONE ? null : this.list[number];
  }
}

export class OutOfStep extends Error {}

export class Fold {
  constructor(runState) {
    this.at = runState.at;
    this.base = runState.at;
    this.nodes = runState.nodes;
    this.nodeNames = new Names();
    for (const node of runState.nodes) this.nodeNames.number(node.name);
    for (const name of Object.keys(runState.node_pods)) this.nodeNames.number(name);

    this.pods = [];
    this.podIndex = new Map();
    this.present = [];
    this.node = [];
    this.nominated = [];
    this.part = [];
    this.order = [];
    this.start = [];
    this.terminating = [];
    this.times = new Names();
    this.waiting = new Set();
    for (const card of runState.pods) this.#appear(this.#know(card));

    this.listed = new Set(Object.keys(runState.node_pods));
    this.nodePods = this.nodeNames.list.map((name) =>
      (runState.node_pods[name] ?? []).map((uid) => this.podIndex.get(uid)),
    );
    this.version = new Uint32Array(this.nodePods.length + 1);

    this.changes = new Integers();
    this.ends = new Integers();
    this.ends.push(0);
  }

  /** The number of the last packed decision. */
  get head() {
    return this.base + this.ends.length - 1;
  }

  /** Take in the next decision's changes without carrying them out. */
  pack(decision) {
    if (decision.seq !== this.head + 1) {
      throw new OutOfStep(`decision ${decision.seq} doesn't follow decision ${this.head}`);
    }
    for (const change of decision.changes) this.#pack(change);
    this.ends.push(this.changes.length);
  }

  /** Move to the state after decision `seq`, in either direction. */
  moveTo(seq) {
    if (seq < this.base || seq > this.head) throw new OutOfStep(`there is no state ${seq} yet`);
    while (this.at < seq) this.#step();
    while (this.at > seq) this.#stepBack();
  }

  apply(decision) {
    if (decision.seq !== this.at + 1) {
      throw new OutOfStep(`decision ${decision.seq} doesn't follow decision ${this.at}`);
    }
    if (decision.seq > this.head) this.pack(decision);
    this.#step();
  }

  revert(decision) {
    if (decision.seq !== this.at) {
      throw new OutOfStep(`decision ${decision.seq} isn't the last one, ${this.at} is`);
    }
    this.#stepBack();
  }

  /** What decision `seq` changed: [{type, pod, node?, position?, was?}] by index, in order. */
  changesOf(seq) {
    const found = [];
    const { data } = this.changes;
    for (let i = this.#begin(seq); i < this.#end(seq); i += LENGTH[data[i]]) {
      const pod = data[i + 1];
      if (data[i] === BIND) found.push({ type: "bind", pod, node: data[i + 2] });
      else if (data[i] === TERMINATE) {
        const [node, position, was] = data.subarray(i + 2, i + 5);
        found.push({ type: "terminate", pod, node, position, was: was === 1 });
      } else if (data[i] in TAKING_OFF)
        found.push({ type: TAKING_OFF[data[i]], pod, node: data[i + 2], position: data[i + 3] });
      else if (data[i] === NOMINATE)
        found.push({ type: "nominate", pod, old: data[i + 2], new: data[i + 3] });
      else if (data[i] === MOVE) found.push({ type: "move", pod, old: data[i + 2], new: data[i + 4] });
      else found.push({ type: "create", pod });
    }
    return found;
  }

  /** The present state as a RunState. */
  state() {
    const pods = [];
    for (let i = 0; i < this.pods.length; i++) if (this.present[i]) pods.push(this.#card(i));
    const node_pods = {};
    this.nodeNames.list.forEach((name, n) => {
      if (this.listed.has(name) || this.nodePods[n]?.length) {
        node_pods[name] = this.nodePods[n].map((pod) => this.pods[pod].uid);
      }
    });
    return { at: this.at, nodes: this.nodes, pods, node_pods };
  }

  #card(i) {
    const queue = this.part[i] === NONE ? null : { part: PARTS[this.part[i]], order: this.order[i] };
    return {
      ...this.pods[i],
      node: this.nodeNames.name(this.node[i]) ?? "",
      nominated: this.nodeNames.name(this.nominated[i]) ?? "",
      queue,
      start_time: this.times.name(this.start[i]),
      terminating: Boolean(this.terminating[i]),
    };
  }

  /** Give a pod its index; it is not there yet. */
  #know(card) {
    if (this.podIndex.has(card.uid)) throw new OutOfStep(`pod ${card.uid} is there already`);
    const i = this.pods.push(card) - 1;
    this.podIndex.set(card.uid, i);
    this.present.push(0);
    this.node.push(this.#nodeNumber(card.node));
    this.nominated.push(this.#nodeNumber(card.nominated));
    this.part.push(card.queue ? PARTS.indexOf(card.queue.part) : NONE);
    this.order.push(card.queue ? card.queue.order : 0);
    this.start.push(this.times.number(card.start_time));
    this.terminating.push(card.terminating ? 1 : 0);
    return i;
  }

  #nodeNumber(name) {
    return name ? this.nodeNames.number(name) : NONE;
  }

  #podNumber(uid) {
    const i = this.podIndex.get(uid);
    if (i === undefined) throw new OutOfStep(`pod ${uid} isn't there`);
    return i;
  }

  #pack(change) {
    if (change.type === "create") {
      this.changes.push(CREATE, this.#know(change.pod));
      return;
    }
    const pod = this.#podNumber(change.pod);
    if (change.type === "bind") {
      this.changes.push(BIND, pod, this.#room(change.node), this.times.number(change.start_time));
    } else if (change.type in CODES) {
      const start = this.times.number(change.start_time);
      this.changes.push(CODES[change.type], pod, this.#room(change.node), change.position, start);
    } else if (change.type === "terminate") {
      this.changes.push(TERMINATE, pod, this.#room(change.node), change.position, change.was ? 1 : 0);
    } else if (change.type === "nominate") {
      this.changes.push(NOMINATE, pod, this.#nodeNumber(change.old), this.#nodeNumber(change.new));
    } else {
      const place = (at) => (at ? [PARTS.indexOf(at.part), at.order] : [NONE, 0]);
      this.changes.push(MOVE, pod, ...place(change.old), ...place(change.new));
    }
  }

  /** The number of a node that pods can be on. */
  #room(name) {
    const n = this.nodeNames.number(name);
    while (this.nodePods.length <= n) this.nodePods.push([]);
    if (this.version.length < this.nodePods.length) {
      const larger = new Uint32Array(this.nodePods.length * 2);
      larger.set(this.version);
      this.version = larger;
    }
    return n;
  }

  #begin(seq) {
    return this.ends.data[seq - this.base - 1];
  }

  #end(seq) {
    return this.ends.data[seq - this.base];
  }

  #step() {
    const { data } = this.changes;
    const seq = this.at + 1;
    for (let i = this.#begin(seq), end = this.#end(seq); i < end; i += LENGTH[data[i]])
      this.#carryOut(data, i);
    this.at = seq;
  }

  #stepBack() {
    const { data } = this.changes;
    const places = [];
    for (let i = this.#begin(this.at), end = this.#end(this.at); i < end; i += LENGTH[data[i]])
      places.push(i);
    while (places.length) this.#undo(data, places.pop());
    this.at -= 1;
  }

  #carryOut(data, i) {
    const pod = data[i + 1],
      to = data[i + 2];
    switch (data[i]) {
      case BIND:
        this.nodePods[to].push(pod);
        this.#place(pod, to, data[i + 3]);
        break;
      case EVICT:
      case DELETE:
        this.#takeOff(pod, to, data[i + 3]);
        this.#vanish(pod);
        break;
      case TERMINATE:
        this.#takeOff(pod, to, data[i + 3]);
        this.nodePods[to].push(pod);
        this.terminating[pod] = 1;
        break;
      case NOMINATE:
        this.#nominate(pod, data[i + 3]);
        break;
      case MOVE:
        this.part[pod] = data[i + 4];
        this.order[pod] = data[i + 5];
        break;
      default:
        this.#appear(pod);
    }
  }

  #undo(data, i) {
    const pod = data[i + 1],
      from = data[i + 2];
    switch (data[i]) {
      case BIND:
        if (this.nodePods[from].pop() !== pod) {
          throw new OutOfStep(`pod ${this.pods[pod].uid} isn't the last one on its node`);
        }
        this.#place(pod, NONE, NONE);
        this.version[from]++;
        break;
      case EVICT:
      case DELETE:
        this.#putBack(pod, from, data[i + 3]);
        this.#appear(pod);
        break;
      case TERMINATE:
        this.nodePods[from].pop();
        this.#putBack(pod, from, data[i + 3]);
        this.terminating[pod] = data[i + 4];
        break;
      case NOMINATE:
        this.#nominate(pod, from);
        break;
      case MOVE:
        this.part[pod] = from;
        this.order[pod] = data[i + 3];
        break;
      default:
        this.#vanish(pod);
    }
  }

  /** Take a pod out of its node's list; the last one takes its place. */
  #takeOff(pod, node, position) {
    const pods = this.nodePods[node];
    if (pods[position] !== pod) throw new OutOfStep(`pod ${this.pods[pod].uid} isn't at place ${position}`);
    const last = pods.pop();
    if (position < pods.length) pods[position] = last;
    this.version[node]++;
  }

  #putBack(pod, node, position) {
    const pods = this.nodePods[node];
    if (position < pods.length) {
      pods.push(pods[position]);
      pods[position] = pod;
    } else pods.push(pod);
    this.version[node]++;
  }

  #place(pod, node, start) {
    this.node[pod] = node;
    this.start[pod] = start;
    if (node === NONE) this.waiting.add(pod);
    else {
      this.waiting.delete(pod);
      this.version[node]++;
    }
  }

  #nominate(pod, node) {
    this.nominated[pod] = node;
  }

  #appear(pod) {
    this.present[pod] = 1;
    if (this.node[pod] === NONE) this.waiting.add(pod);
  }

  #vanish(pod) {
    this.present[pod] = 0;
    this.waiting.delete(pod);
  }
}
