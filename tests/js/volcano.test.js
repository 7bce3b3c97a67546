// What the page says of Volcano's queues, jobs and open statements, from the log alone.
import assert from "node:assert/strict";
import test from "node:test";

import { marksOf, promisedPods } from "../../static/js/debugger/map/marks.js";
import { counted } from "../../static/js/schedulers/volcano/card-tabs.js";
import { readKey } from "../../static/js/debugger/inspector/object-key.js";
import { cellWords, gangOf, gangWords } from "../../static/js/schedulers/volcano/gang-cells.js";
import { QueueColours } from "../../static/js/schedulers/volcano/queue-colours.js";
import { momentOf } from "../../static/js/schedulers/volcano/moment.js";
import { balanceOf, barOf, figuresOf as queueFigures, inUnits, scaleOf, termsOf } from "../../static/js/schedulers/volcano/queue-figures.js";
import { Sessions } from "../../static/js/schedulers/sessions/sessions.js";
import { linesOf, placed, shareAt } from "../../static/js/schedulers/volcano/share-chart.js";
import { markStatement, statementAt, triedWords } from "../../static/js/schedulers/sessions/statement.js";
import { hasOthers, isOfSessions } from "../../static/js/schedulers/facts.js";
import { groupRows, hasSessions, membersOf, queueOf, queueRows } from "../../static/js/schedulers/volcano/rows.js";
import { readAddress, writeAddress } from "../../static/js/debugger/address.js";
import { Loads } from "../../static/js/debugger/map/loads.js";
import { Figures } from "../../static/js/decisions/figures.js";
import { bind, logOf, node, pod, ref, remove, state } from "./events.js";

const GPU = "nvidia.com/gpu";
const names24 = Array.from({ length: 24 }, (_, i) => `q${String(i).padStart(2, "0")}`);
const queue = (name, fields = {}) => ({
  name, weight: 1, priority: 0, parent: "", reclaimable: true, state: "Open", capability: {}, guarantee: {},
  deserved: {}, allocated: {}, request: {}, inqueue: {}, share: null, ...fields,
});
const group = (name, of, fields = {}) => ({
  namespace: "ml", name, queue: of, priority: 0, min_member: 2, min_resources: {}, phase: "Pending", reason: "",
  message: "", share: null, ...fields,
});
const worker = (name, job, fields = {}) =>
  pod(name, { namespace: "ml", scheduler: "volcano", group: `ml/${job}`, requests: { cpu: 100, [GPU]: 1 }, ...fields });
const task = ({ uid }, job, on, status) => ({ pod: uid, job: `ml/${job}`, node: on, status });
const tries = (of, job, on, status = "allocated") => ({
  verb: "appear", table: "tasks/volcano", id: of.uid, row: task(of, job, on, status),
});
const settles = (of, job, on, status = "allocated") => ({ ...tries(of, job, on, status), verb: "vanish" });

const [etl, w0, w1, w2, lone] = [
  worker("etl-0", "etl", { node: "a" }),
  worker("sweep-0", "sweep"),
  worker("sweep-1", "sweep"),
  worker("sweep-10", "sweep"),
  pod("lone", { scheduler: "volcano" }),
];
/** What every try and every settled statement says. */
const BARE = { victims: [], bound: [], evicted: [], reasons: [], why: "" };
const step = (kind, outcome, fields = {}) => ({ kind, outcome, actor: "volcano", session: 1, pod: null, changes: [], ...BARE, ...fields });
const opening = (number = 1) =>
  step("session", "opened", {
    session: number,
    actions: ["allocate", "reclaim"],
    queues: ["research", "batch"],
    jobs: { research: ["ml/sweep"], batch: ["ml/etl"] },
    deciders: { research: [], batch: [] },
  });
const of = (job, name) => ({ job: `ml/${job}`, queue: name });
const closing = (shares, number = 1) => step("close", "active", { session: number, shares });

