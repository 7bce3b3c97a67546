// The log's shapes as REST's schema has them: written by `python -m tests.log_types`.

type LogDecision = LogAttempt | LogEviction | LogCompletion | LogClusterChange | LogFlush | LogSessionsIdle | LogSessionOpened | LogEnqueueing | LogPlacement | LogHyperNodeSearch | LogGang | LogQueueOverused | LogSessionClosed | LogReconciled | LogWorkloadStep;

interface LogAttempt {
  kind: "attempt";
  seq: number;
  time: number | null;
  actor: string;
  cause: number | null;
  changes: (LogSet | LogAppear | LogVanish | LogJoin | LogLeave | LogMoveAll)[];
  pod: LogPodRef;
  attempt: number;
  profile: string;
  outcome: "error" | "gated" | "nominated" | "scheduled" | "unschedulable";
  nominated_before: string;
  nominated_after: string;
  nodes: number;
  visited: number;
  feasible: number;
  preenqueue: LogStatus | null;
  prefilter: LogStatus | null;
  rejections: (LogRejection)[];
  best: (string)[];
  best_count: number;
  chosen: string | null;
  total: number | null;
  message: string | null;
  preemption: LogPreemption | null;
  exchanges?: (LogExchange)[];
  cluster_said?: LogClusterSaid;
  claims?: (LogGivenClaim)[];
  group?: LogTriedGroup;
}

interface LogSet {
  verb: "set";
  table: string;
  id: string;
  old: { [name: string]: any };
  new: { [name: string]: any };
}

interface LogAppear {
  verb: "appear";
  table: string;
  id: string;
  row: { [name: string]: any };
}

interface LogVanish {
  verb: "vanish";
  table: string;
  id: string;
  row: { [name: string]: any };
}

interface LogJoin {
  verb: "join";
  list: string;
  of: string;
  id: string;
  order: number;
}

interface LogLeave {
  verb: "leave";
  list: string;
  of: string;
  id: string;
  order: number;
  filler?: LogFiller | null;
}

interface LogFiller {
  id: string;
  order: number;
}

interface LogMoveAll {
  verb: "move_all";
  list: string;
  of: string;
  to: string;
  by: number;
  first: number;
  count: number;
}

interface LogPodRef {
  uid: string;
  namespace: string;
  name: string;
  priority: number;
}

interface LogStatus {
  plugin: string;
  code: "Error" | "Unschedulable" | "UnschedulableAndUnresolvable";
  reasons: (string)[];
}

interface LogRejection {
  plugin: string;
  code: "Error" | "Unschedulable" | "UnschedulableAndUnresolvable";
  reasons: (string)[];
  nodes: number;
}

interface LogPreemption {
  eligible: boolean | null;
  reason: string;
  potential: number;
  candidates: (LogCandidate)[];
  candidate_count: number;
  eliminated: { [name: string]: number };
  not_candidates: (LogRejection)[];
  best: (string)[];
  best_count: number;
  nominated: string;
  victims: (LogPodRef)[];
  cleared: (LogPodRef)[];
  status: string;
}

interface LogCandidate {
  node: string;
  victims: (LogVictim)[];
  pdb_violations: number;
  highest_priority: number;
  priority_sum: number;
  victim_count: number;
  earliest_start: string | null;
  lost_at: "earliest_start" | "highest_priority" | "name" | "pdb_violations" | "priority_sum" | "victim_count" | null;
}

interface LogVictim {
  uid: string;
  namespace: string;
  name: string;
  priority: number;
  start_time: string | null;
  violates_budget: boolean;
}

interface LogExchange {
  extender: string;
  verb: "bind" | "filter" | "preempt" | "prioritize";
  sent: number;
  fits?: (string)[] | null;
  gone?: (string)[];
  failed?: { [name: string]: (string)[] };
  unresolvable?: { [name: string]: (string)[] };
  whole_nodes?: boolean;
  scores?: { [name: string]: number };
  victims?: { [name: string]: LogCondemned };
  cards?: LogCardsFound | null;
  error?: string | null;
}

interface LogCondemned {
  pods: (string)[];
  pdb_violations: number;
}

interface LogCardsFound {
  node: string;
  score: number | null;
  fit: number;
  best_count: number;
  devices: { [name: string]: ((LogCardGiven)[])[] };
  reasons: { [name: string]: number };
}

