// The funnel: how many nodes each filter took away, and how many candidates each criterion left. Pure figures;
// `bands.js` draws them. Every band says which part of the whole it covers (`from`, `size`).

import { isUnmoved, shortReason, tellingReasons, UNMOVED } from "../../words/reasons.js";
import { count, plural } from "../../words/units.js";

const DOMAIN = /^(insufficient )\S+\//;
const CURABLE = "Unschedulable";

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
  const [first, ...others] = tellingReasons(reasons).map((reason) =>
    shortReason(reason).replace(DOMAIN, "$1"),
  );
  const same =
    others.every((reason) => reason.startsWith("insufficient ")) && first?.startsWith("insufficient ");
  return [first, ...(same ? others.map((reason) => reason.slice("insufficient ".length)) : others)].join(
    ", ",
  );
}

/** Bands of the filter funnel of an attempt, or only the first if no node was asked; `sentTo`: who is asked next about those that fit. */
export function filterFunnel(event, scheduler) {
  const whole = event.nodes;
  /** @type {any[]} */
  const bands = [{ key: "all", label: plural(whole, "node"), size: whole, from: 0, tone: "all" }];
  if (event.prefilter) return bands;
  const apart = whole - event.visited;
  if (apart > 0) bands.push(apartBand(event, apart));
  bands.push(...(scheduler.counting.lists_all
      ? reasonBands(event, scheduler, apart)
      : rejectionBands(event, scheduler, apart)));
  bands.push({
    key: "fits",
    label: event.sentTo ? `sent to ${event.sentTo}` : event.feasible === 1 ? "fits" : "fit",
    size: event.feasible,
    from: whole - event.feasible,
    tone: "fits",
    fits: true,
    reasons: [],
  });
  return toldApart(bands);
}

function apartBand(event, size) {
  const isNominatedAlone = event.nominated_before && event.visited === 1;
  const label = isNominatedAlone ? "not asked: nominated node first" : "left out by PreFilter";
  return { key: "apart", label, size, from: 0, tone: "muted" };
}

/** A band for each distinct rejection: a node counts at the first that rejected it. */
function rejectionBands(event, scheduler, start) {
  const rank = (plugin) => scheduler.rank(event.profile, plugin);
  const ordered = [...event.rejections].sort((a, b) => rank(a.plugin) - rank(b.plugin) || b.nodes - a.nodes);
  let from = start;
  return ordered.map(({ plugin, code, reasons, nodes }) => {
    const band = {
      key: `${plugin}|${code}|${reasons.join("|")}`,
      label: together(reasons) || plugin,
      title: reasons.join(", "),
      plugin,
      code,
      reasons,
      size: nodes,
      from,
      tone: toneOf(code),
    };
    from += nodes;
    return band;
  });
}

/**
 * A band for each reason where all failures of a node are listed: a node counts at every reason. Nodes that
 * fail alike lie at one place in all bands, those that no eviction cures first.
 */
function reasonBands(event, scheduler, start) {
  const bands = new Map();
  let from = start;
  for (const { code, reasons, nodes } of hopelessFirst(event.rejections)) {
    for (const reason of new Set(tellingReasons(reasons))) {
      if (!bands.has(reason)) bands.set(reason, reasonBand(reason, scheduler, from));
      const band = bands.get(reason);
      band.size += nodes;
      band.hopeless += code === CURABLE ? 0 : nodes;
      addSegment(band.segments, { from, size: nodes, tone: toneOf(code) });
    }
    from += nodes;
  }
  return [...bands.values()].sort((a, b) => b.size - a.size).map((band) => withTitle(band, scheduler));
}

function hopelessFirst(rejections) {
  return [...rejections].sort(
    (a, b) =>
      Number(a.code === CURABLE) - Number(b.code === CURABLE) || b.reasons.length - a.reasons.length || b.nodes - a.nodes,
  );
}

function reasonBand(reason, scheduler, from) {
  return {
    key: `reason|${reason}`,
    label: together([reason]),
    plugin: scheduler.filterOf(reason),
    reason,
    reasons: [reason],
    size: 0,
    hopeless: 0,
    from,
    segments: [],
  };
}

function withTitle({ hopeless, ...band }, scheduler) {
  const meaning = scheduler.meaningOf(band.reason);
  const all = hopeless === band.size;
  const never = all ? "evicting can't help there" : `evicting can't help on ${count(hopeless)} of them`;
  return {
    ...band,
    title: meaning ? `${band.reason}: ${meaning}` : band.reason,
    note: hopeless > 0 ? never : "",
    tone: band.segments[0].tone,
  };
}

function addSegment(segments, { from, size, tone }) {
  const last = segments.at(-1);
  if (last && last.tone === tone && last.from + last.size === from) last.size += size;
  else segments.push({ from, size, tone });
}

function toneOf(code) {
  return code === CURABLE ? "soft" : "hard";
}

/** Whether nodes may be counted in more than one of these bands. */
export function isOverlapping(bands) {
  return bands.filter(({ reason }) => reason).length > 1;
}

export function overlapWords({ version, terms }) {
  const asked = `${version} asks every ${terms.filter} and names all that fail`;
  return `${asked}: a node is counted at each, so the bars overlap.`;
}

/** The rejections with those that name a node each, because it needs no victim, as one. */
function unmovedTogether(rejections) {
  const unmoved = rejections.filter(({ reasons }) => isUnmoved(reasons));
  const others = rejections.filter((one) => !unmoved.includes(one)).map((one) => ({ ...one, unmoved: false }));
  if (!unmoved.length) return others;
  const nodes = unmoved.reduce((sum, one) => sum + one.nodes, 0);
  return [...others, { ...unmoved[0], nodes, unmoved: true }];
}

/** Bands of the preemption's funnel: potential, no help, candidates, what each criterion left, the one. */
export function preemptionFunnel(event, scheduler) {
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
  for (const { plugin, reasons, nodes, unmoved } of unmovedTogether(not_candidates).sort((a, b) => b.nodes - a.nodes)) {
    const none = reasons[0] === scheduler.preemption.no_victims;
    bands.push({
      key: unmoved ? "not|unmoved" : `not|${reasons.join("|")}`,
      label: none ? "nobody less important" : unmoved ? UNMOVED : `still ${together(reasons)}`,
      unmoved,
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
  for (const { key, left: label } of scheduler.criteria(candidates)) {
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
