// The funnel: how many nodes each filter took away, and how many candidates each criterion left. Pure figures;
// `bands.js` draws them. Every band says which part of the whole it covers (`from`, `size`).

import { shortReason } from "./sentence.js";
import { count, plural } from "./units.js";

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

const DOMAIN = /^(insufficient )\S+\//;

export const CRITERIA = [
  { key: "pdb_violations", label: "budget violations", left: "fewest budget violations" },
  { key: "highest_priority", label: "highest victim", left: "lowest highest victim" },
  { key: "priority_sum", label: "sum of priorities", left: "lowest sum of priorities" },
  { key: "victim_count", label: "victims", left: "fewest victims" },
  { key: "earliest_start", label: "earliest start", left: "latest earliest start" },
  { key: "name", label: "any of the equal", left: "one of the equal" },
];

/** Where two bands have the same reasons, evicting could help with one and not with the other: say so. */
function toldApart(bands) {
  const twins = bands.filter((band) => bands.some((other) => other !== band && other.label === band.label));
  for (const band of twins.filter(({ code }) => code === "UnschedulableAndUnresolvable")) {
    const never = band.label.replace(/^insufficient /, "never enough ");
    band.label = never === band.label ? `${band.label}, for good` : never;
  }
  return bands;
}

/** Several reasons in few words: "insufficient cpu, memory". */
function together(reasons) {
  const [first, ...others] = reasons.map((reason) => shortReason(reason).replace(DOMAIN, "$1"));
  const same =
    others.every((reason) => reason.startsWith("insufficient ")) && first?.startsWith("insufficient ");
  return [first, ...(same ? others.map((reason) => reason.slice("insufficient ".length)) : others)].join(
    ", ",
  );
}

/** Bands of the filter funnel of an attempt, or none if no node was asked. */
export function filterFunnel(event) {
  const whole = event.nodes;
  const bands = [{ key: "all", label: plural(whole, "node"), size: whole, from: 0, tone: "all" }];
  const apart = whole - event.visited;
  let from = 0;
  if (event.prefilter) return bands;
  if (apart > 0) {
    const label =
      event.nominated_before && event.visited === 1
        ? "not asked: nominated node first"
        : "left out by PreFilter";
    bands.push({ key: "apart", label, size: apart, from, tone: "muted" });
    from += apart;
  }
  const rank = (plugin) => (FILTERS.includes(plugin) ? FILTERS.indexOf(plugin) : FILTERS.length);
  const ordered = [...event.rejections].sort((a, b) => rank(a.plugin) - rank(b.plugin) || b.nodes - a.nodes);
  for (const { plugin, code, reasons, nodes } of ordered) {
    bands.push({
      key: `${plugin}|${code}|${reasons.join("|")}`,
      label: together(reasons) || plugin,
      title: reasons.join(", "),
      plugin,
      code,
      reasons,
      size: nodes,
      from,
      tone: code === "Unschedulable" ? "soft" : "hard",
    });
    from += nodes;
  }
  bands.push({
    key: "fits",
    label: event.feasible === 1 ? "fits" : "fit",
    size: event.feasible,
    from,
    tone: "fits",
    fits: true,
    reasons: [],
  });
  return toldApart(bands);
}

/** Bands of the preemption's funnel: potential, no help, candidates, what each criterion left, the one. */
export function preemptionFunnel(event) {
  const { preemption } = event;
  const whole = event.nodes;
  if (!preemption?.eligible) return [];
  const { potential, candidates, candidate_count: all, eliminated, not_candidates, nominated } = preemption;
  const start = whole - potential;
  const bands = [{ key: "all", label: plural(whole, "node"), size: whole, from: 0, tone: "all" }];
  if (start > 0)
    bands.push({ key: "hopeless", label: "evicting can't help", size: start, from: 0, tone: "hard" });
  bands.push({ key: "potential", label: "evicting could help", size: potential, from: start, tone: "soft" });
  let from = start;
  for (const { plugin, reasons, nodes } of [...not_candidates].sort((a, b) => b.nodes - a.nodes)) {
    const none = reasons[0] === "No preemption victims found for incoming pod";
    bands.push({
      key: `not|${reasons.join("|")}`,
      label: none ? "nobody less important" : `still ${together(reasons)}`,
      title: reasons.join(", "),
      plugin,
      reasons,
      size: nodes,
      from,
      tone: "hard",
      dryRun: true,
    });
    from += nodes;
  }
  bands.push({
    key: "candidates",
    label: all === 1 ? "candidate" : "candidates",
    size: all,
    from,
    tone: "soft",
    nodes: candidates.map((c) => c.node),
  });
  let left = candidates;
  let size = all;
  for (const { key, left: label } of CRITERIA) {
    left = left.filter((candidate) => candidate.lost_at !== key);
    if (!eliminated[key]) continue;
    size -= eliminated[key];
    from += eliminated[key];
    bands.push({ key, label, size, from, tone: "soft", nodes: left.map((c) => c.node) });
  }
  if (nominated)
    bands.push({
      key: "chosen",
      label: nominated,
      size: 1,
      from: whole - 1,
      tone: "chosen",
      nodes: [nominated],
    });
  return bands;
}

/** A funnel as one line of words: "40 nodes → 12 untolerated taint(s) → 0 fit". */
export function funnelLine(bands) {
  return bands
    .map((band) => (band.key === "all" ? band.label : `${count(band.size)} ${band.label}`))
    .join(" → ");
}
