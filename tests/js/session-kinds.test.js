// What each decision of a session says, in Volcano's terms; where play may stop; what kubectl would print.
import assert from "node:assert/strict";
import test from "node:test";

import { asMarkdown } from "../../static/js/debugger/inspector/markdown.js";
import { pastOf } from "../../static/js/debugger/inspector/past.js";
import { plain } from "../../static/js/debugger/words/phrases.js";
import { briefOf } from "../../static/js/debugger/time/briefs.js";
import { TONES } from "../../static/js/decisions/figures.js";
import { kindOf } from "../../static/js/decisions/registry.js";
import { offeredStops, stopTests } from "../../static/js/decisions/stops.js";
import { linesOf as sessionLines } from "../../static/js/schedulers/volcano/gang-sessions.js";
import { sessionTree } from "../../static/js/schedulers/volcano/session-tree.js";
import { pairOf } from "../../static/js/schedulers/volcano/order-tab.js";
import { SESSION_KINDS } from "../../static/js/schedulers/volcano/decisions/all.js";
import { bind, figuresOf, logOf, node, pod, ref, schedulerOf, state, victim } from "./events.js";
import { closed, counted, dropped, enqueued, opened, passed, reconciled, refused, searched, settled, tried } from "./session-events.js";

const worker = (number, fields = {}) => pod(`bert-worker-${number}`, { namespace: "ml", ...fields });
const workers = Array.from({ length: 8 }, (_, i) => worker(i));
const scheduler = schedulerOf("volcano-1.16");
const say = (event, told = {}) => plain(kindOf(event).sentence(event, { scheduler, ...told }));
const base = state([node("gpu-1"), node("gpu-2")], workers);

/** Three workers find nodes, the fourth does not, and four are passed over: all is taken back. */
const half = [
  opened(),
  ...workers.slice(0, 3).map((of) => tried(of)),
  refused(workers[3]),
  ...workers.slice(4).map((of) => passed(of)),
  settled("discarded"),
  closed({ outcome: "idle", messages: workers.map((of) => ({ pod: ref(of), message: "pod group is not ready", nominated: "" })) }),
];

test("every decision of a session has a kind of its own, with a tone that the time line knows", () => {
  const events = [opened(), enqueued(), ...half.slice(1, 6), settled("kept"), searched(), dropped(), closed(), counted(3, 30), reconciled()];
  assert.equal(SESSION_KINDS.length, 9);
  for (const event of events) {
    const kind = kindOf(event);
    assert.equal(kind.kind, event.kind);
    assert.ok(TONES.includes(kind.figures(event).tone));
    assert.ok(kind.tabs.some(({ key }) => key === kind.opening(event)), event.kind);
    assert.ok(plain(kind.sentence(event, { scheduler })).endsWith("."), event.kind);
  }
});

test("whoever waits at a step of a session is asked about as the session stands behind that step", () => {
  const unplaced = (event) => kindOf(event).unplaced(event);
  const job = settled("discarded").job;
  assert.deepEqual(unplaced({ ...refused(workers[3]), seq: 5 }), { pod: workers[3].uid, at: 5 });
  assert.deepEqual(unplaced({ ...passed(workers[4]), seq: 6 }), { pod: workers[4].uid, at: 6 });
  assert.deepEqual(unplaced({ ...settled("discarded"), seq: 7 }), { job, at: 7 });
  assert.deepEqual(unplaced({ ...enqueued({ outcome: "rejected" }), seq: 8 }), { job, at: 8 });
  assert.deepEqual([tried(workers[0]), settled("committed"), opened()].map(unplaced), [null, null, null]);
});