/** A session that tries three, finds no node for the last, and takes the rest back; then one that commits. */
const DECISIONS = [
  opening(),
  step("placement", "allocated", { pod: ref(w0), node: "a", ...of("sweep", "research"), changes: [tries(w0, "sweep", "a")] }),
  step("placement", "pipelined", {
    pod: ref(w1), node: "a", ...of("sweep", "research"),
    changes: [tries(etl, "etl", "a", "evicted"), tries(w1, "sweep", "a", "pipelined")],
  }),
  step("placement", "refused", { pod: ref(w2), node: "", ...of("sweep", "research") }),
  step("gang", "discarded", {
    ...of("sweep", "research"),
    changes: [settles(w1, "sweep", "a", "pipelined"), settles(etl, "etl", "a", "evicted"), settles(w0, "sweep", "a")],
  }),
  step("overused", "overused", { queue: "batch" }),
  closing({ "ml/sweep": { share: 0, resource: "" }, "ml/etl": { share: 0.5, resource: GPU } }),
  opening(2),
  step("placement", "allocated", { session: 2, pod: ref(w0), node: "b", ...of("sweep", "research"), changes: [tries(w0, "sweep", "b")] }),
  step("gang", "committed", { session: 2, ...of("sweep", "research"), changes: [settles(w0, "sweep", "b"), ...bind(w0, "b")] }),
  closing({ "ml/sweep": { share: 0.25, resource: GPU }, "ml/etl": { share: 0.5, resource: GPU } }, 2),
];
const [TRIED, TOO, REFUSED, BACK, OVERUSED, FIRST_CLOSE, , , COMMITTED] = [2, 3, 4, 5, 6, 7, 8, 9, 10];

function made() {
  const nodes = ["a", "b"].map((name) => node(name, { allocatable: { cpu: 1000, [GPU]: 2 } }));
  const base = state(nodes, [etl, w0, w1, w2, lone]);
  base.tables.actors = { volcano: { name: "volcano", engine: "volcano-1.16", profiles: ["volcano"] } };
  base.tables.queues = { batch: queue("batch"), research: queue("research"), spare: queue("spare") };
  base.tables.groups = { "ml/etl": group("etl", "batch"), "ml/sweep": group("sweep", "research") };
  const decisions = DECISIONS.map((decision, i) => ({ ...decision, seq: i + 1 }));
  const log = logOf(base, decisions);
  const figures = new Figures(log);
  figures.take(decisions);
  const sessions = new Sessions();
  decisions.forEach((event) => sessions.take(event));
  const { fold } = log;
  const at = (seq) => {
    fold.moveTo(seq);
    return log.event(seq);
  };
  const momentAt = (seq) => momentOf({ fold, log, figures, sessions, loads: new Loads(fold) }, at(seq));
  return { log, fold, figures, sessions, at, momentAt };
}
const named = (fold, pods) => [...pods].map((one) => fold.pods[one].name);
const fatesAt = ({ fold, at }, seq) => {
  const event = at(seq);
  return [...statementAt(fold, event)].map(([one, { fate, node: on }]) => [fold.pods[one].name, fate, fold.nodes[on].name]);
};

test("a run with Volcano is known by its queues, and whose a pod is by its group", () => {
  const { fold } = made();
  assert.ok(hasSessions(fold));
  assert.ok(!hasSessions(logOf(state([node("a")], []), []).fold));
  assert.ok(!hasOthers(fold));
  assert.deepEqual([...queueRows(fold).keys()], ["batch", "research", "spare"]);
  assert.deepEqual(named(fold, membersOf(fold, "ml/sweep")), ["sweep-0", "sweep-1", "sweep-10"], "numbers count as numbers");
  assert.equal(queueOf(fold, fold.podIndex.get(w0.uid)), "research");
  assert.equal(queueOf(fold, fold.podIndex.get(lone.uid)), "");
  assert.ok(isOfSessions(fold, fold.podIndex.get(lone.uid)));
  assert.equal(groupRows(fold).get("ml/etl").queue, "batch");
});

test("pods of a statement are open, pipelined, victims; taken back at the discard only; committed at the commit only", () => {
  const run = made();
  assert.deepEqual(fatesAt(run, TRIED), [["sweep-0", "open", "a"]]);
  const both = [["sweep-0", "open", "a"], ["etl-0", "victim", "a"], ["sweep-1", "pipelined", "a"]];
  assert.deepEqual(fatesAt(run, TOO), both);
  assert.deepEqual(fatesAt(run, REFUSED), both, "a refusal leaves the statement as it is");
  assert.deepEqual(fatesAt(run, BACK), [["sweep-1", "back", "a"], ["sweep-0", "back", "a"]]);
  assert.deepEqual(fatesAt(run, OVERUSED), []);
  assert.deepEqual(fatesAt(run, COMMITTED), [["sweep-0", "committed", "b"]]);
  assert.deepEqual(fatesAt(run, COMMITTED + 1), []);
  assert.deepEqual(fatesAt(run, BACK), [["sweep-1", "back", "a"], ["sweep-0", "back", "a"]], "the same on the way back");
});

