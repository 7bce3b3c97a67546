// What the page knows of the gang of a decision: its pods and how they stand there, its minimum, and what is missing.

import { openTasks } from "../sessions/tasks.js";
import { groupRows, membersOf } from "./rows.js";
import { podStates, standing } from "./gang-states.js";
import { eventsAt, numbersOf } from "../sessions/sessions.js";

/**
 * Draw what needs the gang of a decision's job; later, where the log's window has lost a part of its statement.
 * `draw` gets {job, group, states, min, size, standing, settledAt}: `settledAt` is the decision that ends the tries, or null.
 */
export function withGang(tools, event, draw) {
  return withEvents(tools, tools.sessions.spanOf("job", event.seq), (events) => draw(gangOf(tools, event, events)));
}

/** Draw what needs the decisions of a span; later, where the log's window has lost some. */
export function withEvents(tools, span, draw) {
  return withDecisions(tools, numbersOf(span), draw);
}

/** The same of decisions by their numbers. */
export function withDecisions(tools, numbers, draw) {
  const events = eventsAt(tools.log, numbers);
  return Array.isArray(events) ? draw(events) : tools.later(events, draw);
}

function gangOf({ fold, scheduler }, event, events) {
  const { job, seq } = event;
  const tries = events.filter(({ kind }) => kind === "placement");
  const end = events.find(({ kind }) => kind === "gang");
  const settled = end && end.seq <= seq ? end : null;
  const group = groupRows(fold).get(job);
  const min = event.min_available ?? end?.min_available ?? group?.min_member ?? 0;
  const tasks = openTasks(fold);
  const states = podStates({
    ...{ job, members: pods(fold, job, tries), settled },
    statement: tries.filter((one) => one.seq <= seq),
    task: (uid) => tasks.get(fold.podIndex.get(uid)),
    node: (uid) => nodeOf(fold, uid),
    refusal: (one) => scheduler.refusal(one),
  });
  return { job, group, states, min, size: states.length, standing: standing(states, min, settled), settledAt: end?.seq ?? null };
}

/** The job's pods: those that are there, and who is tried as one of it. */
function pods(fold, job, tries) {
  const there = membersOf(fold, job).map((pod) => fold.pods[pod]);
  return [...new Map([...there, ...tries.map(({ pod }) => pod)].map((pod) => [pod.uid, pod])).values()];
}

function nodeOf(fold, uid) {
  const pod = fold.podIndex.get(uid);
  return pod !== undefined && fold.hasPod(pod) ? fold.pods[pod].node : "";
}