test("a job that is tried in hyper nodes says where it goes, or how far it came in the best of them", () => {
  const short = searched({ outcome: "nowhere", best: [], hyper_node: "", tries: searched().tries.slice(0, 1) });
  assert.equal(say(searched()), "Is taken to s1: 2 hyper nodes tried.");
  assert.equal(say(searched({ best: ["s1", "s2"] })), "Is taken to s1, the first of 2 equally good: 2 hyper nodes tried.");
  assert.equal(say(short), "Too few of its pods find nodes in any one: 1 hyper node tried; at most 3 pods, in s0.");
  assert.equal(say({ ...short, tries: [] }), "No hyper node comes into question for what the job needs at least.");
  const tree = sessionTree([opened(), searched(), tried(workers[0]), settled("committed"), closed()], scheduler);
  const lines = (branches) => branches.flatMap((branch) => [branch, ...lines(branch.children)]);
  assert.ok(lines(tree).some(({ words: name, note }) => name === "ml/bert" && note === "in s1"));
});

test("a gang that is taken back says how far it came, what was in the way, and that nothing stays", () => {
  const log = logOf(base, half);
  const event = log.event(10);
  const { statement } = pastOf(log, event, scheduler);
  assert.equal(statement.length, 8);
  assert.equal(
    say(event, { statement }),
    "3 of 8 pods have a node, 4 are needed: worker-3 fits on none of 8 nodes (8 insufficient nvidia.com/gpu). " +
      "All 3 tries are taken back.",
  );
  assert.deepEqual(pastOf(log, log.event(9), scheduler).statement, []);
});

test("without what was tried, as the log's window may have lost it, a gang says what it knows", () => {
  assert.equal(say(settled("discarded")), "None of 8 pods has a node, 4 are needed. There is nothing to take back.");
});

test("pods that ran before count for a gang that is taken back, and evictions that were tried are none", () => {
  const statement = [tried(workers[0], { outcome: "pipelined", victims: [victim(worker(9))] })];
  assert.equal(
    say(settled("discarded", { ready: 2 }), { statement }),
    "3 of 8 pods have a node, 4 are needed. The one try is taken back, and nobody is evicted.",
  );
});

test("a commit says which pods are bound, evicted and waiting, and how that stands to the minimum", () => {
  assert.equal(
    say(settled("committed", { bound: workers.slice(0, 4).map(ref), ready: 4 })),
    "Committed: 4 pods are bound. 4 of 8 pods have a node, 4 are needed.",
  );
  assert.equal(
    say(settled("committed", { evicted: [ref(worker(9))], pipelined: [ref(workers[0])], ready: 3, waiting: 1 })),
    "Committed: 1 pod is evicted; 1 pod is promised the room. 3 of 8 pods have a node and 1 waits for one, 4 are needed.",
  );
});

test("a try says by what its node was taken", () => {
  const of = workers[0];
  assert.match(say(tried(of)), /^Gets gpu-1, .*: the only one of 8 that fits\.$/);
  assert.match(say(tried(of, { feasible: 3, best: ["gpu-1"], best_count: 1, total: 214.5 })), /: the best of 3 that fit, with 214\.5 points\.$/);
  assert.match(
    say(tried(of, { feasible: 3, best: ["gpu-1", "gpu-2"], best_count: 2, total: 90 })),
    /: one of 2 equally good of 3 that fit, with 90 points\.$/,
  );
});

test("a try that needs room says whose, and that nothing is sent out yet", () => {
  const reclaim = tried(workers[0], { action: "reclaim", outcome: "pipelined", victims: [victim(worker(8)), victim(worker(9))] });
  assert.equal(
    say(reclaim),
    "Takes back room on gpu-1: ml/bert-worker-8 and ml/bert-worker-9 are to go, and it waits for their room. " +
      "Nothing is sent out before the job's tries are committed.",
  );
  assert.equal(kindOf(reclaim).figures(reclaim).tone, "preempt");
  assert.match(say(tried(workers[0], { outcome: "pipelined" })), /^Is promised gpu-1, where room is on its way to be free/);
});

test("who is passed over or turned away learns why", () => {
  assert.equal(say(refused(workers[0])), "Fits on none of 8 nodes: all 8 insufficient nvidia.com/gpu.");
  assert.equal(say(passed(workers[0])), "Is passed over: one of its role, worker, fits nowhere.");
  assert.equal(say(passed(workers[0], { why: "queue" })), "Is passed over: queue default may take no more.");
  assert.equal(say(passed(workers[0], { why: "queue", action: "reclaim" })), "Is passed over: queue default may not reclaim for it.");
  const error = { why: "error", message: "0/8 nodes are unavailable: 8 claim data is lost." };
  assert.equal(say(refused(workers[0], error)), "Finds no room: claim data is lost.");
  assert.equal(say(refused(workers[0], { why: "victims" })), "Finds no room: no victims on any node make enough room.");
});

