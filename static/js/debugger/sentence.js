// The answer in one sentence, built from the log's figures: who, where to, at whose cost, and the one reason
// that decided. A sentence is a list of parts, {text, strong?, node?, pod?}, so that it can be drawn with
// links, and read or copied as plain text.

import { countsHighest, criteriaOf, releaseOf, tellingReasons } from "./release.js";
import { exactPoints, gapBetween } from "./points.js";
import { count, plural } from "./units.js";

/** How many pods are named where many did the same. */
const NAMED = 3;

const t = (text) => ({ text });
const strong = (text) => ({ text, strong: true });
const node = (name) => ({ text: name, strong: true, node: name });
const pod = (ref) => ({ text: `${ref.namespace}/${ref.name}`, strong: true, pod: ref.uid });

/**
 * `release` is the scheduler's vocabulary (release.js); `takers` are the pods that took the room which this pod
 * had made before, if the log shows any ({node, pods}, taken-room.js); `marked` are the victims that were
 * terminating already ([{uid, seq}], past.js).
 */
export function sentence(event, { seed = null, release = releaseOf(), takers = null, marked = [] } = {}) {
  if (event.kind === "eviction") return evictionSentence(event);
  switch (event.outcome) {
    case "scheduled":
      return [...scheduledSentence(event, seed, release), ...takenRoom(takers)];
    case "nominated":
      return nominatedSentence(event, release, takers, marked);
    case "gated":
      return gatedSentence(event);
    case "error":
      return [strong("The attempt ended in an error"), t(event.message ? `: ${event.message}` : ".")];
    default:
      return unschedulableSentence(event, release, takers);
  }
}

export function plain(parts) {
  return parts.map((part) => part.text).join("");
}

/** Strip what every reason has in common: "node(s) had untolerated taint(s)" -> "untolerated taint(s)". */
export function shortReason(reason) {
  return reason.replace(/^node\(s\) (had |have |were )?/, "").replace(/^Insufficient /, "insufficient ");
}

function scheduledSentence(event, seed, release) {
  const { chosen, nominated_before: nominated } = event;
  const why = whyThisPlace(event, seed, release);
  if (nominated !== chosen)
    return [t("Goes to "), node(chosen), t(", "), ...why, t("."), ...leavesNomination(nominated, release)];
  const takes = [t("Takes "), node(chosen), t(", the node it was nominated to")];
  if (event.visited < event.nodes) return [...takes, t("; no other node was asked.")];
  return [...takes, t(": "), ...why, t(".")];
}

function leavesNomination(nominated, release) {
  if (!nominated) return [];
  if (release.isHeld) return [t(" It leaves its nomination to "), node(nominated), t(".")];
  return [t(" Its nomination to "), node(nominated), t(" held nothing.")];
}

function whyThisPlace({ best_count: equals, feasible, nodes, total }, seed, release) {
  if (feasible === 1) return [t("the "), strong("only one"), t(` of ${plural(nodes, "node")} that fits`)];
  const points = total === null ? "" : ` (total ${exactPoints(total)})`;
  if (equals === 1)
    return [t("the "), strong("best"), t(` of ${plural(feasible, "node")} that fit${points}`)];
  const lots = `the real scheduler ${release.ties}`;
  const draw = seed === null ? lots : `drawn with seed ${seed}; ${lots}`;
  const all = equals === feasible ? ", all that fit" : "";
  return [strong(`any of ${count(equals)} equal nodes${all}`), t(`${points}; ${draw}`)];
}

function nominatedSentence(event, release, takers, marked) {
  const { preemption } = event;
  const victims = preemption.victims.length;
  const stay = release.hasGrace;
  const parts = [
    t("Fits on "),
    strong(`none of ${plural(event.nodes, "node")}`),
    t("."),
    ...takenRoom(takers),
    t(" Evicting "),
    strong(plural(victims, "pod")),
    t(" on "),
    node(preemption.nominated),
    t(stay ? " will make room: " : " makes room: "),
    ...whyThisNode(preemption, release),
    t("."),
  ];
  if (stay) parts.push(...stayingVictims(victims, marked));
  if (preemption.cleared.length) {
    parts.push(t(" It takes the nomination from "), ...list(preemption.cleared.map(pod)), t("."));
  }
  if (!release.isHeld) {
    parts.push(
      t(` ${release.version} notes `),
      node(preemption.nominated),
      t(" in an annotation; "),
      strong("nothing holds the room"),
      t(" until it is tried again."),
    );
  }
  return parts;
}

