// What a decision's changes mean for pods: the twin of scheduler_core/events/effects.py. The log's verbs know
// tables and fields only; who counts evictions or follows a pod's life asks here. Pure.

export const NODES = "nodes",
  PODS = "pods",
  ACTORS = "actors",
  NODE_PODS = "node_pods",
  QUEUE = "queue/",
  WAITING = "waiting/";

/**
 * The effects of changes (of an event, or as Fold.changesOf gives them), in their order; pods by uid:
 *
 *   {effect: "arrived", pod}                          came into being
 *   {effect: "placed", pod, node, startTime}          was put on a node
 *   {effect: "unplaced", pod, node}                   lost its node again: an extender refused to bind it
 *   {effect: "evicted", pod, wasTerminating}          is evicted or deleted; wasTerminating: was on its way out before
 *   {effect: "left", pod}                             ceased to be
 *   {effect: "nominated", pod, old, new}              its nominated node changed; "" is none
 *   {effect: "entered" | "dequeued", pod, actor, part}   came into, or left, a part of an actor's queue
 *
 * A wake-up of a whole part of a queue is left out: who follows single pods has to read the queue's lists.
 */
export function effectsOf(changes) {
  return changes.flatMap((change) => MEANINGS[change.verb]?.(change) ?? []);
}

const MEANINGS = {
  set: (change) => (change.table === PODS ? ofFields(change) : []),
  appear: ({ table, id: pod }) => (table === PODS ? [{ effect: "arrived", pod }] : []),
  vanish: ({ table, id: pod }) => (table === PODS ? [{ effect: "left", pod }] : []),
  join: (change) => ofQueue("entered", change),
  leave: (change) => ofQueue("dequeued", change),
};

function ofFields({ id: pod, old, new: values }) {
  const effects = [];
  if ("nominated" in values)
    effects.push({ effect: "nominated", pod, old: old.nominated, new: values.nominated });
  if (values.node)
    effects.push({ effect: "placed", pod, node: values.node, startTime: values.start_time ?? null });
  else if (old.node) effects.push({ effect: "unplaced", pod, node: old.node });
  if (values.evicted && !old.evicted)
    effects.push({ effect: "evicted", pod, wasTerminating: Boolean(old.terminating) });
  return effects;
}

function ofQueue(effect, { list, of: part, id: pod }) {
  if (!list.startsWith(QUEUE)) return [];
  return [{ effect, pod, actor: list.slice(QUEUE.length), part }];
}