test("the map has those that aren't on their node apart, and the table names each", () => {
  const { fold, at } = made();
  const event = at(TOO);
  const marks = marksOf(fold, fold.at);
  markStatement(fold, event, marks);
  assert.deepEqual([...marks.tried].map(([on, pods]) => [fold.nodes[on].name, named(fold, pods)]), [["a", ["sweep-0", "sweep-1"]]]);
  assert.deepEqual(triedWords(fold, marks, fold.nodeIndex.get("a")), [
    "open: ml/sweep-0", "victim: ml/etl-0", "pipelined: ml/sweep-1",
  ]);
  assert.deepEqual(triedWords(fold, marks, fold.nodeIndex.get("b")), []);
});

test("a node is promised to a nominated pod only as long as no statement tries it", () => {
  const { fold, at } = made();
  fold.pods[fold.podIndex.get(w0.uid)].nominated = "b";
  at(TRIED);
  const marks = marksOf(fold, fold.at);
  assert.equal(promisedPods(fold, marks).size, 1);
  markStatement(fold, null, marks);
  assert.equal(promisedPods(fold, marks).size, 0);
});

test("a gang counts who has room for its minimum, and says who was taken back or fits nowhere", () => {
  const { fold, momentAt } = made();
  const told = (seq, job = "ml/sweep") => {
    const moment = momentAt(seq);
    const gang = gangOf(fold, job, moment.fates, moment.refusedOf(job));
    return [gang.cells.map(([, is]) => is), gangWords(gang)];
  };
  assert.deepEqual(told(1), [["waits", "waits", "waits"], "0 of 2 needed"]);
  assert.deepEqual(told(TRIED), [["open", "waits", "waits"], "1 of 2 needed, 1 open"]);
  assert.deepEqual(told(REFUSED), [["open", "pipelined", "refused"], "2 of 2 needed, 1 open, 1 pipelined, 1 fits nowhere"]);
  assert.deepEqual(told(BACK), [["back", "back", "refused"], "2 taken back, 2 needed"]);
  assert.deepEqual(told(COMMITTED), [["committed", "waits", "waits"], "1 of 2 needed, 1 committed"]);
  assert.deepEqual(told(TOO, "ml/etl"), [["victim"], "0 of 2 needed, 1 to go"]);
  const gang = gangOf(fold, "ml/sweep", new Map());
  assert.equal(cellWords(gang), "3 pods: 3 waiting");
  assert.equal(gangWords({ cells: Array(5).fill([0, "runs"]), min: 2, holding: 5 }), "5 have room, 2 needed");
});

test("a decision's queue and job are at hand, between them the last queue of the session; orders are the opening's", () => {
  const { momentAt } = made();
  const told = (seq) => {
    const { queue: name, job, queues, overused } = momentAt(seq);
    return [name, job, queues, [...overused]];
  };
  const all = ["research", "batch", "spare"];
  assert.deepEqual(told(0), ["batch", "", ["batch", "research", "spare"], []]);
  assert.deepEqual(told(1), ["research", "", all, []]);
  assert.deepEqual(told(TRIED), ["research", "ml/sweep", all, []]);
  assert.deepEqual(told(OVERUSED), ["batch", "", all, ["batch"]]);
  assert.deepEqual(told(FIRST_CLOSE), ["batch", "", all, ["batch"]]);
  assert.deepEqual(told(8), ["research", "", all, []], "the next session begins anew");
  assert.deepEqual(momentAt(TRIED).orderOf("research"), { jobs: ["ml/sweep"], deciders: [] });
  assert.deepEqual(momentAt(TRIED).orderOf("spare").jobs, []);
});