interface LogCardGiven {
  id: string;
  memory: number;
  cores: number;
  slice?: string;
}

interface LogClusterSaid {
  message: string;
  time: string | null;
}

interface LogGivenClaim {
  claim: string;
  new: boolean;
  devices: (LogClaimedDevice)[];
}

interface LogClaimedDevice {
  request: string;
  driver: string;
  pool: string;
  device: string;
  admin?: boolean;
  consumed?: { [name: string]: string };
}

interface LogTriedGroup {
  name: string;
  place: number;
  members: number;
  min_count: number | null;
  placed: number;
  found: number;
  fits: boolean;
  placement: string;
  placements: (LogTriedPlacement)[];
  status: string;
  reason: string;
  message: string;
  preemption: string | null;
  victims: (LogVictim)[];
}

interface LogTriedPlacement {
  name: string;
  nodes: number;
  found: number;
  fits: boolean;
  total: number | null;
}

interface LogEviction {
  kind: "eviction";
  seq: number;
  time: number | null;
  actor: string;
  cause: number | null;
  changes: (LogSet | LogAppear | LogVanish | LogJoin | LogLeave | LogMoveAll)[];
  pod: LogPodRef;
  outcome: "evicted" | "refused" | "skipped" | "tainted";
  node: string;
  message: string | null;
  wakes?: (LogWake)[];
  heard?: (LogHeard)[];
}

interface LogWake {
  pod: string;
  source: string;
  target: string;
  event: string;
  hints: { [name: string]: string };
  during: (string)[];
}

interface LogHeard {
  event: string;
  ignored: boolean;
  asked: number;
}

interface LogCompletion {
  kind: "completion";
  seq: number;
  time: number | null;
  actor: string;
  cause: number | null;
  changes: (LogSet | LogAppear | LogVanish | LogJoin | LogLeave | LogMoveAll)[];
  pod: LogPodRef;
  outcome: "bound" | "forgotten" | "returned";
  attempt: number;
  node: string;
  wakes: (LogWake)[];
  heard: (LogHeard)[];
  exchanges?: (LogExchange)[];
}

interface LogClusterChange {
  kind: "change";
  seq: number;
  time: number | null;
  actor: string;
  cause: number | null;
  changes: (LogSet | LogAppear | LogVanish | LogJoin | LogLeave | LogMoveAll)[];
  pod: LogPodRef | null;
  outcome: "added" | "asked" | "deleted" | "failed" | "finished" | "gone" | "nothing" | "refused" | "started" | "stopped" | "updated";
  object: string;
  edit: number | null;
  wakes: (LogWake)[];
  heard: (LogHeard)[];
  message?: string;
}

interface LogFlush {
  kind: "flush";
  seq: number;
  time: number | null;
  actor: string;
  cause: number | null;
  changes: (LogSet | LogAppear | LogVanish | LogJoin | LogLeave | LogMoveAll)[];
  pod: null;
  outcome: "woken";
  wakes: (LogWake)[];
}

interface LogSessionsIdle {
  kind: "idle";
  seq: number;
  time: number | null;
  actor: string;
  cause: number | null;
  changes: (LogSet | LogAppear | LogVanish | LogJoin | LogLeave | LogMoveAll)[];
  session: number;
  last: number;
  outcome?: "idle";
  pod?: LogPodRef | null;
}

interface LogSessionOpened {
  kind: "session";
  seq: number;
  time: number | null;
  actor: string;
  cause: number | null;
  changes: (LogSet | LogAppear | LogVanish | LogJoin | LogLeave | LogMoveAll)[];
  session: number;
  actions: (string)[];
  queues: (string)[];
  jobs: { [name: string]: (string)[] };
  deciders: { [name: string]: (string)[] };
  invalid: (LogInvalidJob)[];
  shares: { [name: string]: LogShare };
  outcome?: "opened";
  pod?: LogPodRef | null;
}

interface LogInvalidJob {
  job: string;
  reason: string;
  message: string;
}

interface LogShare {
  share: number;
  resource: string;
}