/** Victims stay for a while, and may have been marked by an earlier decision. */
function stayingVictims(victims, marked) {
  const [who, until] =
    victims === 1
      ? ["The victim is terminating", ": until it is gone, it takes its room."]
      : ["The victims are terminating", ": until they are gone, they take their room."];
  if (!marked.length) return [t(` ${who}${until}`)];
  if (marked.length === victims) return [t(` ${who} `), strong(`already, ${since(marked)}`), t(until)];
  return [t(` ${who}, `), strong(`${marked.length} of them already, ${since(marked)}`), t(until)];
}

/** "since decision 3", "from the start and since decision 5" */
function since(marked) {
  const decisions = new Set(marked.map(({ seq }) => seq));
  return [...decisions].map((seq) => (seq ? `since decision ${count(seq)}` : "from the start")).join(" and ");
}

/** Who took the room that this pod had made by an earlier preemption. */
function takenRoom(takers) {
  if (!takers) return [];
  const { pods } = takers;
  const more = pods.length > NAMED ? [t(` and ${plural(pods.length - NAMED, "other")}`)] : [];
  return [
    t(" The room it had made on "),
    node(takers.node),
    t(" was taken by "),
    ...(more.length ? separated(pods.slice(0, NAMED).map(pod)) : list(pods.map(pod))),
    ...more,
    t("."),
  ];
}

/** The last criterion at which a rival dropped out is the one that decided. */
export function decidingCriterion(candidates, release = releaseOf()) {
  const keys = criteriaOf(release).map(({ key }) => key);
  const decided = Math.max(-1, ...candidates.map(({ lost_at: lost }) => keys.indexOf(lost)));
  return decided < 0 ? null : keys[decided];
}

function whyThisNode({ candidates, candidate_count: all, nominated, best_count: equals }, release) {
  const chosen = candidates.find((candidate) => candidate.node === nominated);
  if (all === 1) return [t("it is the "), strong("only node"), t(" where evicting helps")];
  const of = `of ${count(all)} candidates `;
  if (equals > 1)
    return [...equalCandidates(equals, all), t(", the real scheduler picks one of them at random")];
  switch (decidingCriterion(candidates, release)) {
    case "pdb_violations":
      return [t(`${of}it violates the `), strong("fewest budgets"), t(` (${chosen.pdb_violations})`)];
    case "highest_priority":
      return [
        t(`${of}its ${candidates.every(countsHighest) ? "highest" : "first"} victim has the `),
        strong("lowest priority"),
        t(` (${chosen.highest_priority})`),
      ];
    case "priority_sum":
      return [
        t(`${of}its victims' `),
        strong("priorities weigh least"),
        t(` (${plural(chosen.victim_count, "victim")})`),
      ];
    case "victim_count":
      return [t(`${of}it has the `), strong("fewest victims"), t(` (${chosen.victim_count})`)];
    case "earliest_start":
      return [
        t(`${of}its most important victim `),
        strong("started last"),
        t(
          chosen.earliest_start
            ? ` (${chosen.earliest_start.replace("T", "\u00a0").replaceAll("-", "\u2011")})`
            : "",
        ),
      ];
    default:
      return [t(`${of}it comes first`)];
  }
}

function equalCandidates(equal, all) {
  if (equal < all) return [t(`of ${count(all)} candidates `), strong(`${count(equal)} are equal`)];
  return [strong(all === 2 ? "both candidates" : `all ${count(all)} candidates`), t(" are equal")];
}

function unschedulableSentence(event, release, takers) {
  if (event.prefilter) {
    const { plugin, reasons } = event.prefilter;
    return [
      t("Is turned away "),
      strong("before any node is asked"),
      t(`: ${plugin} says ${reasons.join(", ")}.`),
      ...takenRoom(takers),
      ...preemptionHalf(event),
    ];
  }
  const fits = [t("Fits on "), strong(`none of ${plural(event.nodes, "node")}`)];
  const { ranked, isOverlapping } = countedReasons(event);
  const [main, ...others] = ranked;
  const then = [...takenRoom(takers), ...preemptionHalf(event)];
  if (!main) return [...fits, t("."), ...then];
  const rest = others.slice(0, 2).map(([reason, nodes]) => `${count(nodes)} ${shortReason(reason)}`);
  if (others.length > 2) rest.push(plural(others.length - 2, "more reason"));
  const everyone = main[1] === event.nodes ? `all ${count(main[1])}` : count(main[1]);
  const several = isOverlapping && release.isOld ? ` (a node counts at ${countedAt(release)})` : "";
  return [
    ...fits,
    t(": "),
    strong(`${everyone} ${shortReason(main[0])}`),
    t(`${rest.length ? `; ${rest.join(", ")}` : ""}${several}.`),
    ...then,
  ];
}

