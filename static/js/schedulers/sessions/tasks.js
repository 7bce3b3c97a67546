// What a fold holds of open statements: which pods a session has tried on a node, or chosen as victims. Only this file knows
// these tables by name. Pure.

const TASKS = "tasks/";

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