test("the other steps of a session in a sentence", () => {
  assert.equal(say(opened()), "Opens with 1 job in 1 queue: default. Its actions are enqueue, allocate, backfill.");
  assert.equal(say(opened({ jobs: {}, queues: [] })), "Opens without a job.");
  assert.equal(say(enqueued()), "Is let into queue default: from now on its pods are tried.");
  assert.equal(
    say(enqueued({ outcome: "rejected", lacking: ["overcommit", "proportion"] })),
    "Stays outside of queue default: overcommit and proportion reject it. None of its pods is tried in this session.",
  );
  assert.equal(say(dropped()), "Has its share or more: allocate looks at none of its jobs any more in this session.");
  assert.match(say(half.at(-1)), /^Closes without effect: .* 8 pods are told why they wait\.$/);
  assert.match(say(closed({ bound: 4, evicted: 1 })), /^Closes: 4 pods are bound and 1 pod is evicted\./);
  assert.match(say(closed()), /^Closes: a job was let into its queue\./);
});

test("a gang, a session and a queue are named as such; a session stands beside each of their decisions", () => {
  const who = (event) => kindOf(event).who(event).name;
  assert.deepEqual([opened({ session: 7 }), dropped(), settled("kept"), enqueued()].map(who), ["Session 7", "Queue default", "ml/bert", "ml/bert"]);
  assert.deepEqual(kindOf(refused(workers[0])).notes(refused(workers[0])), ["allocate", "for ml/bert", "queue default", "session 1"]);
});

test("play may stop where a gang is taken back, a session has no effect, a queue has its share", () => {
  const events = [...half, opened({ session: 2 }), dropped({ session: 2 }), closed({ session: 2 })];
  const figures = figuresOf(base, events);
  const keys = offeredStops(figures).map(({ key }) => key);
  assert.deepEqual(keys.filter((key, i) => keys.indexOf(key) !== i), []);
  const found = (key) => {
    assert.ok(keys.includes(key), key);
    const isStop = stopTests(figures)(figures.log, { kinds: [key], pod: "", node: "", priority: null, actor: "" });
    return events.map((_, i) => i + 1).filter(isStop);
  };
  assert.deepEqual(found("discarded"), [10]);
  assert.deepEqual(found("idle"), [11]);
  assert.deepEqual(found("overused"), [13]);
  assert.deepEqual(found("unschedulable"), [5]);
  assert.deepEqual(offeredStops(figuresOf(base, [])).filter(({ key }) => ["discarded", "idle", "overused"].includes(key)), []);
});

test("events are what Volcano records: binds and evictions of a commit, and what pods are told at the close", () => {
  const event = settled("committed", { action: "preempt", bound: [ref(workers[0])], evicted: [ref(worker(9))], changes: bind(workers[0], "gpu-2") });
  assert.deepEqual(
    kindOf(event).messages(event, scheduler).map(({ type, reason, object, message }) => `${type} ${reason} ${object}: ${message}`),
    [
      "Warning Evict pod/bert-worker-9: Pod is evicted, because of preempt",
      "Normal Scheduled pod/bert-worker-0: Successfully assigned ml/bert-worker-0 to gpu-2",
    ],
  );
  const [first] = kindOf(half.at(-1)).messages(half.at(-1), scheduler);
  assert.deepEqual(first, {
    ...{ type: "Warning", reason: "FailedScheduling", from: "volcano", object: "pod/bert-worker-0" },
    message: "pod group is not ready",
  });
});

test("a gang as Markdown names its job, the sentence and its pods", () => {
  const run = { id: 3, seed: null, profile: "volcano-1.16", engine_version: "1" };
  const event = { seq: 4, ...settled("committed", { bound: workers.slice(0, 2).map(ref), ready: 4 }) };
  const text = asMarkdown({ event, run, scheduler, link: "http://here" });
  assert.match(text, /^\*\*ml\/bert\*\*\n\nCommitted: 2 pods are bound\./);
  assert.match(text, /^- bound: bert-worker-0, bert-worker-1$/m);
});