interface LogEnqueueing {
  kind: "enqueue";
  seq: number;
  time: number | null;
  actor: string;
  cause: number | null;
  changes: (LogSet | LogAppear | LogVanish | LogJoin | LogLeave | LogMoveAll)[];
  session: number;
  action: string;
  job: string;
  queue: string;
  outcome: "entered" | "rejected";
  lacking: (string)[];
  sums?: (LogSum)[];
  pod?: LogPodRef | null;
}

interface LogSum {
  resource: string;
  unit: string;
  allowed: number;
  held: number;
  promised: number;
  asked: number;
}

interface LogPlacement {
  kind: "placement";
  seq: number;
  time: number | null;
  actor: string;
  cause: number | null;
  changes: (LogSet | LogAppear | LogVanish | LogJoin | LogLeave | LogMoveAll)[];
  session: number;
  action: string;
  pod: LogPodRef;
  job: string;
  queue: string;
  role: string;
  outcome: "allocated" | "pipelined" | "refused" | "skipped";
  node: string;
  why: string;
  message: string;
  nodes: number;
  feasible: number;
  reasons: (LogReason)[];
  best: (string)[];
  best_count: number;
  total: number | null;
  victims: (LogVictim)[];
  tiers: ((LogOpinion)[])[];
}

interface LogReason {
  reason: string;
  nodes: number;
}

interface LogOpinion {
  plugin: string;
  chosen: (string)[];
  victims: (string)[];
  or_else?: (string)[];
}

interface LogHyperNodeSearch {
  kind: "hyper_nodes";
  seq: number;
  time: number | null;
  actor: string;
  cause: number | null;
  changes: (LogSet | LogAppear | LogVanish | LogJoin | LogLeave | LogMoveAll)[];
  session: number;
  action: string;
  job: string;
  queue: string;
  outcome: "chosen" | "nowhere";
  tries: (LogHyperNodeTried)[];
  best: (string)[];
  hyper_node: string;
  pod?: LogPodRef | null;
}

interface LogHyperNodeTried {
  hyper_node: string;
  outcome: "pipelined" | "ready" | "short";
  placed: number;
  score: number | null;
  parts: { [name: string]: string };
}

interface LogGang {
  kind: "gang";
  seq: number;
  time: number | null;
  actor: string;
  cause: number | null;
  changes: (LogSet | LogAppear | LogVanish | LogJoin | LogLeave | LogMoveAll)[];
  session: number;
  action: string;
  job: string;
  queue: string;
  outcome: "committed" | "discarded" | "kept";
  bound: (LogPodRef)[];
  evicted: (LogPodRef)[];
  pipelined: (LogPodRef)[];
  ready: number;
  waiting: number;
  min_available: number;
  pods: number;
  pod?: LogPodRef | null;
}

interface LogQueueOverused {
  kind: "overused";
  seq: number;
  time: number | null;
  actor: string;
  cause: number | null;
  changes: (LogSet | LogAppear | LogVanish | LogJoin | LogLeave | LogMoveAll)[];
  session: number;
  action: string;
  queue: string;
  outcome?: "overused";
  pod?: LogPodRef | null;
}

interface LogSessionClosed {
  kind: "close";
  seq: number;
  time: number | null;
  actor: string;
  cause: number | null;
  changes: (LogSet | LogAppear | LogVanish | LogJoin | LogLeave | LogMoveAll)[];
  session: number;
  outcome: "active" | "idle";
  groups: (LogGroupStatus)[];
  messages: (LogPodMessage)[];
  shares: { [name: string]: LogShare };
  bound: number;
  evicted: number;
  pod?: LogPodRef | null;
}

interface LogGroupStatus {
  job: string;
  phase: string;
  reason: string;
  message: string;
}

interface LogPodMessage {
  pod: LogPodRef;
  reason: string;
  message: string;
  nominated: string;
}

interface LogReconciled {
  kind: "reconcile";
  seq: number;
  time: number | null;
  actor: string;
  cause: number | null;
  changes: (LogSet | LogAppear | LogVanish | LogJoin | LogLeave | LogMoveAll)[];
  controller: "cronjob" | "job" | "jobflow" | "jobtemplate" | "podgroup" | "queue" | "ttl";
  object: string;
  outcome: "delayed" | "done" | "dropped" | "failed" | "requeued";
  event: string;
  action: string;
  phase_before: string | null;
  phase: string | null;
  created: (string)[];
  updated: (string)[];
  deleted: (string)[];
  told: (LogObjectEvent)[];
  whose?: LogPodRef | null;
  task?: string;
  exit_code?: number;
  version?: number;
  due?: boolean;
  delay?: number | null;
  error?: string;
  pod?: LogPodRef | null;
}

