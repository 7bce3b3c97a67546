// What a fold holds of Volcano: queues, pod groups with their pods, and who stands in an open statement. Beside
// cluster.js the only place that knows these tables by name. Pure.

import { ACTORS } from "../../effects.js";
import { byName } from "../../names.js";

/** The table of Volcano's own Jobs. */
export const JOBS = "jobs";
const ENGINES = "volcano-";
const GROUPS = "groups",
  QUEUES = "queues",
  TASKS = "tasks/";
const members = new WeakMap();

/** Whether a scheduler of sessions is at work in the run. */
export function hasSessions(fold) {
  return fold.tables.table(QUEUES).ids.length > 0;
}

/** Whether a pod is for a scheduler of sessions. */
export function isOfSessions(fold, pod) {
  return sessionProfiles(fold).includes(fold.pods[pod].scheduler);
}

/** The names by which pods ask for a scheduler of sessions. */
export function sessionProfiles(fold) {
  const { rows } = fold.tables.table(ACTORS);
  return rows.filter(({ engine }) => engine.startsWith(ENGINES)).flatMap(({ profiles }) => profiles);
}

/** Whether somebody acts beside the schedulers of sessions. */
export function hasOthers(fold) {
  const { rows } = fold.tables.table(ACTORS);
  return rows.some(({ engine, profiles }) => profiles.length > 0 && !engine.startsWith(ENGINES));
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

/** Who stands in an open statement: Map(pod -> {job, node, status}). */
export function openTasks(fold) {
  const open = new Map();
  for (const { rows, present: is } of taskTables(fold))
    rows.forEach((row, i) => is[i] && open.set(fold.podIndex.get(row.pod), row));
  return open;
}

/** Who ceases to stand in one with decision `seq`, at which the fold is: as openTasks. */
export function settledTasks(fold, seq) {
  const settled = new Map();
  if (seq <= fold.base) return settled;
  for (const { verb, table, id } of fold.changesOf(seq)) {
    if (verb !== "vanish" || !table.startsWith(TASKS)) continue;
    const { rows, index } = fold.tables.table(table);
    settled.set(fold.podIndex.get(id), rows[index.get(id)]);
  }
  return settled;
}

function taskTables(fold) {
  return fold.tables.all.filter(({ name }) => name.startsWith(TASKS));
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
