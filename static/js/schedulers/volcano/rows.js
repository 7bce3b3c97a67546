// What a fold holds of Volcano: queues, and pod groups with their pods. Only this file knows these tables by name. Pure.

import { byName } from "../../names.js";

/** The table of Volcano's own Jobs. */
export const JOBS = "jobs";
const GROUPS = "groups",
  QUEUES = "queues";
const members = new WeakMap();

/** Whether a scheduler of sessions is at work in the run. */
export function hasSessions(fold) {
  return fold.tables.table(QUEUES).ids.length > 0;
}

/** The queues that are there: Map(name -> row). */
export function queueRows(fold) {
  return present(fold.tables.table(QUEUES));
}

/** The pod groups that are there: Map(namespace/name -> row). */
export function groupRows(fold) {
  return present(fold.tables.table(GROUPS));
}

/** The pods of a group that are there, as indices, by name. */
export function membersOf(fold, group) {
  return allMembersOf(fold, group).filter((pod) => fold.hasPod(pod));
}

/** The pods of a group that the run has at any time, as indices, by name. */
export function allMembersOf(fold, group) {
  return membership(fold).get(group) ?? [];
}

/** The queue of a pod's group, or "" for a pod of none. */
export function queueOf(fold, pod) {
  const { index, rows } = fold.tables.table(GROUPS);
  return rows[index.get(fold.pods[pod].group)]?.queue ?? "";
}

function present({ ids, rows, present: is }) {
  return new Map(ids.map((id, i) => [id, rows[i]]).filter((_, i) => is[i]));
}

/** All pods of the run by group, which never changes: Map(group -> pods). */
function membership(fold) {
  const kept = members.get(fold) ?? { read: 0, groups: new Map() };
  members.set(fold, kept);
  if (kept.read === fold.pods.length) return kept.groups;
  for (; kept.read < fold.pods.length; kept.read++) {
    const { group } = fold.pods[kept.read];
    if (!group) continue;
    if (!kept.groups.has(group)) kept.groups.set(group, []);
    kept.groups.get(group).push(kept.read);
  }
  const inOrder = (a, b) => byName(fold.pods[a].name, fold.pods[b].name);
  for (const pods of kept.groups.values()) pods.sort(inOrder);
  return kept.groups;
}
