// What the page's parts need to know of a run's schedulers without drawing: who works in sessions, what the find box finds,
// why nobody looks at a pod. To add a scheduler: its own `facts.js`, and its name in SCHEDULERS; types/scheduler.d.ts says
// what stands there. Pure.

import { isDevice } from "../debugger/map/loads.js";
import { ACTORS } from "../effects.js";
import { hami } from "./hami/facts.js";
import { volcano } from "./volcano/facts.js";

/** @type {SchedulerFacts[]} */
const SCHEDULERS = [volcano, hami];

const worksInSessions = ({ engine }) => SCHEDULERS.some(({ isSessionEngine }) => isSessionEngine?.(engine));

/** The names by which pods ask for a scheduler that works in sessions. */
export function sessionProfiles(fold) {
  const { rows } = fold.tables.table(ACTORS);
  return rows.filter(worksInSessions).flatMap(({ profiles }) => profiles);
}

/** Whether a pod is for a scheduler that works in sessions. */
export function isOfSessions(fold, pod) {
  return sessionProfiles(fold).includes(fold.pods[pod].scheduler);
}

/** Whether somebody acts beside the schedulers that work in sessions. */
export function hasOthers(fold) {
  const { rows } = fold.tables.table(ACTORS);
  return rows.some((actor) => actor.profiles.length > 0 && !worksInSessions(actor));
}

/** The resources in which the cluster is counted, what a page opens with first: cards, where sessions hand them out. */
export function resourcesToShow(fold, resources) {
  const first = sessionProfiles(fold).length > 0 && resources.find(isDevice);
  return first ? [first, ...resources.filter((name) => name !== first)] : resources;
}

/** What the find box finds beside nodes and pods: functions of (parts, letters), as those in search/finding.js. */
export const finders = SCHEDULERS.flatMap(({ finders: own = [] }) => own);

/** Whether a finder of its own finds the objects of a kind, so that they are no workloads beside that. */
export const isFoundAsOwn = (kind) => SCHEDULERS.some(({ foundKinds = [] }) => foundKinds.includes(kind));

/** Why a scheduler that works in sessions ignores a pod that waits for it; "" where it doesn't. `texts`: the run's words. */
export function whySessionsIgnore(fold, pod, texts) {
  for (const { whyIgnoresPod } of SCHEDULERS) if (whyIgnoresPod) return whyIgnoresPod(fold, pod, texts);
  return "";
}

/** What is to be said beside "asks nothing" in this run, or "". */
export function noteOnNothing(fold) {
  return SCHEDULERS.map(({ noteOnNothing: note }) => note?.(fold)).find(Boolean) ?? "";
}

/** How late a reason is said: behind the others come those that most pods hear of most nodes anyway. */
export function lateness(reason) {
  return Math.max(0, ...SCHEDULERS.map((scheduler) => scheduler.lateness?.(reason) ?? 0));
}