interface LogObjectEvent {
  object: string;
  type: string;
  reason: string;
  message: string;
}

interface LogWorkloadStep {
  kind: "workload";
  seq: number;
  time: number | null;
  actor: string;
  cause: number | null;
  changes: (LogSet | LogAppear | LogVanish | LogJoin | LogLeave | LogMoveAll)[];
  pod: LogPodRef | null;
  outcome: "completed" | "created" | "deleted" | "failed" | "refused" | "updated";
  object: string;
  created: (string)[];
  updated: (string)[];
  deleted: (string)[];
  message: string | null;
  told: (LogObjectEvent)[];
  wakes: (LogWake)[];
  heard: (LogHeard)[];
}

interface LogRunState {
  at: number;
  time: number | null;
  tables: { nodes?: { [name: string]: LogNodeRow }; pods?: { [name: string]: LogPodRow }; actors?: { [name: string]: LogActorRow }; claims?: { [name: string]: LogClaimRow }; slices?: { [name: string]: LogSliceRow }; cards?: { [name: string]: LogCardRow }; holdings?: { [name: string]: LogHoldingRow }; groups?: { [name: string]: LogGroupRow }; queues?: { [name: string]: LogQueueRow }; jobs?: { [name: string]: LogJobRow }; hyper_nodes?: { [name: string]: LogHyperNodeRow }; whereabouts?: { [name: string]: LogWhereaboutsRow }; [name: string]: any };
  lists: { [name: string]: { [name: string]: { [name: string]: number } } };
}

interface LogTrust {
  nodes_scored: "all" | "sampled";
  not_modelled: (string)[];
  missing: (string)[];
  remedies: (string)[];
  unknown?: (string)[];
  without_effect?: (string)[];
  release?: string;
}

interface LogNodeScores {
  plugins: { [name: string]: number };
  total: number;
}

interface LogDryRun {
  eligible: boolean | null;
  reason: string;
  candidates: { [name: string]: LogDryRunCandidate };
  not_candidates: { [name: string]: LogStatus | null };
  best: (string)[];
  nominated: string;
  victims: (LogPodRef)[];
  cleared: (LogPodRef)[];
  status: string;
}

interface LogDryRunCandidate {
  victims: (LogPodRef)[];
  pdb_violations: number;
}

interface LogExtenderCall {
  extender: string;
  verb: "bind" | "filter" | "preempt" | "prioritize";
  nodes: (string)[];
  fits?: (string)[];
  failed?: { [name: string]: string };
  unresolvable?: { [name: string]: string };
  scores?: { [name: string]: number };
  victims?: { [name: string]: LogDryRunCandidate };
  cards?: LogCardsFound | null;
  policies?: (LogPolicyChoice)[];
  error?: string | null;
}

interface LogPolicyChoice {
  node_policy: string;
  gpu_policy: string;
  own: boolean;
  node: string;
  score: number | null;
  cards: (string)[];
}

interface LogWebhookReview {
  request: { [name: string]: any };
  response: { [name: string]: any };
  patch: ({ [name: string]: any })[];
}

interface LogNodePoints {
  plugins: { [name: string]: number };
  total: number;
}

interface LogVisitedNode {
  node: string;
  status: LogStatus | null;
  numbers: (LogFigure)[];
  scores: { [name: string]: number } | null;
  total: number | null;
  cards?: LogCardsInShort | null;
}

interface LogFigure {
  what: string;
  asked: number;
  free: number;
  unit: string;
  size?: number | null;
}

interface LogCardsInShort {
  reason: string;
  score: number | null;
  slots: number;
  cores: number;
  memory: number;
  refused: { [name: string]: (string)[] };
  given_up: (string)[];
}

interface LogNodeInFull {
  node: string;
  filters?: (LogFilterAnswer)[];
  first_failure?: string | null;
  scores?: (LogScoreAnswer)[];
  total?: number | null;
  nominated_pods_counted?: (LogPodRef)[];
  reprieve?: LogReprieve | null;
  cards?: LogNodeCards | null;
  devices?: LogDevicesTried | null;
}