test("a statement's tries are counted for their own queue, without the victims", () => {
  const { momentAt } = made();
  assert.deepEqual(momentAt(TOO).triesOf("research", GPU), { tried: 2, isBack: false, isPipelined: false });
  assert.deepEqual(momentAt(TOO).triesOf("batch", GPU), { tried: 0, isBack: false, isPipelined: false });
  assert.deepEqual(momentAt(BACK).triesOf("research", "cpu"), { tried: 200, isBack: true, isPipelined: false });
});

test("sessions know their decisions, by job and by queue, and the shares that they leave", () => {
  const { sessions, figures, fold } = made();
  assert.deepEqual(sessions.all.map(({ number, first, last }) => [number, first, last]), [[1, 1, 7], [2, 8, 11]]);
  assert.equal(sessions.at(0), null);
  assert.equal(sessions.at(7).number, 1);
  assert.equal(sessions.at(8).number, 2);
  const [first, second] = sessions.grouped(sessions.aboutJob("ml/sweep"));
  assert.deepEqual([first.session.number, first.seqs, second.seqs], [1, [2, 3, 4, 5], [9, 10]]);
  assert.deepEqual(sessions.aboutQueue("batch"), [6]);
  assert.deepEqual(counted([2, 9, 10], figures).map(({ outcome, times, last }) => [outcome, times, last]), [["allocated", 2, 9], ["committed", 1, 10]]);
  assert.deepEqual([...sessions.shares], [["ml/etl", [[0, 0.5]]], ["ml/sweep", [[0, 0], [1, 0.25]]]].reverse());
  assert.equal(shareAt(sessions.shares.get("ml/sweep"), 0), 0);
  assert.equal(shareAt(sessions.shares.get("ml/sweep"), 5), 0.25);
  assert.deepEqual(linesOf(sessions, fold, 1).map(({ job }) => job), ["ml/etl"], "the largest share first");
  assert.deepEqual(linesOf(sessions, fold, 1, "ml/sweep").map(({ job }) => job), ["ml/sweep"], "but for the chosen job");
});

test("labels of lines that meet are kept apart within the chart", () => {
  assert.deepEqual(placed([50, 50, 20], { top: 0, bottom: 100 }), [50, 62, 20]);
  assert.deepEqual(placed([100, 100], { top: 0, bottom: 100 }), [88, 100]);
});

test("until a session has figures a queue holds what its pods on nodes take", () => {
  const { fold, momentAt } = made();
  const held = (seq, name) => {
    const { isKnown, allocated, deserved } = momentAt(seq).figuresOf(name, queueRows(fold).get(name), GPU);
    return [isKnown, allocated, deserved];
  };
  assert.deepEqual(held(0, "batch"), [false, 1, null]);
  assert.deepEqual(held(TRIED, "research"), [false, 0, null], "a try isn't held");
  assert.deepEqual(held(COMMITTED, "research"), [false, 1, null]);
  const moment = momentAt(0);
  assert.equal(moment.figuresOf("batch", FULL, GPU).allocated, 11, "the session's figures come first");
});

test("each of two dozen queues looks different, and those of one colour have different lines", () => {
  const fold = { tables: { table: () => ({ ids: names24, rows: names24.map((name) => queue(name)), present: names24.map(() => 1) }) } };
  const colours = new QueueColours(fold);
  assert.equal(new Set(names24.map((name) => colours.classOf(name))).size, 24);
  assert.deepEqual(["q00", "q08", "q23", "gone"].map((name) => colours.classOf(name)), ["queue-1", "queue-1 round-2", "queue-8 round-3", "no-queue"]);
});

const FULL = queue("batch", {
  capability: { cpu: 8000, [GPU]: 20_000 },
  guarantee: { [GPU]: 1000 },
  deserved: { cpu: 4000, [GPU]: 6000 },
  allocated: { cpu: 2000, [GPU]: 11_000 },
});

test("a queue's figures are in the page's units: thousandths of devices become devices", () => {
  assert.equal(inUnits(GPU, 4000), 4);
  assert.equal(inUnits("cpu", 4000), 4000);
  assert.equal(inUnits("memory", 2 ** 30), 2 ** 30);
  assert.equal(inUnits("pods", 7), 7);
  assert.equal(inUnits("cpu", null), null);
});

