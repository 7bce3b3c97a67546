// Pods of a queue's part that wait for the same in the same way are one row: "infer-a ×3". Pure.

/** Of a part with more pods than this each is a row: to look at all of them at every step would take too long. */
export const MOST_FOLDED = 2000;

/**
 * Members ([[pod, order]], in their order) as rows: [{pods, name}], in the order of the first pod of each. Pods of one
 * workload are one row where `sameness(pod)` gives the same text; `name` is then the workload's, and empty for one pod.
 */
export function foldEqual(members, cards, sameness) {
  const rows = new Map();
  for (const [pod] of members) {
    const { workload, priority } = cards[pod];
    const key = workload ? JSON.stringify([workload, priority, sameness(pod)]) : pod;
    if (rows.has(key)) rows.get(key).push(pod);
    else rows.set(key, [pod]);
  }
  return [...rows.values()].map((pods) => ({ pods, name: pods.length > 1 ? workloadName(cards[pods[0]]) : "" }));
}

/** "infer-a" of "Deployment/gpu/infer-a". */
function workloadName({ workload }) {
  return workload.slice(workload.lastIndexOf("/") + 1);
}
