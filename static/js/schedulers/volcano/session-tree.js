// A session as a tree: its actions, their queues, the jobs with what was tried for them, their pods. Pure, from the
// session's decisions; the log is known, so that a try that is taken back later says so.
//
// A branch is {key, seq, mark, tone, words, note, struck, children}: `seq` is the decision to which a press goes, for
// what has children the last one below it. One with `isLine` is a decision's line itself: what is below it tells of the same.

import { jobName } from "../../job-names.js";
import { MARKS, hyperNodeName, nameInJob, refusalNote } from "./decisions/words.js";
import { count, plural } from "../../debugger/words/units.js";

/** From so many pods on that were passed over for the same reason they are one branch. */
const ALIKE = 3;
/** A tree with no more lines than these is shown whole, but for pods that are one branch. */
const WHOLE = 30;

/**
 * The branches of a session's decisions, which begin with its opening as far as they are there; `scheduler` has the words
 * for refusals.
 */
export function sessionTree(decisions, scheduler) {
  const events = decisions.map((event) => (event.kind === "placement" ? { ...event, whyNot: scheduler.refusal(event) } : event));
  const opened = events.find(({ kind }) => kind === "session");
  const closed = events.find(({ kind }) => kind === "close");
  const inActions = events.filter(({ action }) => action);
  const names = [...new Set([...(opened?.actions ?? []), ...inActions.map(({ action }) => action)])];
  return [
    ...(opened ? [openedLeaf(opened)] : []),
    ...names.map((name) => actionBranch(name, inActions.filter(({ action }) => action === name), closed)),
    ...(closed ? [closedLeaf(closed)] : []),
  ];
}

/** The keys of the branches from the root to a decision's line, the line last; empty if it has none. */
export function pathTo(branches, seq) {
  for (const branch of branches) {
    if (branch.isLine && branch.seq === seq) return [branch.key];
    const below = pathTo(branch.children, seq);
    if (below.length) return [branch.key, ...below];
    if (branch.seq === seq && !branch.children.length) return [branch.key];
  }
  return [];
}

/** The lines that show, in order, as {branch, level, parent, place, all}; `isOpen(branch)` says which are unfolded. */
export function linesOf(branches, isOpen, level = 1, parent = null) {
  return branches.flatMap((branch, i) => [
    { branch, level, parent, place: i + 1, all: branches.length },
    ...(branch.children.length && isOpen(branch) ? linesOf(branch.children, isOpen, level + 1, branch) : []),
  ]);
}

/** Which branches are unfolded at first: those on the way to the reader's decision, and of a small tree nearly all. */
export function openAtFirst(branches, path) {
  const isWhole = linesOf(branches, (branch) => !branch.isRun).length <= WHOLE;
  return (branch) => path.includes(branch.key) || (isWhole && !branch.isRun);
}

function leaf(seq, fields) {
  return { key: `d${seq}`, seq, mark: "", tone: "", note: "", struck: false, children: [], ...fields };
}

function openedLeaf({ seq, jobs, queues }) {
  const all = Object.values(jobs).reduce((sum, of) => sum + of.length, 0);
  return leaf(seq, { words: "opens", note: `${plural(all, "job")} in ${plural(queues.length, "queue")}` });
}

function closedLeaf({ seq, outcome, bound, evicted }) {
  const note = outcome === "idle" ? "without effect" : `${count(bound)} bound, ${count(evicted)} evicted`;
  return leaf(seq, { words: "closes", note });
}

function actionBranch(name, events, closed) {
  const queues = groupBy(events, ({ queue }) => queue);
  const children = [...queues].map(([queue, of]) => queueBranch(name, queue, of));
  const note = events.length ? actionNote(events) : closed ? "nothing to do" : "";
  return { key: name, seq: events.at(-1)?.seq ?? null, mark: "", tone: "", words: name, note, struck: false, children };
}

function actionNote(events) {
  const so = (kind, outcome) => events.filter((event) => event.kind === kind && event.outcome === outcome).length;
  const said = [
    [so("enqueue", "entered"), "let in"],
    [so("enqueue", "rejected"), "stay outside"],
    [so("gang", "committed"), "committed"],
    [so("gang", "kept"), "kept"],
    [so("gang", "discarded"), "taken back"],
  ];
  const counted = said.filter(([number]) => number).map(([number, what]) => `${count(number)} ${what}`);
  return counted.join(", ") || plural(events.length, "decision");
}

