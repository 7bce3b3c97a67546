// What the page's parts need to know of Volcano without drawing (../facts.js). Pure.

import { keyOf } from "../../debugger/inspector/object-key.js";
import { count } from "../../debugger/words/units.js";
import { jobName } from "../../job-names.js";
import { groupRows, JOBS, queueRows } from "./rows.js";
import { whyIgnoresPod } from "./unasked.js";

/** @type {SchedulerFacts} */
export const volcano = {
  isSessionEngine: (engine) => engine.startsWith("volcano-"),
  finders: [queues, jobs],
  foundKinds: ["Job.batch.volcano.sh"],
  whyIgnoresPod,
};

function queues({ fold }, wanted) {
  return [...queueRows(fold)]
    .filter(([name]) => name.toLowerCase().includes(wanted))
    .map(([name, { weight }]) => ({ card: keyOf("queue", name), name, what: `queue, weight ${weight}` }));
}

/** Jobs as sessions know them, by the names of their pod groups too; and Volcano's Jobs that have no pod group now. */
function jobs({ fold }, wanted) {
  const groups = groupRows(fold);
  const gangs = [...groups]
    .filter(([key]) => key.toLowerCase().includes(wanted))
    .map(([key, { min_member: min, phase }]) => ({
      ...{ card: keyOf("group", key), name: jobName(key), title: key },
      what: `${min > 1 ? `gang of ${count(min)}` : "job"}, ${phase}`,
    }));
  const { ids, rows, present } = fold.tables.table(JOBS);
  const alone = ids.filter((id, i) => present[i] && !groups.has(rows[i].group) && id.toLowerCase().includes(wanted));
  return [...gangs, ...alone.map((id) => ({ job: id, name: id, what: `job, ${rows[ids.indexOf(id)].phase}` }))];
}