interface LogFilterAnswer {
  plugin: string;
  code: "Error" | "Unschedulable" | "UnschedulableAndUnresolvable" | null;
  reasons: (string)[];
  numbers: (LogFigure)[];
}

interface LogScoreAnswer {
  plugin: string;
  raw: number;
  normalized: number;
  weight: number;
  weighted: number;
}

interface LogReprieve {
  removed: (LogPodRef)[];
  steps: (LogReprieveStep)[];
  status: LogStatus | null;
}

interface LogReprieveStep {
  pod: LogPodRef;
  violates_budget: boolean;
  outcome: "reprieved" | "victim";
  plugin: string | null;
  reasons: (string)[];
  numbers: (LogFigure)[];
}

interface LogNodeCards {
  extender: string;
  reason: string;
  score: number | null;
  slots: number;
  cores: number;
  memory: number;
  containers: (LogContainerCards)[];
}

interface LogContainerCards {
  container: string;
  vendor: string;
  number: number;
  memory: number;
  percentage: number;
  cores: number;
  cards: (LogCardTried)[];
  reason: string;
}

interface LogCardTried {
  id: string;
  index: number;
  numa: number;
  score: number | null;
  slots: number;
  used: number;
  memory: number;
  used_memory: number;
  cores: number;
  cores_for_pod: number;
  used_cores: number;
  verdict: "fits" | "refused" | "taken" | "unseen";
  reason: string;
  profiles?: (string)[];
  in_use?: (string)[];
  slices?: (string)[];
}

interface LogDevicesTried {
  fits: boolean;
  requests?: (LogRequestTried)[];
  held?: (LogClaimHeld)[];
  unusable?: (LogDevicesAlike)[];
  elsewhere?: number;
  replaced?: number;
  error?: string;
}

interface LogRequestTried {
  claim: string;
  request: string;
  device_class: string;
  number: number | null;
  tried: boolean;
  devices?: (LogDevicesAlike)[];
  resource?: string;
}

interface LogDevicesAlike {
  verdict: "capacity" | "chosen" | "class" | "constraint" | "counters" | "error" | "fits" | "in-use" | "incomplete" | "invalid" | "node" | "request" | "tainted" | "taken" | "too-small" | "unseen";
  reason: string;
  number: number;
  devices: (LogDeviceTried)[];
  about?: string;
}

interface LogDeviceTried {
  device: string;
  said?: string;
  claims?: (string)[];
  pods?: (string)[];
}

interface LogClaimHeld {
  claim: string;
  devices: (string)[];
  usable: boolean;
}

interface LogOrderInFull {
  of: "job" | "pod" | "queue";
  first: string;
  second: string;
  answers: (LogOrderAnswer)[];
  comes_first: string;
  decided_by: string;
}

interface LogOrderAnswer {
  tier: number;
  plugin: string;
  says: "first" | "neutral" | "not asked" | "second";
}

interface LogNodeRow {
  name: string;
  labels: { [name: string]: string };
  allocatable: { [name: string]: number };
  pod_limit: number;
  unschedulable: boolean;
  taints: (LogTaint)[];
  ready?: boolean;
}

interface LogTaint {
  key: string;
  value: string;
  effect: string;
}

interface LogPodRow {
  uid: string;
  namespace: string;
  name: string;
  priority: number;
  labels: { [name: string]: string };
  workload: string;
  requests: { [name: string]: number };
  scheduler: string;
  node?: string;
  nominated?: string;
  start_time?: string | null;
  terminating?: boolean;
  evicted?: boolean;
  comes_back?: boolean;
  replaces?: string | null;
  group?: string;
  devices?: (string)[];
}

interface LogActorRow {
  name: string;
  engine: string;
  profiles: (string)[];
}

interface LogWaitingRow {
  since: number;
  attempts: number;
  plugins: (string)[];
  gate: string;
  gates: (string)[];
  until: number | null;
  latest: number | null;
}

interface LogClaimRow {
  namespace: string;
  name: string;
  owner: string;
  pods: (string)[];
  allocated: boolean;
  devices: (LogClaimedDevice)[];
}

