// Builders of decisions and states for the tests of the browser's modules: the fewest fields that mean something.

import { readFileSync } from "node:fs";

import { Log } from "../../static/js/debugger/log/log.js";
import { axisOf } from "../../static/js/debugger/time/axis.js";
import { binsOf, bucketsOf } from "../../static/js/debugger/time/buckets.js";
import { wholeOf } from "../../static/js/debugger/time/span.js";
import { Scheduler } from "../../static/js/debugger/words/scheduler.js";
import { Figures } from "../../static/js/decisions/figures.js";

/** What REST answers about a version, as `tests/api/test_scheduler_words.py` holds it. */
const wordsOf = (version) =>
  JSON.parse(readFileSync(new URL(`../vectors/schedulers/${version.includes("-") ? version : `kube-${version}`}.json`, import.meta.url)));

/** A version in its own words; `changed(words)` makes them those of another configuration or driver. */
export function schedulerOf(version = "1.36", changed = () => {}) {
  const words = wordsOf(version);
  changed(words);
  return new Scheduler(words);
}

export const STARTED = "2026-06-01T00:00:01Z";

export const pod = (name, fields = {}) => ({
  uid: `uid-${name}`,
  namespace: "shop",
  name,
  priority: 0,
  labels: {},
  workload: "",
  requests: { cpu: 100 },
  scheduler: "default-scheduler",
  node: "",
  nominated: "",
  start_time: null,
  terminating: false,
  evicted: false,
  comes_back: false,
  replaces: null,
  ...fields,
});

export const ref = ({ uid, namespace, name, priority }) => ({ uid, namespace, name, priority });

export const node = (name, fields = {}) => ({
  name,
  labels: {},
  allocatable: { cpu: 1000 },
  pod_limit: 10,
  unschedulable: false,
  taints: [],
  ...fields,
});

/** `best_count` is that of the nodes named, if nothing else is said. */
export const attempt = (of, fields = {}) => ({
  seq: 1,
  time: null,
  actor: "default-scheduler",
  cause: null,
  kind: "attempt",
  pod: ref(of),
  attempt: 1,
  profile: "default-scheduler",
  outcome: "scheduled",
  nominated_before: "",
  nominated_after: "",
  nodes: 4,
  visited: 4,
  feasible: 2,
  preenqueue: null,
  prefilter: null,
  rejections: [],
  best: ["a"],
  best_count: fields.best?.length ?? 1,
  chosen: "a",
  total: 300,
  message: null,
  preemption: null,
  changes: [],
  ...fields,
});

export const rejection = (plugin, reason, nodes, code = "Unschedulable") => ({
  plugin,
  code,
  reasons: [reason],
  nodes,
});

export const victim = (of, fields = {}) => ({
  ...ref(of),
  start_time: "2026-06-01T00:00:00Z",
  violates_budget: false,
  ...fields,
});

/** A candidate with its criteria worked out from its victims. */
export const candidate = (name, victims, lost_at = null) => {
  const highest = Math.max(...victims.map(({ priority }) => priority));
  return {
    node: name,
    victims,
    pdb_violations: victims.filter(({ violates_budget: violates }) => violates).length,
    highest_priority: highest,
    priority_sum: victims.reduce((sum, { priority }) => sum + priority + 2 ** 31, 0),
    victim_count: victims.length,
    earliest_start: victims[0].start_time,
    lost_at,
  };
};

const eliminated = (candidates) => {
  const counts = {};
  for (const { lost_at: lost } of candidates)
    if (lost && lost !== "name") counts[lost] = (counts[lost] ?? 0) + 1;
  return counts;
};

export const preemption = (fields = {}) => ({
  candidate_count: fields.candidates?.length ?? 0,
  eliminated: eliminated(fields.candidates ?? []),
  eligible: true,
  reason: "",
  potential: 0,
  candidates: [],
  not_candidates: [],
  best: [],
  best_count: fields.best?.length ?? 0,
  nominated: "",
  victims: [],
  cleared: [],
  status: "Unschedulable",
  ...fields,
});

