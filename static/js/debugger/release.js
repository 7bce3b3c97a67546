// What a version of kube-scheduler calls things, and what it does that others don't, for the words on the page.
// Pure. In goes the run as REST gives it; which node wins and why is in the log, nothing is decided here.
//
// Source: scheduler_core/kube/releases/table.py and predicates/wording.py; kubernetes v1.8
// plugin/pkg/scheduler and v1.9 to v1.13 pkg/scheduler: core/generic_scheduler.go, scheduler.go (events).

const ALL_CRITERIA = [
  { key: "pdb_violations", label: "budget violations", left: "fewest budget violations" },
  { key: "highest_priority", label: "highest victim", left: "lowest highest victim" },
  { key: "priority_sum", label: "sum of priorities", left: "lowest sum of priorities" },
  { key: "victim_count", label: "victims", left: "fewest victims" },
  { key: "earliest_start", label: "earliest start", left: "latest earliest start" },
  { key: "name", label: "any of the equal", left: "one of the equal" },
];

/** Filters of the framework, in their order. */
const FILTERS = [
  "NodeUnschedulable",
  "NodeName",
  "TaintToleration",
  "NodeAffinity",
  "NodePorts",
  "NodeResourcesFit",
  "VolumeRestrictions",
  "NodeVolumeLimits",
  "VolumeBinding",
  "VolumeZone",
  "PodTopologySpread",
  "InterPodAffinity",
  "DynamicResources",
  "NodeDeclaredFeatures",
];

const GENERAL = "GeneralPredicates";
/** What GeneralPredicates asks, all of it, whatever fails. */
const GENERAL_PARTS = ["PodFitsResources", "PodFitsHostPorts", "MatchNodeSelector"];

/** The reasons of 1.8 and 1.9, which are names: whose they are, and what they stand for. */
const NAMED_REASONS = {
  NodeNotReady: ["CheckNodeCondition", "the node isn't ready"],
  NodeOutOfDisk: ["CheckNodeCondition", "the node is out of disk"],
  NodeNetworkUnavailable: ["CheckNodeCondition", "the node has no network"],
  NodeUnschedulable: ["CheckNodeCondition", "the node is cordoned"],
  MatchNodeSelector: [GENERAL, "the node selector or required node affinity doesn't match"],
  PodFitsHostPorts: [GENERAL, "a host port is taken"],
  NoDiskConflict: ["NoDiskConflict", "a disk is in use by another pod"],
  PodToleratesNodeTaints: ["PodToleratesNodeTaints", "a taint isn't tolerated"],
  NodeUnderMemoryPressure: ["CheckNodeMemoryPressure", "memory pressure, and the pod is best effort"],
  NodeUnderDiskPressure: ["CheckNodeDiskPressure", "disk pressure"],
  MatchInterPodAffinity: ["MatchInterPodAffinity", "pod affinity or anti-affinity"],
  PodAffinityRulesNotMatch: ["MatchInterPodAffinity", "the pod's affinity rules"],
  PodAntiAffinityRulesNotMatch: ["MatchInterPodAffinity", "the pod's anti-affinity rules"],
  ExistingPodsAntiAffinityRulesNotMatch: ["MatchInterPodAffinity", "anti-affinity rules of pods there"],
};

/** Reasons that only say over again what a second reason of the same node says exactly. */
const UMBRELLAS = new Set(["MatchInterPodAffinity", "node(s) didn't match pod affinity/anti-affinity"]);

const HOPELESS = [
  "node selector and node affinity",
  "taints",
  "nodes that are cordoned, not ready or without network",
];

/** 1.36, and whatever else is built on the framework of plugins. */
const FRAMEWORK = {
  filter: "filter",
  filters: "filters",
  score: "plugin",
  scores: "plugins",
  order: FILTERS,
  together: {},
  listsAll: false,
  asksNominatedFirst: true,
  scoresSingle: false,
  annotation: null,
  isHeld: true,
  criteria: ALL_CRITERIA.map(({ key }) => key),
  hasBudgets: true,
  ties: "picks one at random",
  hopeless: [],
  namesNamespace: true,
  isEventOfUid: true,
  isOld: false,
};

/** What 1.8 to 1.13 have in common. */
const PREDICATES = {
  ...FRAMEWORK,
  filter: "predicate",
  filters: "predicates",
  score: "priority function",
  scores: "priority functions",
  together: { [GENERAL]: GENERAL_PARTS },
  asksNominatedFirst: false,
  criteria: ["pdb_violations", "highest_priority", "priority_sum", "victim_count", "name"],
  ties: "takes the equal ones in turn",
  hopeless: HOPELESS,
  isEventOfUid: false,
  isOld: true,
};

