// The reasons that filters give, made short. Pure.

import { lateness } from "../../schedulers/facts.js";

/** Reasons that only say over again what a second reason of the same node says exactly. */
const UMBRELLAS = new Set(["MatchInterPodAffinity", "node(s) didn't match pod affinity/anti-affinity"]);

/** Why a node is no candidate where nobody would have to go for kube-scheduler's own filters: HAMi's cards aren't among them. */
export const UNMOVED = "evicting changes nothing kube-scheduler looks at";
const NO_VICTIM_NEEDED = /^expected at least one victim pod on node /;

/** Whether a node was no candidate because its filters asked for no victim; every node words it with its own name. */
export function isUnmoved(reasons) {
  return NO_VICTIM_NEEDED.test(reasons[0] ?? "");
}

/** The reasons worth saying: without those that another one says exactly. */
export function tellingReasons(reasons) {
  const exact = reasons.filter((reason) => !UMBRELLAS.has(reason));
  return exact.length ? exact : reasons;
}

/**
 * Reasons of rejections ({reasons, nodes}) with the number of their nodes, the most frequent first; but last that a node has
 * no cards at all or too few of the vendor, which most nodes of a cluster may say to every pod that asks for some.
 */
export function reasonCounts(rejections) {
  const byReason = new Map();
  for (const { reasons, nodes } of rejections)
    for (const reason of tellingReasons(reasons)) byReason.set(reason, (byReason.get(reason) ?? 0) + nodes);
  return [...byReason].sort((a, b) => lateness(a[0]) - lateness(b[0]) || b[1] - a[1]);
}

/** Strip what reasons have in common: "node(s) had untolerated taint(s)" -> "untolerated taint(s)", "8/8 CardX" -> "CardX". */
export function shortReason(reason) {
  return reason.replace(/^node\(s\) (had |have |were )?/, "").replace(/^Insufficient /, "insufficient ").replace(/^(\d+)\/\1 (\S+)$/, "$2");
}
