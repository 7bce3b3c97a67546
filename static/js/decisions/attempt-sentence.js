// An attempt in one sentence, built from the log's figures: where to, at whose cost, and the one reason that
// decided. Pure.

import { list, node, pod, separated, strong, words } from "../debugger/words/phrases.js";
import { exactPoints, gapBetween } from "../debugger/inspector/tabs/points.js";
import { isUnmoved, shortReason, tellingReasons, UNMOVED } from "../debugger/words/reasons.js";
import { count, plural } from "../debugger/words/units.js";
import { groupSentence, groupVictims, keepsRoom, waitsForGroup, waitsSentence } from "./attempt-group.js";

/** How many pods are named where many did the same. */
const NAMED = 3;

/**
 * `scheduler`: the run's, in its own words; `takers`: the pods that took the room which this pod had made before,
 * if the log shows any ({node, pods}, taken-room.js); `marked`: the victims that were terminating already
 * ([{uid, seq}], past.js).
 */
export function attemptSentence(event, context) {
  if (waitsForGroup(event)) return [...waitsSentence(event), ...groupVictims(event)];
  return [...ownSentence(event, context), ...groupSentence(event), ...groupVictims(event)];
}

function ownSentence(event, { scheduler, seed = null, takers = null, marked = [] }) {
  if (event.outcome === "nominated" && !event.preemption?.nominated) return keepsRoom(event);
  switch (event.outcome) {
    case "scheduled":
      return [...scheduledSentence(event, seed, scheduler), ...takenRoom(takers)];
    case "nominated":
      return nominatedSentence(event, scheduler, takers, marked);
    case "gated":
      return gatedSentence(event);
    case "error":
      return [strong("The attempt ended in an error"), words(event.message ? `: ${event.message}` : ".")];
    default:
      return unschedulableSentence(event, scheduler, takers);
  }
}

function scheduledSentence(event, seed, scheduler) {
  const { chosen, nominated_before: nominated } = event;
  const why = whyThisPlace(event, seed, scheduler);
  if (nominated !== chosen)
    return [words("Goes to "), node(chosen), words(", "), ...why, words("."), ...leavesNomination(nominated, scheduler)];
  const takes = [words("Takes "), node(chosen), words(", the node it was nominated to")];
  if (event.visited < event.nodes) return [...takes, words("; no other node was asked.")];
  return [...takes, words(": "), ...why, words(".")];
}

function leavesNomination(nominated, scheduler) {
  if (!nominated) return [];
  if (scheduler.nomination.is_held) return [words(" It leaves its nomination to "), node(nominated), words(".")];
  return [words(" Its nomination to "), node(nominated), words(" held nothing.")];
}

function whyThisPlace({ best_count: equals, feasible, nodes, total }, seed, scheduler) {
  if (feasible === 1) return [words("the "), strong("only one"), words(` of ${plural(nodes, "node")} that fits`)];
  const points = total === null ? "" : ` (total ${exactPoints(total, scheduler)})`;
  if (equals === 1)
    return [words("the "), strong("best"), words(` of ${plural(feasible, "node")} that fit${points}`)];
  const lots = `the real scheduler ${scheduler.scoring.ties}`;
  const draw = seed === null ? lots : `drawn with seed ${seed}; ${lots}`;
  const all = equals === feasible ? ", all that fit" : "";
  return [strong(`any of ${count(equals)} equal nodes${all}`), words(`${points}; ${draw}`)];
}

