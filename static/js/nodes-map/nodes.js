// The nodes of a snapshot as the debugger's map modules ask for them: what they are, and how full.

import { resourcesOf } from "../debugger/map/loads.js";
import { NodeNames } from "../debugger/names/node-names.js";

/** Taints of nodes that are cordoned or not ready: these have marks of their own. */
const OF_STATE = new Set(["unschedulable", "not-ready", "unreachable"].map((state) => `node.kubernetes.io/${state}`));

export class Nodes {
  /** @type {any[]} */
  nodes;

  /** `nodes`: what the page holds (dashboard/queries/node_map.py); `reading.wholeNames` undoes the cut of names. */
  constructor(nodes, reading) {
    this.nodes = nodes;
    this.resources = resourcesOf(nodes);
    this.failed = new Set(nodes.flatMap(({ ready }, node) => (ready ? [] : [node])));
    this.names = new NodeNames(nodes.map(({ name }) => name), reading);
    this.places = new Map(nodes.map(({ name }, node) => [name, node]));
  }

  nameOf(resource) {
    return resource;
  }

  requested(node) {
    return this.nodes[node].requested;
  }

  capacity(node, resource) {
    const { pod_limit: limit, allocatable } = this.nodes[node];
    return resource === "pods" ? limit : (allocatable[resource] ?? 0);
  }

  /** Requested of allocatable, 0 to 1, above 1 when overcommitted; 0 where the node has nothing of it. */
  share(node, resource) {
    const whole = this.capacity(node, resource);
    if (!whole) return 0;
    return (resource === "pods" ? this.nodes[node].pods : (this.requested(node)[resource] ?? 0)) / whole;
  }

  /** The pods on a node, of which only the number is known. */
  podsOn(node) {
    return { length: this.nodes[node].pods };
  }

  /** Whether a taint keeps pods away that don't tolerate it, beside those that say what other marks do. */
  isTainted(node) {
    return this.nodes[node].taints.some(({ key, effect }) => effect !== "PreferNoSchedule" && !OF_STATE.has(key));
  }
}

/** The nodes of a text of the page, in which what many have alike is said once. */
export function unpacked(text) {
  const { alike, nodes } = JSON.parse(text);
  return nodes.map(({ alike: place, ...own }) => ({ ...alike[place], ...own }));
}

/** What one can group by: a pool or a zone that any node names, what a scheduler groups nodes by, or nothing. */
export function groupingsOf(nodes) {
  const named = new Set(nodes.flatMap(({ labels }) => Object.keys(labels)));
  const others = [...named].filter((key) => !["pool", "zone"].includes(key)).sort();
  return ["pool", "zone", ...others].filter((key) => named.has(key)).concat("nothing");
}
