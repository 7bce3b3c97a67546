// What Volcano's tables in a run's state mean: pod groups, and pods that an open statement has touched. Pure; from the
// fold, which stands at the reader's decision.

const GROUPS = "groups",
  TASKS = "tasks/";

/** A job's pod group, by "namespace/name"; undefined if there is none. */
export function groupRow({ tables }, job) {
  const { index, present, rows } = tables.table(GROUPS);
  const i = index.get(job);
  return present[i] ? rows[i] : undefined;
}

/** What an open statement has done to a pod: {job, node, status}; undefined for nothing. */
export function taskRow({ tables }, uid) {
  for (const { name, index, present, rows } of tables.all) {
    const i = name.startsWith(TASKS) ? index.get(uid) : undefined;
    if (present[i]) return rows[i];
  }
  return undefined;
}
