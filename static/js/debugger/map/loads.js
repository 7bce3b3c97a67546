// How much of each node is asked for, by resource, kept up to date by the fold's versions of its nodes.

import { hasCards } from "../../cards.js";
import { inTurns } from "../../turns.js";

export class Loads {
  constructor(fold) {
    this.fold = fold;
    this.resources = resourcesOf(fold.nodes);
    this.sums = [];
    this.seen = [];
  }

  /** How a resource is called beside a share of it: where cards are shared, nodes have slots of them. */
  nameOf(resource) {
    return this.countsSlots(resource) ? `${resource} slots` : resource;
  }

  /** Whether a resource counts the slots of shared cards, of which a full one may leave many free. */
  countsSlots(resource) {
    return isDevice(resource) && hasCards(this.fold);
  }

  /** Know what is requested of all nodes, by turns. */
  async sumUp() {
    await inTurns(this.fold.presentNodes(), (node) => this.requested(node));
  }

  /** Requested on a node: {cpu, memory, …}. */
  requested(node) {
    const version = this.fold.version(node);
    if (this.seen[node] === version) return this.sums[node];
    const sum = {};
    for (const pod of this.fold.podsOn(node)) {
      const { requests } = this.fold.pods[pod];
      for (const resource in requests) sum[resource] = (sum[resource] ?? 0) + requests[resource];
    }
    this.seen[node] = version;
    this.sums[node] = sum;
    return sum;
  }

  /** Requested of allocatable, 0 to 1 (above 1 when overcommitted); pods count of the limit for "pods". */
  share(node, resource) {
    const whole = this.capacity(node, resource);
    if (!whole) return 0;
    if (resource === "pods") return this.fold.podsOn(node).length / whole;
    return (this.requested(node)[resource] ?? 0) / whole;
  }

  capacity(node, resource) {
    const card = this.fold.nodes[node];
    return resource === "pods" ? card.pod_limit : (card.allocatable[resource] ?? 0);
  }

  /** What a pod asks for, in the log's units; of "pods" each is one. */
  podAmount(pod, resource) {
    return resource === "pods" ? 1 : (this.fold.pods[pod].requests[resource] ?? 0);
  }

  /** A pod's part of a node, 0 to 1. */
  podShare(node, pod, resource) {
    const whole = this.capacity(node, resource);
    return whole ? this.podAmount(pod, resource) / whole : 0;
  }

  /** A device resource whose whole units a node shows as cards, or null. */
  cards(node) {
    const { allocatable } = this.fold.nodes[node];
    for (const resource in allocatable) {
      if (isDevice(resource) && allocatable[resource] > 0 && allocatable[resource] <= 16) {
        return { resource, all: allocatable[resource], taken: this.requested(node)[resource] ?? 0 };
      }
    }
    return null;
  }
}

/** Whether a resource comes in cards. */
export function isDevice(resource) {
  return /\/(gpu|npu|mlu|dcu|tpu|xpu|vgpu|vgpu-number)$/.test(resource);
}

/** Resources in the cluster, the usual ones first. */
export function resourcesOf(nodes) {
  const found = new Set();
  for (const node of nodes)
    for (const name in node.allocatable) if (node.allocatable[name] > 0) found.add(name);
  const rank = (name) => ["cpu", "memory"].indexOf(name) + 1 || (name.includes("/") ? 3 : 9);
  return [...[...found].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1)), "pods"];
}