interface LogSliceRow {
  name: string;
  node: string;
  driver: string;
  pool: string;
  generation: number;
  devices: (LogOfferedDevice)[];
  counters?: { [name: string]: number };
}

interface LogOfferedDevice {
  name: string;
  model: string;
  capacity: { [name: string]: string };
  tainted: boolean;
  consumes?: { [name: string]: number };
}

interface LogCardRow {
  node: string;
  id: string;
  vendor: string;
  index: number;
  type: string;
  mode: string;
  numa: number;
  health: boolean;
  slots: number;
  memory: number;
  cores: number;
  used?: number;
  used_memory?: number;
  used_cores?: number;
  slices?: (string)[];
}

interface LogHoldingRow {
  pod: string;
  node: string;
  devices: { [name: string]: (LogHeld)[] };
  slices?: (LogCardSlice)[];
  app_class?: string;
  init_done?: boolean;
}

interface LogHeld {
  id: string;
  memory: number;
  cores: number;
  slots: number;
}

interface LogCardSlice {
  card: string;
  profile: string;
  start: number;
  size: number;
}

interface LogGroupRow {
  namespace: string;
  name: string;
  queue: string;
  priority: number;
  min_member: number;
  min_resources: { [name: string]: number | null };
  phase: string;
  reason?: string;
  message?: string;
  share?: number | null;
}

interface LogQueueRow {
  name: string;
  weight: number;
  priority: number;
  parent: string;
  reclaimable: boolean;
  state: string;
  capability: { [name: string]: number | null };
  guarantee: { [name: string]: number | null };
  deserved?: { [name: string]: number | null };
  allocated?: { [name: string]: number | null };
  request?: { [name: string]: number | null };
  inqueue?: { [name: string]: number | null };
  share?: number | null;
}

interface LogJobRow {
  namespace: string;
  name: string;
  queue: string;
  group: string;
  phase: string;
  since: string | null;
  min_available: number;
  min_success: number | null;
  max_retry: number;
  retry_count: number;
  version: number;
  ttl: number | null;
  tasks: (LogJobTask)[];
  pending?: number;
  running?: number;
  succeeded?: number;
  failed?: number;
  terminating?: number;
  unknown?: number;
}

interface LogJobTask {
  name: string;
  replicas: number;
  min_available: number | null;
  counts: { [name: string]: number };
}

interface LogTaskRow {
  pod: string;
  job: string;
  node: string;
  status: string;
}

interface LogHyperNodeRow {
  name: string;
  tier: number;
  tier_name: string;
  parent: string;
  nodes: (string)[];
}

interface LogWhereaboutsRow {
  job: string;
  hyper_node: string;
  parts: { [name: string]: string };
}

type WholeDecision = WholeAttempt | WholeEviction | WholeCompletion | WholeClusterChange | WholeFlush | WholeSessionsIdle | WholeSessionOpened | WholeEnqueueing | WholePlacement | WholeHyperNodeSearch | WholeGang | WholeQueueOverused | WholeSessionClosed | WholeReconciled | WholeWorkloadStep;

interface WholeAttempt {
  kind: "attempt";
  seq: number;
  time: number | null;
  actor: string;
  cause: number | null;
  changes: (LogSet | LogAppear | LogVanish | LogJoin | LogLeave | LogMoveAll)[];
  pod: LogPodRef;
  attempt: number;
  profile: string;
  outcome: "error" | "gated" | "nominated" | "scheduled" | "unschedulable";
  nominated_before: string;
  nominated_after: string;
  nodes: number;
  visited: number;
  feasible: number;
  preenqueue: LogStatus | null;
  prefilter: LogStatus | null;
  rejections: (LogRejection)[];
  best: (string)[];
  best_count: number;
  chosen: string | null;
  total: number | null;
  message: string | null;
  preemption: LogPreemption | null;
  exchanges?: (LogExchange)[];
  cluster_said?: LogClusterSaid;
  claims?: (LogGivenClaim)[];
  group?: LogTriedGroup;
  prefilter_nodes: (string)[] | null;
  filter: { [name: string]: LogStatus | null };
  scores: { [name: string]: LogNodeScores };
  reserve: LogStatus | null;
  dry_run: LogDryRun | null;
  extenders: (LogExtenderCall)[];
  webhook: LogWebhookReview | null;
  next: string | null;
}