function nominatedSentence(event, scheduler, takers, marked) {
  const { preemption } = event;
  const victims = preemption.victims.length;
  const stay = scheduler.playing.has_grace;
  const parts = [
    words("Fits on "),
    strong(`none of ${plural(event.nodes, "node")}`),
    words("."),
    ...takenRoom(takers),
    words(" Evicting "),
    strong(plural(victims, "pod")),
    words(" on "),
    node(preemption.nominated),
    words(stay ? " will make room: " : " makes room: "),
    ...whyThisNode(preemption, scheduler),
    words("."),
  ];
  if (stay) parts.push(...stayingVictims(victims, marked));
  if (preemption.cleared.length) {
    parts.push(words(" It takes the nomination from "), ...list(preemption.cleared.map(pod)), words("."));
  }
  if (!scheduler.nomination.is_held) {
    parts.push(
      words(` ${scheduler.version} notes `),
      node(preemption.nominated),
      words(" in an annotation; "),
      strong("nothing holds the room"),
      words(" until it is tried again."),
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
  if (!marked.length) return [words(` ${who}${until}`)];
  if (marked.length === victims) return [words(` ${who} `), strong(`already, ${since(marked)}`), words(until)];
  return [words(` ${who}, `), strong(`${marked.length} of them already, ${since(marked)}`), words(until)];
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
  const more = pods.length > NAMED ? [words(` and ${plural(pods.length - NAMED, "other")}`)] : [];
  return [
    words(" The room it had made on "),
    node(takers.node),
    words(" was taken by "),
    ...(more.length ? separated(pods.slice(0, NAMED).map(pod)) : list(pods.map(pod))),
    ...more,
    words("."),
  ];
}

/** The last criterion at which a rival dropped out is the one that decided; null if none did. */
export function decidingCriterion(candidates, scheduler) {
  const criteria = scheduler.criteria(candidates);
  const place = ({ lost_at: lost }) => criteria.findIndex(({ key }) => key === lost);
  return criteria[Math.max(-1, ...candidates.map(place))] ?? null;
}

function whyThisNode({ candidates, candidate_count: all, nominated, best_count: equals }, scheduler) {
  const chosen = candidates.find((candidate) => candidate.node === nominated);
  if (all === 1) return [words("it is the "), strong("only node"), words(" where evicting helps")];
  const ties = `, the real scheduler ${scheduler.scoring.candidate_ties}`;
  if (equals > 1) return [...equalCandidates(equals, all), words(ties)];
  const of = `of ${count(all)} candidates `;
  const criterion = decidingCriterion(candidates, scheduler);
  if (!criterion?.decisive) return [words(`${of}it comes first`)];
  const { before, decisive, figure, noun } = criterion;
  return [words(of + before), strong(decisive), words(inBrackets(chosen[figure], noun))];
}

/** " (100)", " (2 victims)", " (2026‑06‑01 00:00:00Z)"; nothing where there is no figure. */
function inBrackets(figure, noun) {
  if (figure === null || figure === undefined) return "";
  if (typeof figure === "string") return ` (${figure.replace("T", "\u00a0").replaceAll("-", "\u2011")})`;
  return noun ? ` (${plural(figure, noun)})` : ` (${figure})`;
}

function equalCandidates(equal, all) {
  if (equal < all) return [words(`of ${count(all)} candidates `), strong(`${count(equal)} are equal`)];
  return [strong(all === 2 ? "both candidates" : `all ${count(all)} candidates`), words(" are equal")];
}

function unschedulableSentence(event, scheduler, takers) {
  if (event.prefilter) {
    const { plugin, reasons } = event.prefilter;
    return [
      words("Is turned away "),
      strong("before any node is asked"),
      words(`: ${plugin} says ${reasons.join(", ")}.`),
      ...takenRoom(takers),
      ...preemptionHalf(event, scheduler),
    ];
  }
  const fits = [words("Fits on "), strong(`none of ${plural(event.nodes, "node")}`)];
  const { ranked, isOverlapping } = countedReasons(event);
  const [main, ...others] = ranked;
  const then = [...takenRoom(takers), ...preemptionHalf(event, scheduler)];
  if (!main) return [...fits, words("."), ...then];
  const rest = others.slice(0, 2).map(([reason, nodes]) => `${count(nodes)} ${shortReason(reason)}`);
  if (others.length > 2) rest.push(plural(others.length - 2, "more reason"));
  const everyone = main[1] === event.nodes ? `all ${count(main[1])}` : count(main[1]);
  const { note } = scheduler.counting;
  const several = isOverlapping && note ? ` (a node counts at ${note})` : "";
  return [
    ...fits,
    words(": "),
    strong(`${everyone} ${shortReason(main[0])}`),
    words(`${rest.length ? `; ${rest.join(", ")}` : ""}${several}.`),
    ...then,
  ];
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

function preemptionHalf({ preemption, pod: own, nominated_before: nominated }, scheduler) {
  if (!preemption || preemption.eligible === null) return [];
  if (!preemption.eligible) {
    const reason = preemption.reason.replace(/^not eligible due to /, "").replace(/\.$/, "");
    return [words(" It may not preempt: "), strong(reason), words(".")];
  }
  const loses = preemption.cleared.some(({ uid }) => uid === own.uid) && nominated;
  const lost = loses ? [words(" It loses its nomination to "), node(nominated), words(".")] : [];
  if (!preemption.potential) return [words(" "), strong("Evicting can't help"), words(" on any of them."), ...lost];
  const [most] = [...preemption.not_candidates].sort((a, b) => b.nodes - a.nodes);
  const because = !most
    ? ""
    : most.reasons[0] === scheduler.preemption.no_victims
      ? ": nobody there is less important"
      : isUnmoved(most.reasons)
        ? `: ${UNMOVED}`
        : `: ${shortReason(tellingReasons(most.reasons)[0])} even then`;
  const where =
    preemption.potential === 1
      ? "the one node where evicting could help"
      : `the ${count(preemption.potential)} nodes where evicting could help`;
  return [words(" It finds "), strong("no victims"), words(` on ${where}${because}.`)];
}

function gatedSentence(event) {
  const { plugin, reasons } = event.preenqueue ?? { plugin: "PreEnqueue", reasons: [] };
  return [
    strong("Waits outside of the queue"),
    words(`: ${plugin} holds it back${reasons.length ? ` (${reasons.join(", ")})` : ""}.`),
  ];
}

/** What the cluster's own scheduler said of the pod, where this attempt contradicts it; empty otherwise. */
export function clusterSaid({ cluster_said: said }) {
  if (!said) return "";
  const when = said.time ? ` on ${said.time.replace("T", " ")}` : "";
  return `The cluster said “${said.message}”${when}, before anything that this run did.`;
}

/** What binds, as the engine says it, with the nearest node as a link. */
export function bindingSentence(says, nearest) {
  if (!nearest || !says.includes(nearest)) return [words(says)];
  const [before, ...after] = says.split(nearest);
  return [words(before), node(nearest), words(after.join(nearest))];
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
    words(` decides: +${decided.lead} over `),
    node(second.node),
    words(decided.lead === gap ? ", the next." : `, the next; ${gap} in all.`),
  ];
}