test("a card of the time line names the job where a decision is about no pod, and says in a mark how it came out", () => {
  const figures = figuresOf(base, half);
  const briefs = half.map((_, i) => briefOf({ log: figures.log, figures, scheduler }, i + 1));
  assert.deepEqual(
    briefs.map(({ pod: name, mark, node: on }) => `${mark} ${name} ${on}`.trim()),
    [
      "",
      ...[0, 1, 2].map((number) => `→ ml/bert-worker-${number} gpu-1`),
      "✕ ml/bert-worker-3",
      ...[4, 5, 6, 7].map((number) => `− ml/bert-worker-${number}`),
      "↶ ml/bert",
      "−",
    ],
  );
});

test("sessions in which nothing happened are told together, by their numbers", () => {
  const many = counted(5, 61);
  assert.equal(kindOf(many).who(many).name, "Sessions 5 to 61");
  assert.equal(say(many), "Nothing to decide in 57 sessions: nothing that a session looks at has changed.");
  const one = counted(3, 3);
  assert.equal(kindOf(one).who(one).name, "Session 3");
  assert.equal(say(one), "Nothing to decide: nothing that a session looks at has changed.");
});

test("a refusal that the scheduler has no words for is told in the log's", () => {
  assert.equal(say(passed(workers[0], { why: "preemptionPolicy is Never" })), "Is passed over: preemptionPolicy is Never.");
  assert.equal(schedulerOf().refusal({ why: "queue", action: "reclaim" }), "queue", "kube-scheduler has no sessions");
  assert.equal(scheduler.orderWords("job", "gang"), "a job that isn't ready goes before one that is");
  assert.equal(scheduler.orderWords("job", "somebody"), "");
});

test("what is compared is what the reader chose as long as it is there, else the decision's own with the one behind it", () => {
  const choices = { job: ["ml/a", "ml/b", "ml/c"].map((key) => [key, key]), queue: ["x", "y"].map((key) => [key, key]), pod: [] };
  const kinds = ["job", "queue"];
  assert.deepEqual(pairOf(null, kinds, choices, { kind: "gang", job: "ml/b" }), { of: "job", first: "ml/b", second: "ml/c" });
  assert.deepEqual(pairOf(null, kinds, choices, { kind: "gang", job: "ml/c" }), { of: "job", first: "ml/b", second: "ml/c" });
  assert.deepEqual(pairOf(null, kinds, choices, { kind: "overused", queue: "x" }), { of: "queue", first: "x", second: "y" });
  const chosen = { of: "job", first: "ml/c", second: "ml/a" };
  assert.deepEqual(pairOf(chosen, kinds, choices, { kind: "gang", job: "ml/b" }), chosen);
  assert.deepEqual(pairOf({ ...chosen, second: "ml/gone" }, kinds, choices, { kind: "gang", job: "ml/a" }), { of: "job", first: "ml/a", second: "ml/b" });
});

test("session by session a job's line says what came of it and why not more; neighbours that are alike are one", () => {
  const of = (number, ...events) => events.map((event) => ({ ...event, session: number }));
  const grouped = [1, 2, 3, 4].map((number) => ({ session: { number }, seqs: [number * 10] }));
  const failed = (number) => of(number, refused(workers[3]), settled("discarded"));
  const events = [...of(1, enqueued({ outcome: "rejected", lacking: ["overcommit"] })), ...failed(2), ...failed(3), ...of(4, settled("committed", { ready: 8 }))];
  assert.deepEqual(
    sessionLines(grouped, events, scheduler).map(({ from, to, words, have, why }) => [from, to, words, have, why]),
    [
      [1, 1, "stays outside", null, "overcommit"],
      [2, 3, "allocate: taken back", 0, "8 insufficient nvidia.com/gpu"],
      [4, 4, "allocate: committed", 8, ""],
    ],
  );
});
