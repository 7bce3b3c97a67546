// Where play pauses and "next stop" leads: kinds of decisions, a pod, a node, a priority. Pure.

import { NODE_PODS, NODES, PODS } from "../effects.js";

export const KINDS = [
  { key: "preemption", label: "a preemption" },
  { key: "unschedulable", label: "an unschedulable pod" },
  { key: "placed", label: "a placed pod" },
  { key: "gated", label: "a gated pod" },
  { key: "eviction", label: "an eviction that an edit asks for" },
  { key: "again", label: "a pod is evicted a second time" },
];

const KIND_OF = {
  nominated: "preemption",
  evicted: "eviction",
  unschedulable: "unschedulable",
  scheduled: "placed",
  gated: "gated",
};
/** Fields of a pod that name a node. */
const NODE_FIELDS = ["node", "nominated"];

export const DEFAULT_STOP = { kinds: ["preemption"], pod: "", node: "", priority: null };

/** A short name for the button: "preemption", "3 conditions". */
export function stopLabel(stop) {
  const parts = stop.kinds.map((kind) => (kind === "again" ? "second eviction" : kind));
  if (stop.pod) parts.push(`pod ${stop.pod}`);
  if (stop.node) parts.push(stop.node);
  if (stop.priority !== null) parts.push(`priority above ${stop.priority}`);
  if (parts.length === 0) return "nothing";
  return parts.length <= 2 ? parts.join(", ") : `${parts.length} conditions`;
}

/** A test of one decision by number, for a stop and a log. */
export function stopTest(log, stop) {
  const kinds = new Set(stop.kinds);
  const isPod = stop.pod ? podTest(log, stop.pod) : () => false;
  const touches = touchTest(log, stop, isPod);
  return (seq) => {
    const outcome = log.outcomeOf(seq);
    if (kinds.has(KIND_OF[outcome])) return true;
    if (kinds.has("again") && log.repeated.get(seq)) return true;
    if (stop.priority !== null && log.priority.get(seq) > stop.priority) return true;
    return isPod(log.pod.get(seq)) || touches(seq);
  };
}

/** Whether a pod, by index, is called so, in part or by its uid. */
function podTest({ fold }, wanted) {
  const letters = wanted.toLowerCase();
  return (pod) => {
    const row = fold.pods[pod];
    return row && (row.uid === wanted || `${row.namespace}/${row.name}`.toLowerCase().includes(letters));
  };
}

/** Whether a decision does something to the stop's pod or node; that a pod moves in the queue is nothing. */
function touchTest({ fold }, { pod, node }, isPod) {
  if (!pod && !fold.nodeIndex.has(node)) return () => false;
  const isPodChange = ({ table, list, id }) => (table === PODS || list === NODE_PODS) && isPod(fold.podIndex.get(id));
  const isNodeChange = ({ table, list, of, id, old, new: values }) =>
    (table === NODES && id === node) ||
    (list === NODE_PODS && of === node) ||
    (table === PODS && NODE_FIELDS.some((field) => old?.[field] === node || values?.[field] === node));
  return (seq) => fold.changesOf(seq).some((change) => (node && isNodeChange(change)) || isPodChange(change));
}

/** The nearest stop after (`by` 1) or before (`by` -1) a decision, or null. */
export function findStop(log, stop, from, by) {
  const test = stopTest(log, stop);
  for (let seq = from + by; seq > log.first && seq <= log.head; seq += by) if (test(seq)) return seq;
  return null;
}