/** What a node counts at where predicates, or one of them, name all that fails: GeneralPredicates does. */
function countedAt({ listsAll }) {
  return listsAll ? "all that it fails" : "all that its first failing predicate names";
}

/** Reasons by the number of their nodes, and whether a node has more than one. */
function countedReasons({ rejections }) {
  const byReason = new Map();
  let isOverlapping = false;
  for (const { reasons, nodes } of rejections) {
    const telling = tellingReasons(reasons);
    if (telling.length > 1) isOverlapping = true;
    for (const reason of telling) byReason.set(reason, (byReason.get(reason) ?? 0) + nodes);
  }
  return { ranked: [...byReason].sort((a, b) => b[1] - a[1]), isOverlapping };
}

function preemptionHalf({ preemption, pod: own, nominated_before: nominated }) {
  if (!preemption || preemption.eligible === null) return [];
  if (!preemption.eligible) {
    const reason = preemption.reason.replace(/^not eligible due to /, "").replace(/\.$/, "");
    return [t(" It may not preempt: "), strong(reason), t(".")];
  }
  const loses = preemption.cleared.some(({ uid }) => uid === own.uid) && nominated;
  const lost = loses ? [t(" It loses its nomination to "), node(nominated), t(".")] : [];
  if (!preemption.potential) return [t(" "), strong("Evicting can't help"), t(" on any of them."), ...lost];
  const [most] = [...preemption.not_candidates].sort((a, b) => b.nodes - a.nodes);
  const because = !most
    ? ""
    : most.reasons[0] === "No preemption victims found for incoming pod"
      ? ": nobody there is less important"
      : `: ${shortReason(tellingReasons(most.reasons)[0])} even then`;
  const where =
    preemption.potential === 1
      ? "the one node where evicting could help"
      : `the ${count(preemption.potential)} nodes where evicting could help`;
  return [t(" It finds "), strong("no victims"), t(` on ${where}${because}.`)];
}

function gatedSentence(event) {
  const { plugin, reasons } = event.preenqueue ?? { plugin: "PreEnqueue", reasons: [] };
  return [
    strong("Waits outside of the queue"),
    t(`: ${plugin} holds it back${reasons.length ? ` (${reasons.join(", ")})` : ""}.`),
  ];
}

function evictionSentence(event) {
  if (event.outcome === "evicted")
    return [t("Is "), strong("evicted from "), node(event.node), t(", as an edit asks.")];
  const why = (event.message ?? "").replace(/\.$/, "");
  if (event.outcome === "refused")
    return [strong("Stays on "), node(event.node), t(`: its eviction is refused${why && `, ${why}`}.`)];
  return [strong("Is left alone on "), node(event.node), t(why ? `: ${why}.` : ".")];
}

function separated(items) {
  return items.flatMap((item, i) => (i === 0 ? [item] : [t(", "), item]));
}

function list(items) {
  return items.flatMap((item, i) => (i === 0 ? [item] : [t(i === items.length - 1 ? " and " : ", "), item]));
}

/** Why the best node beat the next: the plugin with the largest lead, from the scores by total. */
export function leadSentence(rows, best) {
  const winner = rows[0];
  const second = rows.find((row) => !best.includes(row.node));
  if (!winner || !second) return [];
  let decided = null;
  for (const plugin of Object.keys(winner.plugins)) {
    const lead = winner.plugins[plugin] - (second.plugins[plugin] ?? 0);
    if (!decided || lead > decided.lead) decided = { plugin, lead };
  }
  const gap = gapBetween(winner, second);
  return [
    strong(decided.plugin),
    t(` decides: +${decided.lead} over `),
    node(second.node),
    t(decided.lead === gap ? ", the next." : `, the next; ${gap} in all.`),
  ];
}
