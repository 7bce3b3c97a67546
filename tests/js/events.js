// Builders of decisions and states for the tests of the browser's modules: the fewest fields that mean something.

import { Log } from "../../static/js/debugger/log.js";

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
  queue: null,
  start_time: null,
  terminating: false,
  comes_back: false,
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

export const attempt = (of, fields = {}) => ({
  seq: 1,
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
  nominated: "",
  victims: [],
  cleared: [],
  status: "Unschedulable",
  ...fields,
});

export const evict = (of, position, on = "a") => ({
  type: "evict",
  pod: of.uid,
  node: on,
  position,
  start_time: null,
});
export const bind = (of, on = "a") => ({
  type: "bind",
  pod: of.uid,
  node: on,
  start_time: "2026-06-01T00:00:01Z",
});

export const state = (nodes, pods) => ({
  at: 0,
  nodes,
  pods,
  node_pods: Object.fromEntries(
    nodes.map(({ name }) => [name, pods.filter((card) => card.node === name).map(({ uid }) => uid)]),
  ),
});

/** A log of decisions, numbered from 1; what the window loses is read from the same decisions. */
export function logOf(base, decisions) {
  const numbered = decisions.map((decision, i) => ({ ...decision, seq: i + 1 }));
  const log = new Log(base, async (after, limit) => structuredClone(numbered.slice(after, after + limit)));
  log.take(structuredClone(numbered));
  return log;
}