function queueBranch(action, queue, events) {
  const children = statementsOf(events).map((statement) => statementBranch(statement));
  const dropped = events.some(({ kind }) => kind === "overused");
  const note = dropped ? "has its share" : "";
  return { key: `${action}/${queue}`, seq: events.at(-1).seq, mark: "", tone: "", words: queue, note, struck: false, children };
}

/** Decisions of a queue by the statement that they are part of; one ends where it is settled or another job begins. */
function statementsOf(events) {
  const statements = [];
  for (const event of events) {
    const last = statements.at(-1);
    const goesOn = last && event.job && last[0].job === event.job && last.at(-1).kind === "placement";
    if (goesOn) last.push(event);
    else statements.push([event]);
  }
  return statements;
}

function statementBranch(events) {
  const [first] = events;
  if (first.kind === "overused")
    return leaf(first.seq, { mark: MARKS.passed, tone: "wait", words: "dropped", note: "the queue has its share" });
  if (first.kind === "enqueue") return enqueueLeaf(first);
  if (first.kind === "hyper_nodes") return hyperNodesBranch(first);
  const settled = events.at(-1).kind === "gang" ? events.at(-1) : null;
  const tries = settled ? events.slice(0, -1) : events;
  const children = [...runsOf(tries).map((run) => runBranch(run, settled)), ...(settled ? [settledLeaf(settled)] : [])];
  return {
    ...{ key: `s${first.seq}`, seq: events.at(-1).seq, ...settledMark(settled), words: jobName(first.job), title: first.job, struck: false },
    ...{ note: statementNote(tries, settled), children },
  };
}

/** A job's search among hyper nodes, with what came of each that was tried. */
function hyperNodesBranch({ seq, job, hyper_node: chosen, tries, best }) {
  const line = { isLine: true, words: jobName(job), title: job, children: tries.map((one, i) => triedBranch(one, { seq, i, job, chosen, best })) };
  if (chosen) return leaf(seq, { ...line, mark: MARKS.placed, tone: "placed", note: `in ${hyperNodeName(chosen)}` });
  const note = tries.length ? `in none of ${plural(tries.length, "hyper node")}` : "no hyper node comes into question";
  return leaf(seq, { ...line, mark: MARKS.refused, tone: "unsched", note });
}

/** One hyper node: how many pods found nodes, the points, whether it was taken; below it where the parts of the job went. */
function triedBranch({ hyper_node: name, outcome, placed, score, parts }, { seq, i, job, chosen, best }) {
  const pods = plural(placed, "pod");
  const key = `d${seq}h${i}`;
  const line = { key, words: hyperNodeName(name), children: partLeaves(parts, { key, seq, job }) };
  if (outcome === "short") return leaf(seq, { ...line, mark: MARKS.refused, tone: "unsched", note: foundWords(placed) });
  const points = score === null ? "" : `, ${count(score)} points`;
  const promised = outcome === "pipelined" ? ", some wait for room" : "";
  if (name === chosen) return leaf(seq, { ...line, mark: MARKS.placed, tone: "placed", note: `${pods}${promised}${points}: taken` });
  const equal = best.includes(name) ? ", equally good" : "";
  return leaf(seq, { ...line, mark: MARKS.passed, tone: "wait", note: `${pods}${promised}${points}${equal}` });
}

function foundWords(placed) {
  if (!placed) return "no pod found a node";
  return placed === 1 ? "only 1 pod found a node" : `only ${plural(placed, "pod")} found nodes`;
}

/** Where each sub-group of a job went; none where the job is one. */
function partLeaves(parts, { key, seq, job }) {
  const places = Object.entries(parts);
  if (places.length < 2) return [];
  return places.map(([part, name]) => leaf(seq, { key: `${key}/${part}`, words: part.replace(`${job}/`, ""), note: `in ${hyperNodeName(name)}` }));
}