const BY_CONDITIONS = ["CheckNodeCondition", GENERAL, "NoDiskConflict", "PodToleratesNodeTaints"];

const RELEASES = {
  "kube-1.8": {
    ...PREDICATES,
    order: [...BY_CONDITIONS, "CheckNodeMemoryPressure", "CheckNodeDiskPressure", "MatchInterPodAffinity"],
    listsAll: true,
    scoresSingle: true,
    annotation: "NominatedNodeName",
    isHeld: false,
    criteria: ["highest_priority", "priority_sum", "victim_count", "name"],
    hasBudgets: false,
    namesNamespace: false,
  },
  "kube-1.9": {
    ...PREDICATES,
    order: [...BY_CONDITIONS, "CheckNodeMemoryPressure", "CheckNodeDiskPressure", "MatchInterPodAffinity"],
    listsAll: true,
    annotation: "NominatedNodeName",
    namesNamespace: false,
  },
  "kube-1.11": {
    ...PREDICATES,
    order: [
      ...BY_CONDITIONS,
      "CheckNodeMemoryPressure",
      "CheckNodePIDPressure",
      "CheckNodeDiskPressure",
      "MatchInterPodAffinity",
    ],
  },
  "kube-1.13": {
    ...PREDICATES,
    order: [
      "CheckNodeUnschedulable",
      GENERAL,
      "NoDiskConflict",
      "PodToleratesNodeTaints",
      "MatchInterPodAffinity",
    ],
    hopeless: [
      "node selector and node affinity",
      "taints",
      "cordoned nodes",
      "the pod's own required affinity",
    ],
  },
};

/**
 * The vocabulary of a run's scheduler: `version` ("1.8"), the words of its profile (see FRAMEWORK), and how the
 * run plays it: `inTurn` (first in, first out, with `whyInTurn`), `hasGrace` (victims stay for a while),
 * `hasPriority` (the feature gate PodPriority).
 */
export function releaseOf(run = {}) {
  const profile = run.scheduler?.profile ?? run.profile ?? "kube-1.36";
  const hasPriority = run.scheduler?.config?.podPriority !== false;
  const known = RELEASES[profile] ?? FRAMEWORK;
  return {
    ...known,
    profile,
    version: profile.replace(/^kube-/, ""),
    isHeld: known.isHeld && hasPriority,
    hasPriority,
    inTurn: run.driver === "fifo" || !hasPriority,
    whyInTurn: hasPriority ? "" : "podPriority is off",
    hasGrace: run.driver === "grace",
  };
}

/** The criteria by which one of these candidates is chosen, in order. */
export function criteriaOf(release, candidates = []) {
  const known = ALL_CRITERIA.filter(({ key }) => release.criteria.includes(key));
  if (candidates.every(countsHighest)) return known;
  return known.map((one) =>
    one.key === "highest_priority" ? { ...one, label: "first victim", left: "lowest first victim" } : one,
  );
}

/** Before 1.36 the first victim stands for the highest; it needn't be that if its budget is broken. */
export function countsHighest({ victims, highest_priority: counted }) {
  return victims.every(({ priority }) => priority <= counted);
}

/** The reasons worth saying: without those that another one says exactly. */
export function tellingReasons(reasons) {
  const exact = reasons.filter((reason) => !UMBRELLAS.has(reason));
  return exact.length ? exact : reasons;
}

/** The predicate that gives a reason, where reasons are names; else none. */
export function predicateOf(reason) {
  return NAMED_REASONS[reason]?.[0] ?? (/^Insufficient /.test(reason) ? GENERAL : "");
}

/** What a reason that is a name stands for; empty for a reason that is a sentence. */
export function meaningOf(reason) {
  return NAMED_REASONS[reason]?.[1] ?? "";
}

/** The predicate that asks this one, or itself: PodFitsResources is asked by GeneralPredicates. */
export function askedBy(release, plugin) {
  const whole = Object.entries(release.together).find(([, parts]) => parts.includes(plugin));
  return whole ? whole[0] : plugin;
}

/** Where a nomination stands, and whether it keeps others out: a sentence. */
export function nominationWords(release, node) {
  const where = release.annotation ? `the annotation ${release.annotation}` : "status.nominatedNodeName";
  const noted = `${release.version} notes ${node} in ${where}`;
  if (!release.isHeld) return `${noted}; nothing holds the room until the pod is tried again.`;
  return `${noted}; until the pod is placed, pods that aren't more important find it counted there.`;
}
