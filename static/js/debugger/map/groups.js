// Nodes in groups and in order: by zone, by a label, by hyper node, or all together; by name, by load, or by what is short for a pod.

import { byName } from "../../names.js";

export const ZONE_LABELS = ["topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone"];
const POOL_LABELS = [
  "pool",
  "cloud.google.com/gke-nodepool",
  "eks.amazonaws.com/nodegroup",
  "agentpool",
  "karpenter.sh/nodepool",
  "node.kubernetes.io/instance-type",
];

/** What one can group by here: [{key, label}], with labels that really divide the nodes. */
export function groupings(nodes) {
  const values = new Map();
  for (const node of nodes) {
    for (const [key, value] of Object.entries(node.labels)) {
      if (!values.has(key)) values.set(key, new Set());
      values.get(key).add(value);
    }
  }
  const found = [];
  if (ZONE_LABELS.some((key) => values.has(key))) found.push({ key: "zone", label: "zone" });
  const divides = ([key, set]) =>
    !ZONE_LABELS.includes(key) && set.size >= 2 && set.size <= Math.max(12, nodes.length / 8);
  const rank = (key) => (POOL_LABELS.includes(key) ? POOL_LABELS.indexOf(key) : 99);
  const labels = [...values]
    .filter(divides)
    .map(([key]) => key)
    .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  for (const key of labels.slice(0, 14)) found.push({ key: `label:${key}`, label: shortLabel(key) });
  found.push({ key: "none", label: "nothing" });
  return found;
}

/** `hyperNodes`: by name the hyper node of each node, where `key` names a tier (hyper-nodes.js). */
export function groupOf(node, key, hyperNodes = null) {
  if (hyperNodes) return hyperNodes.get(node.name) ?? "no hyper node";
  if (key === "none") return "";
  if (key === "zone") {
    for (const label of ZONE_LABELS) if (node.labels[label] !== undefined) return node.labels[label];
    return "no zone";
  }
  return node.labels[key.slice("label:".length)] ?? `no ${shortLabel(key.slice(6))}`;
}

/**
 * [{name, nodes: [index…]}] in order, of the nodes `shown` by index; `load(index)` is asked only when sorting by
 * load. `nearer(a, b)` compares nodes by how near they come to taking a pod, where none does: null at any other time.
 * `hyperNodes`: see groupOf.
 */
export function grouped(nodes, key, sort, load, shown = nodes.map((_, i) => i), nearer = null, hyperNodes = null) {
  const groups = new Map();
  for (const i of shown) {
    const name = groupOf(nodes[i], key, hyperNodes);
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(i);
  }
  const inOrder = (a, b) => byName(nodes[a].name, nodes[b].name);
  const loads = sort === "load" ? new Map(shown.map((i) => [i, load(i)])) : null;
  const first = loads ? (a, b) => loads.get(b) - loads.get(a) : sort === "shortfall" && nearer;
  const order = first ? (a, b) => first(a, b) || inOrder(a, b) : inOrder;
  return [...groups]
    .sort(([a], [b]) => byName(a, b))
    .map(([name, members]) => ({ name, nodes: members.sort(order) }));
}

function shortLabel(key) {
  return key.includes("/") ? key.slice(key.lastIndexOf("/") + 1) : key;
}
