// Pods of a queue's part that wait for the same in the same way are one row: "infer-a ×3". Of a long part all pods of a workload
// are, that have the same priority. Pure.

/** A part with more pods than this is told by workload, whatever it is. */
export const LONG = 20;
/** Of a part with more pods than this nobody looks at what each waits for: at every step that would take too long. */
export const MOST_COMPARED = 2000;

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

/**
 * As foldEqual, of any number of members in no order, whatever each waits for: the first `wanted` rows by `order`, which compares
 * members. Of each row the first `listed` pods are in order.
 */
export function foldMany(members, cards, order, wanted, listed) {
  const byWorkload = new Map();
  const rows = [];
  for (const member of members) {
    const { workload, priority } = cards[member[0]];
    const alike = workload ? byWorkload.get(workload) : undefined;
    let row = alike?.find((one) => one.priority === priority);
    if (!row) {
      row = { priority, first: member, members: [] };
      rows.push(row);
      if (alike) alike.push(row);
      else if (workload) byWorkload.set(workload, [row]);
    } else if (order(member, row.first) < 0) row.first = member;
    row.members.push(member);
  }
  return first(rows, wanted, (a, b) => order(a.first, b.first)).map(({ members: own }) => {
    const before = first(own, listed, order);
    const among = new Set(before);
    const pods = [...before, ...own.filter((member) => !among.has(member))].map(([pod]) => pod);
    return { pods, name: pods.length > 1 ? workloadName(cards[pods[0]]) : "" };
  });
}

/** The first few of many in an order, without sorting all of them. */
export function first(items, wanted, order) {
  if (items.length <= wanted * 4) return [...items].sort(order).slice(0, wanted);
  const kept = [];
  for (const item of items) {
    if (kept.length === wanted && order(item, kept[wanted - 1]) >= 0) continue;
    let place = kept.length;
    while (place > 0 && order(item, kept[place - 1]) < 0) place--;
    kept.splice(place, 0, item);
    if (kept.length > wanted) kept.pop();
  }
  return kept;
}

/** "infer-a" of "Deployment/gpu/infer-a". */
function workloadName({ workload }) {
  return workload.slice(workload.lastIndexOf("/") + 1);
}
