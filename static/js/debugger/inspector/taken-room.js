// Who took the room that a pod had made: the pods that were bound to its nominated node between its preemption
// and its next attempt, and are still there. Pure; from the log.

/** {node, pods: [{uid, namespace, name}]}, or null where the log shows nobody, or the room may be there yet. */
export function takersOf(log, event, scheduler) {
  const { fold } = log;
  const node = event.kind === "attempt" && event.nominated_before;
  if (!node || node === event.chosen) return null;
  if (event.feasible > 0 && !scheduler.asksNominatedFirst) return null;
  const number = fold.nodeIndex.get(node);
  const since = lastNomination(log, fold.podIndex.get(event.pod.uid), number, event.seq);
  const takers = new Set();
  for (let seq = since + 1; since && seq < event.seq; seq++) {
    for (const { effect, pod, node: on } of log.effectsOf(seq)) {
      if (effect === "placed" && on === node) takers.add(pod);
      else if (effect === "left") takers.delete(pod);
    }
  }
  return takers.size ? { node, pods: [...takers].map((uid) => fold.pods[fold.podIndex.get(uid)]) } : null;
}

/** The last decision before `seq` by which the pod evicted others from the node, or 0. */
function lastNomination(log, pod, node, seq) {
  for (let earlier = seq - 1; earlier > log.first; earlier--) {
    if (log.pod.get(earlier) !== pod) continue;
    if (log.outcomeOf(earlier) === "nominated") return log.chosen.get(earlier) === node ? earlier : 0;
  }
  return 0;
}
