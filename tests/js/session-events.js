// Builders of a session's decisions: the fewest fields that mean something.

import { ref } from "./events.js";

const common = { time: null, actor: "volcano", cause: null, session: 1, changes: [], pod: null };

export const opened = (fields = {}) => ({
  ...common,
  kind: "session",
  outcome: "opened",
  actions: ["enqueue", "allocate", "backfill"],
  queues: ["default"],
  jobs: { default: ["ml/bert"] },
  invalid: [],
  shares: {},
  ...fields,
});

export const enqueued = (fields = {}) => ({
  ...common,
  kind: "enqueue",
  action: "enqueue",
  job: "ml/bert",
  queue: "default",
  outcome: "entered",
  lacking: [],
  ...fields,
});

export const tried = (of, fields = {}) => ({
  ...common,
  kind: "placement",
  action: "allocate",
  pod: ref(of),
  job: "ml/bert",
  queue: "default",
  role: "worker",
  outcome: "allocated",
  node: "gpu-1",
  why: "",
  message: "",
  nodes: 8,
  feasible: 1,
  reasons: [],
  best: [],
  best_count: 0,
  total: null,
  victims: [],
  tiers: [],
  ...fields,
});

/** A try at a pod that fits on no node. */
export const refused = (of, fields = {}) =>
  tried(of, {
    outcome: "refused",
    node: "",
    why: "nodes",
    feasible: 0,
    reasons: [{ reason: "Insufficient nvidia.com/gpu", nodes: 8 }],
    ...fields,
  });

/** A pod that is passed over, for one of its role fits nowhere. */
export const passed = (of, fields = {}) =>
  tried(of, { outcome: "skipped", node: "", why: "role", nodes: 0, feasible: 0, ...fields });

export const settled = (outcome, fields = {}) => ({
  ...common,
  kind: "gang",
  action: "allocate",
  job: "ml/bert",
  queue: "default",
  outcome,
  bound: [],
  evicted: [],
  pipelined: [],
  ready: 0,
  waiting: 0,
  min_available: 4,
  pods: 8,
  ...fields,
});

/** A job that is tried in hyper nodes: three of its pods fit into s0, all that it needs into s1. */
export const searched = (fields = {}) => ({
  ...common,
  kind: "hyper_nodes",
  action: "allocate",
  job: "ml/bert",
  queue: "default",
  outcome: "chosen",
  tries: [
    { hyper_node: "s0", outcome: "short", placed: 3, score: null, parts: {} },
    { hyper_node: "s1", outcome: "ready", placed: 4, score: 80, parts: { "ml/bert": "s1" } },
  ],
  best: ["s1"],
  hyper_node: "s1",
  ...fields,
});

export const dropped = (fields = {}) => ({
  ...common,
  kind: "overused",
  action: "allocate",
  queue: "default",
  outcome: "overused",
  ...fields,
});

export const closed = (fields = {}) => ({
  ...common,
  kind: "close",
  outcome: "active",
  groups: [],
  messages: [],
  shares: {},
  bound: 0,
  evicted: 0,
  ...fields,
});

/** A controller's work: a job's pods are made. */
export const reconciled = (fields = {}) => ({
  time: null,
  cause: 4,
  changes: [],
  pod: null,
  kind: "reconcile",
  actor: "volcano-controllers",
  controller: "job",
  object: "Job ml/train",
  outcome: "done",
  event: "",
  action: "SyncJob",
  phase_before: "Pending",
  phase: "Pending",
  created: ["Pod ml/train-worker-0", "Pod ml/train-worker-1", "Pod ml/train-worker-2"],
  updated: [],
  deleted: [],
  told: [],
  whose: null,
  task: "",
  exit_code: 0,
  version: 0,
  due: false,
  delay: null,
  error: "",
  ...fields,
});

/** The sessions from `first` to `last`, in which nothing happened. */
export const counted = (first, last) => ({ ...common, kind: "idle", outcome: "idle", session: first, last });