interface WholeEviction {
  kind: "eviction";
  seq: number;
  time: number | null;
  actor: string;
  cause: number | null;
  changes: (LogSet | LogAppear | LogVanish | LogJoin | LogLeave | LogMoveAll)[];
  pod: LogPodRef;
  outcome: "evicted" | "refused" | "skipped" | "tainted";
  node: string;
  message: string | null;
  wakes?: (LogWake)[];
  heard?: (LogHeard)[];
  next: string | null;
}

interface WholeCompletion {
  kind: "completion";
  seq: number;
  time: number | null;
  actor: string;
  cause: number | null;
  changes: (LogSet | LogAppear | LogVanish | LogJoin | LogLeave | LogMoveAll)[];
  pod: LogPodRef;
  outcome: "bound" | "forgotten" | "returned";
  attempt: number;
  node: string;
  wakes: (LogWake)[];
  heard: (LogHeard)[];
  exchanges?: (LogExchange)[];
  next: string | null;
}

interface WholeClusterChange {
  kind: "change";
  seq: number;
  time: number | null;
  actor: string;
  cause: number | null;
  changes: (LogSet | LogAppear | LogVanish | LogJoin | LogLeave | LogMoveAll)[];
  pod: LogPodRef | null;
  outcome: "added" | "asked" | "deleted" | "failed" | "finished" | "gone" | "nothing" | "refused" | "started" | "stopped" | "updated";
  object: string;
  edit: number | null;
  wakes: (LogWake)[];
  heard: (LogHeard)[];
  message?: string;
  next: string | null;
}

interface WholeFlush {
  kind: "flush";
  seq: number;
  time: number | null;
  actor: string;
  cause: number | null;
  changes: (LogSet | LogAppear | LogVanish | LogJoin | LogLeave | LogMoveAll)[];
  pod: null;
  outcome: "woken";
  wakes: (LogWake)[];
  next: string | null;
}

interface WholeSessionsIdle {
  kind: "idle";
  seq: number;
  time: number | null;
  actor: string;
  cause: number | null;
  changes: (LogSet | LogAppear | LogVanish | LogJoin | LogLeave | LogMoveAll)[];
  session: number;
  last: number;
  outcome?: "idle";
  pod?: LogPodRef | null;
  filter?: { [name: string]: LogStatus | null };
  scores?: { [name: string]: LogNodePoints };
  next: string | null;
}

interface WholeSessionOpened {
  kind: "session";
  seq: number;
  time: number | null;
  actor: string;
  cause: number | null;
  changes: (LogSet | LogAppear | LogVanish | LogJoin | LogLeave | LogMoveAll)[];
  session: number;
  actions: (string)[];
  queues: (string)[];
  jobs: { [name: string]: (string)[] };
  deciders: { [name: string]: (string)[] };
  invalid: (LogInvalidJob)[];
  shares: { [name: string]: LogShare };
  outcome?: "opened";
  pod?: LogPodRef | null;
  filter?: { [name: string]: LogStatus | null };
  scores?: { [name: string]: LogNodePoints };
  next: string | null;
}

interface WholeEnqueueing {
  kind: "enqueue";
  seq: number;
  time: number | null;
  actor: string;
  cause: number | null;
  changes: (LogSet | LogAppear | LogVanish | LogJoin | LogLeave | LogMoveAll)[];
  session: number;
  action: string;
  job: string;
  queue: string;
  outcome: "entered" | "rejected";
  lacking: (string)[];
  sums?: (LogSum)[];
  pod?: LogPodRef | null;
  filter?: { [name: string]: LogStatus | null };
  scores?: { [name: string]: LogNodePoints };
  next: string | null;
}

interface WholePlacement {
  kind: "placement";
  seq: number;
  time: number | null;
  actor: string;
  cause: number | null;
  changes: (LogSet | LogAppear | LogVanish | LogJoin | LogLeave | LogMoveAll)[];
  session: number;
  action: string;
  pod: LogPodRef;
  job: string;
  queue: string;
  role: string;
  outcome: "allocated" | "pipelined" | "refused" | "skipped";
  node: string;
  why: string;
  message: string;
  nodes: number;
  feasible: number;
  reasons: (LogReason)[];
  best: (string)[];
  best_count: number;
  total: number | null;
  victims: (LogVictim)[];
  tiers: ((LogOpinion)[])[];
  filter?: { [name: string]: LogStatus | null };
  scores?: { [name: string]: LogNodePoints };
  next: string | null;
}

