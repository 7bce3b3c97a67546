// A pod that was tried with its pod group (scheduling.k8s.io), in sentences. Pure.

import { node, strong, words } from "../debugger/words/phrases.js";
import { count, plural } from "../debugger/words/units.js";

/** How the gang stands; nothing for a pod that was tried alone, and for a gang that has all that it needs already. */
export function groupSentence({ group }) {
  if (!group?.min_count || group.placed >= group.min_count) return [];
  const { name, found, placed, members, min_count: needed, fits } = group;
  const there = found + placed;
  const of = `${count(there)} of ${plural(members + placed, "pod")} found a node, ${count(needed)} are needed`;
  if (fits) return [words(` Its gang ${name} is placed: ${of}.`)];
  if (group.reason === "SchedulerError") return [words(` Its gang ${name} ends with an error.`)];
  if (there < needed) return [words(` Its gang ${name} is `), strong(`short by ${count(needed - there)}`), words(`: ${of}.`)];
  return [words(` Its gang ${name} `), strong("waits"), words(` until pods have left: ${of}.`)];
}

/** Whether a node was there for the pod, and it isn't placed since its group is not. */
export const waitsForGroup = ({ group, outcome, feasible }) => Boolean(group) && outcome === "unschedulable" && feasible > 0;

/** What the group's own preemption does, with its first decision; nothing otherwise. */
export function groupVictims({ group }) {
  if (!group?.victims.length) return [];
  const guarded = group.victims.filter((victim) => victim.violates_budget).length;
  const against = guarded ? `, ${count(guarded)} against a disruption budget` : "";
  return [words(" For the whole gang "), strong(`${plural(group.victims.length, "pod")} ${group.victims.length === 1 ? "is" : "are"} evicted`), words(`${against}.`)];
}

/** A pod that found a node, but not its whole gang. What the gang lacks stands in why the pod waits. */
export function waitsSentence({ feasible, group }) {
  const of = `${count(group.found + group.placed)} of ${plural(group.members + group.placed, "pod")} found a node`;
  return [words("Fits on "), strong(plural(feasible, "node")), words(`; its gang ${group.name} is `), strong("not placed"), words(`: ${of}.`)];
}

/** A member that keeps a node for which others go. */
export const keepsRoom = ({ nominated_after: on }) => [words("Keeps room on "), node(on), words(" until its gang can be placed.")];
