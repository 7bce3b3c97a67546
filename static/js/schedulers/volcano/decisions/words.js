// What the kinds of a session's decisions have in common: how jobs, pods and reasons are called. Pure.

import { jobName } from "../../../job-names.js";
import { strong, words } from "../../../debugger/words/phrases.js";
import { count, plural } from "../../../debugger/words/units.js";
import { whenNotes } from "../../../decisions/generic.js";

/** Marks that stand beside a colour, the same in cells, lists and cards. */
export const MARKS = {
  placed: "→",
  committed: "✓",
  back: "↶",
  pipelined: "◌",
  refused: "✕",
  passed: "−",
  evicts: "▼",
  waits: "·",
};

const TOP = "<cluster-top-hypernode>";

/** A hyper node's name; that of the top, which holds every node, stands for the cluster. */
export const hyperNodeName = (name) => (name === TOP ? "the whole cluster" : name);

/** A pod's name within its job: "worker-3" of ml/bert's bert-worker-3. */
export function nameInJob({ name }, group) {
  const job = jobName(group);
  const begin = `${job.slice(job.indexOf("/") + 1)}-`;
  return name.startsWith(begin) && name.length > begin.length ? name.slice(begin.length) : name;
}

/** Which session a decision is part of, who takes it, and in which action. */
export function sessionNotes({ session, action }, ...others) {
  return [...(action ? [action] : []), ...others.filter(Boolean), `session ${count(session)}`];
}

/** The notes of every kind here; `others` are those of the kind itself. */
export function notesOf(event, schedulers, ...others) {
  const actor = schedulers.length > 1 ? [`by ${event.actor}`] : [];
  return [...sessionNotes(event, ...others), ...actor, ...whenNotes(event)];
}

/** "all 4 insufficient nvidia.com/gpu; 2 untolerated taint", the most frequent first. */
export function refusalParts({ reasons, nodes }) {
  const ranked = [...reasons].sort((a, b) => b.nodes - a.nodes);
  return ranked.flatMap(({ reason, nodes: of }, i) => [
    ...(i ? [words("; ")] : []),
    strong(`${of === nodes ? `all ${count(of)}` : count(of)} ${shortReason(reason)}`),
  ]);
}

/** The same as plain text, for a line of a list: "4 insufficient nvidia.com/gpu". */
export function refusalNote({ reasons }) {
  const ranked = [...reasons].sort((a, b) => b.nodes - a.nodes);
  return ranked.map(({ reason, nodes }) => `${count(nodes)} ${shortReason(reason)}`).join("; ");
}

export function shortReason(reason) {
  return reason
    .split(", ")
    .map((one) => one.replace(/^node\(s\) (had |have |were )?/, "").replace(/^Insufficient /, "insufficient "))
    .join(" and ");
}

/** "1 pod is", "4 pods are" */
export function podsAre(number) {
  return `${plural(number, "pod")} ${number === 1 ? "is" : "are"}`;
}