export const NODE_PODS = "node_pods";
export const QUEUE = "queue/default-scheduler";

export const join = (list, of, { uid }, order) => ({ verb: "join", list, of, id: uid, order });
export const leave = (list, of, { uid }, order, filler = null) => ({
  verb: "leave",
  list,
  of,
  id: uid,
  order,
  filler: filler && { id: filler[0].uid, order: filler[1] },
});
export const set = (table, id, old, values) => ({ verb: "set", table, id, old, new: values });
const setPod = ({ uid }, old, values) => set("pods", uid, old, values);
export const appear = (row, table = "pods") => ({ verb: "appear", table, id: row.uid ?? row.name, row });
export const vanish = (row, table = "pods") => ({ ...appear(row, table), verb: "vanish" });
export const nominate = (of, old, values) => setPod(of, { nominated: old }, { nominated: values });

/** Changes by which a pending pod comes to the end of a node's list. */
export const bind = (of, on = "a", order = 0) => [
  setPod(of, { node: "", start_time: null }, { node: on, start_time: STARTED }),
  join(NODE_PODS, on, of, order),
];

/** Changes by which a pod is evicted and at once gone; `filler`: the last pod of the list, [pod, order]. */
export const evict = (of, order, on = "a", filler = null) => [
  setPod(of, { evicted: false }, { evicted: true }),
  ...remove({ ...of, evicted: true }, order, on, filler),
];

/** Changes by which a pod is gone. */
export const remove = (of, order, on = "a", filler = null) => [
  leave(NODE_PODS, on, of, order, filler),
  vanish({ ...of, node: on }),
];

/** Changes by which a pod is evicted, stays for a while, and goes to the end of its node's list. */
export const terminate = (of, order, last, on = "a", filler = null) => [
  setPod(of, { evicted: false, terminating: of.terminating }, { evicted: true, terminating: true }),
  leave(NODE_PODS, on, of, order, filler),
  join(NODE_PODS, on, of, last),
];

/** A first state: each node's pods in the order given; nobody is in a queue unless `queue` says so. */
export const state = (nodes, pods, queue = {}) => {
  const on = nodes.map(({ name }) => [name, pods.filter((row) => row.node === name)]);
  const ordered = on.map(([name, there]) => [name, Object.fromEntries(there.map(({ uid }, i) => [uid, i]))]);
  return {
    at: 0,
    time: null,
    tables: filled({
      nodes: Object.fromEntries(nodes.map((row) => [row.name, row])),
      pods: Object.fromEntries(pods.map((row) => [row.uid, row])),
    }),
    lists: filled({ [NODE_PODS]: filled(Object.fromEntries(ordered)), [QUEUE]: queue }),
  };
};

/** An object without what is empty. */
export function filled(object) {
  return Object.fromEntries(Object.entries(object).filter(([, inner]) => Object.keys(inner).length));
}

/** A log of decisions, numbered from 1; what the window loses is read from the same decisions. */
export function logOf(base, decisions) {
  const numbered = decisions.map((decision, i) => ({ ...decision, seq: i + 1 }));
  const log = new Log(base, async (after, limit) => structuredClone(numbered.slice(after, after + limit)));
  log.take(structuredClone(numbered));
  return log;
}

/** The figures of the same decisions. */
export function figuresOf(base, decisions) {
  const figures = new Figures(logOf(base, decisions));
  figures.take(decisions.map((decision, i) => ({ ...decision, seq: i + 1 })));
  return figures;
}

/** The whole run in columns, at most `most`, as the time line has it. */
export function columnsOf(figures, most) {
  const axis = axisOf(figures.log);
  const whole = wholeOf(axis);
  return bucketsOf(figures, binsOf(axis, whole, axis.columns(whole, most)));
}
