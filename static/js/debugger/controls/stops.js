// Where play pauses and "next stop" leads, beside the kinds of decisions (decisions/stops.js): a pod evicted a second
// time, a pod, a node, a priority; and whose decisions count. Pure.

import { NODE_PODS, NODES, PODS } from "../../effects.js";

/** Not a kind: whichever decision evicts a pod a second time. */
export const AGAIN = "again";
/** Fields of a pod that name a node. */
const NODE_FIELDS = ["node", "nominated"];

export const DEFAULT_STOP = { kinds: ["preemption"], pod: "", node: "", priority: null, actor: "" };

/** A short name for the button: "preemption", "3 conditions". */
export function stopLabel(stop) {
  const parts = stop.kinds.map((kind) => (kind === AGAIN ? "second eviction" : kind));
  if (stop.pod) parts.push(`pod ${stop.pod}`);
  if (stop.node) parts.push(stop.node);
  if (stop.priority !== null) parts.push(`priority above ${stop.priority}`);
  const by = stop.actor ? ` by ${stop.actor}` : "";
  if (parts.length === 0) return by ? `decisions${by}` : "nothing";
  return (parts.length <= 2 ? parts.join(", ") : `${parts.length} conditions`) + by;
}

/** Whether a stop names anything but whose decisions count: if it doesn't, all of theirs do. */
export function isOpen(stop) {
  return stop.kinds.length === 0 && !stop.pod && !stop.node && stop.priority === null;
}

/**
 * A test of one decision by number, for what a stop names beside kinds of decisions: a pod's second eviction, a pod,
 * a node, a priority.
 */
export function conditionTest(log, stop) {
  const isAgain = stop.kinds.includes(AGAIN);
  const isPod = stop.pod ? podTest(log, stop.pod) : () => false;
  const touches = touchTest(log, stop, isPod);
  return (seq) => {
    if (isAgain && log.repeated.get(seq)) return true;
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