test("a bar is filled to what a queue deserves, hatched beyond, and what is tried comes after it", () => {
  const open = queueFigures(FULL, GPU, { tried: 3 });
  assert.deepEqual(open, { isKnown: true, allocated: 8, tried: 3, deserved: 6, guarantee: 1, capability: 20, over: 2, under: 0 });
  assert.deepEqual(barOf(open, 32), {
    fill: [0, 6 / 32], over: [6 / 32, 8 / 32], tried: [8 / 32, 11 / 32], deserved: 6 / 32, guarantee: 1 / 32, track: 20 / 32,
  });
  const back = queueFigures(FULL, GPU, { tried: 3, isBack: true });
  assert.equal(back.allocated, 11, "what was taken back is no part of what it has");
  assert.equal(scaleOf([open, back], 4), 14, "one scale for all, as long as the longest");
  assert.equal(scaleOf([], 0), 1);
});

test("a queue's balance and terms in words", () => {
  const say = (row, more = {}, resource = GPU) => balanceOf(queueFigures(row, resource, more), resource, more);
  assert.deepEqual(say(FULL), { text: "5 over", isOver: true });
  assert.deepEqual(say(FULL, { isOverused: true }), { text: "5 over: gets nothing", isOver: true });
  assert.deepEqual(say(FULL, { tried: 7 }), { text: "2 under, 7 tried", isOver: false });
  assert.deepEqual(say(FULL, { tried: 5, isPipelined: true }).text, "has its share, 5 pipelined");
  assert.deepEqual(say(FULL, { tried: 2, isBack: true }).text, "5 over, 2 taken back");
  assert.deepEqual(say(FULL, {}, "cpu").text, "2 under");
  assert.deepEqual(say(queue("new")).text, "");
  const none = queue("cpu-only", { deserved: { [GPU]: 0 }, allocated: { [GPU]: 0 } });
  assert.equal(say(none).text, "deserves none");
  assert.equal(say(none, { isOverused: true }).text, "deserves none: gets nothing");
  const full = queue("full", { deserved: { [GPU]: 4000 }, allocated: { [GPU]: 1000 } });
  assert.equal(say(full, { isOverused: true }).text, "has its share of another resource: gets nothing");
  assert.deepEqual(say(queue("new"), { heldNow: () => 3 }).text, "its pods on nodes");
  assert.equal(termsOf(FULL, queueFigures(FULL, GPU), GPU), "weight 1 · guarantee 1 · capability 20");
  const closed = queue("old", { state: "Closed", reclaimable: false });
  assert.equal(termsOf(closed, queueFigures(closed, GPU), GPU), "weight 1 · Closed · not reclaimable");
});

test("the address holds the card, and nothing that is none", () => {
  assert.deepEqual(readKey("group/ml/bert"), { kind: "group", name: "ml/bert" });
  assert.equal(readKey("pod/x"), null);
  assert.equal(readKey(null), null);
  assert.equal(readAddress("?at=3&card=queue/research").card, "queue/research");
  assert.equal(readAddress("?card=javascript:x").card, null);
  assert.match(writeAddress({ at: 3, node: null, pod: null, tab: null, card: "group/ml/bert" }), /card=group%2Fml%2Fbert$/);
  assert.equal(writeAddress({ at: 3, node: null, pod: null, tab: null }), "?at=3");
});

test("a gang that has completed is not said to lack pods", () => {
  const done = worker("done-0", "done", { node: "a" });
  const ends = { kind: "change", outcome: "gone", actor: "kubelet", pod: ref(done), changes: remove(done, 0) };
  for (const [phase, said] of [["Completed", "completed"], ["Running", "0 of 2 needed, 1 gone"]]) {
    const base = state([node("a")], [done]);
    base.tables.groups = { "ml/done": group("done", "batch", { phase }) };
    const { fold } = logOf(base, [ends]);
    fold.moveTo(1);
    const gang = gangOf(fold, "ml/done", new Map());
    assert.equal(gangWords(gang), said);
    assert.equal(cellWords(gang), "none of its pods is there");
  }
});

test("a capability limits no cpu and no memory that it doesn't name", () => {
  const row = queue("q", { capability: { cpu: 0, memory: 0, pods: 0, [GPU]: 8000 } });
  const limits = ["cpu", "memory", "pods", GPU].map((resource) => queueFigures(row, resource).capability);
  assert.deepEqual(limits, [null, null, 0, 8]);
});