interface WholeHyperNodeSearch {
  kind: "hyper_nodes";
  seq: number;
  time: number | null;
  actor: string;
  cause: number | null;
  changes: (LogSet | LogAppear | LogVanish | LogJoin | LogLeave | LogMoveAll)[];
  session: number;
  action: string;
  job: string;
  queue: string;
  outcome: "chosen" | "nowhere";
  tries: (LogHyperNodeTried)[];
  best: (string)[];
  hyper_node: string;
  pod?: LogPodRef | null;
  filter?: { [name: string]: LogStatus | null };
  scores?: { [name: string]: LogNodePoints };
  next: string | null;
}

interface WholeGang {
  kind: "gang";
  seq: number;
  time: number | null;
  actor: string;
  cause: number | null;
  changes: (LogSet | LogAppear | LogVanish | LogJoin | LogLeave | LogMoveAll)[];
  session: number;
  action: string;
  job: string;
  queue: string;
  outcome: "committed" | "discarded" | "kept";
  bound: (LogPodRef)[];
  evicted: (LogPodRef)[];
  pipelined: (LogPodRef)[];
  ready: number;
  waiting: number;
  min_available: number;
  pods: number;
  pod?: LogPodRef | null;
  filter?: { [name: string]: LogStatus | null };
  scores?: { [name: string]: LogNodePoints };
  next: string | null;
}

interface WholeQueueOverused {
  kind: "overused";
  seq: number;
  time: number | null;
  actor: string;
  cause: number | null;
  changes: (LogSet | LogAppear | LogVanish | LogJoin | LogLeave | LogMoveAll)[];
  session: number;
  action: string;
  queue: string;
  outcome?: "overused";
  pod?: LogPodRef | null;
  filter?: { [name: string]: LogStatus | null };
  scores?: { [name: string]: LogNodePoints };
  next: string | null;
}

interface WholeSessionClosed {
  kind: "close";
  seq: number;
  time: number | null;
  actor: string;
  cause: number | null;
  changes: (LogSet | LogAppear | LogVanish | LogJoin | LogLeave | LogMoveAll)[];
  session: number;
  outcome: "active" | "idle";
  groups: (LogGroupStatus)[];
  messages: (LogPodMessage)[];
  shares: { [name: string]: LogShare };
  bound: number;
  evicted: number;
  pod?: LogPodRef | null;
  filter?: { [name: string]: LogStatus | null };
  scores?: { [name: string]: LogNodePoints };
  next: string | null;
}

interface WholeReconciled {
  kind: "reconcile";
  seq: number;
  time: number | null;
  actor: string;
  cause: number | null;
  changes: (LogSet | LogAppear | LogVanish | LogJoin | LogLeave | LogMoveAll)[];
  controller: "cronjob" | "job" | "jobflow" | "jobtemplate" | "podgroup" | "queue" | "ttl";
  object: string;
  outcome: "delayed" | "done" | "dropped" | "failed" | "requeued";
  event: string;
  action: string;
  phase_before: string | null;
  phase: string | null;
  created: (string)[];
  updated: (string)[];
  deleted: (string)[];
  told: (LogObjectEvent)[];
  whose?: LogPodRef | null;
  task?: string;
  exit_code?: number;
  version?: number;
  due?: boolean;
  delay?: number | null;
  error?: string;
  pod?: LogPodRef | null;
  next: string | null;
}

interface WholeWorkloadStep {
  kind: "workload";
  seq: number;
  time: number | null;
  actor: string;
  cause: number | null;
  changes: (LogSet | LogAppear | LogVanish | LogJoin | LogLeave | LogMoveAll)[];
  pod: LogPodRef | null;
  outcome: "completed" | "created" | "deleted" | "failed" | "refused" | "updated";
  object: string;
  created: (string)[];
  updated: (string)[];
  deleted: (string)[];
  message: string | null;
  told: (LogObjectEvent)[];
  wakes: (LogWake)[];
  heard: (LogHeard)[];
  next: string | null;
}