function enqueueLeaf({ seq, job, outcome, lacking }) {
  if (outcome === "entered") return leaf(seq, { mark: MARKS.placed, tone: "placed", words: jobName(job), title: job, note: "let in" });
  return leaf(seq, { mark: MARKS.refused, tone: "unsched", words: jobName(job), title: job, note: `rejected by ${lacking.join(", ")}` });
}

const SETTLED = {
  committed: { mark: MARKS.committed, tone: "placed" },
  kept: { mark: MARKS.pipelined, tone: "nominated" },
  discarded: { mark: MARKS.back, tone: "wait" },
};

function settledMark(settled) {
  return SETTLED[settled?.outcome] ?? { mark: "", tone: "" };
}

function statementNote(tries, settled) {
  const got = tries.filter(({ node }) => node).length;
  if (!settled) return `${count(got)} of ${plural(tries.length, "try").replace("trys", "tries")}`;
  const { outcome, pods, min_available: min, ready, waiting } = settled;
  if (outcome === "discarded") return `${count(ready + got)} of ${count(pods)}, needs ${count(min)}: taken back`;
  const has = outcome === "kept" || waiting ? `${count(ready)} + ${count(waiting)} waiting` : count(ready);
  return `${has} of ${count(pods)}, needs ${count(min)}: ${outcome}`;
}

function settledLeaf({ seq, outcome, bound, evicted }) {
  const words = { committed: "commit", kept: "keep", discarded: "take back" }[outcome] ?? outcome;
  const note = [bound.length && `${count(bound.length)} bound`, evicted.length && `${count(evicted.length)} evicted`];
  return leaf(seq, { ...settledMark({ outcome }), words, note: note.filter(Boolean).join(", ") });
}

/** Neighbours that were passed over for the same reason belong together. */
function runsOf(tries) {
  const runs = [];
  for (const event of tries) {
    const last = runs.at(-1);
    if (last && event.outcome === "skipped" && last[0].outcome === "skipped" && last[0].why === event.why) last.push(event);
    else runs.push([event]);
  }
  return runs.flatMap((run) => (run.length < ALIKE ? run.map((event) => [event]) : [run]));
}

function runBranch(run, settled) {
  const [first] = run;
  if (run.length === 1) return podLeaf(first, settled);
  const [from, to] = [first, run.at(-1)].map(({ pod, job }) => nameInJob(pod, job));
  const children = run.map((event) => podLeaf(event, settled));
  return { ...podLeaf(first, settled), key: `r${first.seq}`, seq: run.at(-1).seq, words: `${from} to ${to}`, children, isRun: true };
}

function podLeaf(event, settled) {
  const { seq, pod, job, outcome, node } = event;
  const isBack = settled?.outcome === "discarded" && Boolean(node);
  const name = nameInJob(pod, job);
  const looks = isBack ? { mark: MARKS.back, tone: "wait" } : podMark(event, settled);
  return leaf(seq, { ...looks, words: node ? `${name} → ${node}` : name, note: podNote(event), struck: isBack, outcome });
}

function podMark({ outcome, victims }, settled) {
  if (outcome === "allocated")
    return settled?.outcome === "committed" ? { mark: MARKS.committed, tone: "placed" } : { mark: MARKS.placed, tone: "placed" };
  if (outcome === "pipelined")
    return victims.length ? { mark: MARKS.evicts, tone: "preempt" } : { mark: MARKS.pipelined, tone: "nominated" };
  return outcome === "refused" ? { mark: MARKS.refused, tone: "unsched" } : { mark: MARKS.passed, tone: "wait" };
}

function podNote(event) {
  const { outcome, victims, feasible, best_count: equals, total, why, whyNot } = event;
  if (outcome === "refused") return why === "nodes" ? refusalNote(event) : whyNot;
  if (outcome === "skipped") return whyNot;
  if (victims.length) return `${plural(victims.length, "pod")} ${victims.length === 1 ? "has" : "have"} to go`;
  if (outcome === "pipelined") return "waits for room";
  if (feasible === 1) return "the only one";
  if (total === null) return "";
  return `${equals > 1 ? `${count(equals)} equal` : "the best"} of ${count(feasible)} · ${count(total)} points`;
}

function groupBy(items, keyOf) {
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(item);
  }
  return groups;
}
