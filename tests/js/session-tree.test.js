// A session as a tree, its spans by which a step goes over jobs, actions and sessions, and a gang as cells.
import assert from "node:assert/strict";
import test from "node:test";

import { Transport } from "../../static/js/debugger/controls/transport.js";
import { cellsOf, podStates, standing } from "../../static/js/schedulers/volcano/gang-states.js";
import { withGang } from "../../static/js/schedulers/volcano/gang.js";
import { Sessions } from "../../static/js/schedulers/sessions/sessions.js";
import { linesOf, openAtFirst, pathTo, sessionTree } from "../../static/js/schedulers/volcano/session-tree.js";
import { appear, attempt, logOf, node, pod, ref, schedulerOf, state } from "./events.js";
import { closed, dropped, enqueued, opened, passed, refused, searched, settled, tried } from "./session-events.js";

const scheduler = schedulerOf("volcano-1.16");
const worker = (number) => pod(`bert-worker-${number}`, { namespace: "ml" });
const workers = Array.from({ length: 8 }, (_, i) => worker(i));
const other = pod("gpt-worker-0", { namespace: "ml" });
const numbered = (events) => events.map((event, i) => ({ ...event, seq: i + 1 }));
const all = (branches) => linesOf(branches, () => true).map(({ branch, level }) => `${"  ".repeat(level - 1)}${branch.mark}${branch.mark && " "}${branch.words} | ${branch.note}`);

const events = numbered([
  opened({ jobs: { default: ["ml/bert", "ml/gpt"] } }),
  enqueued(),
  enqueued({ job: "ml/gpt", outcome: "rejected", lacking: ["overcommit"] }),
  ...workers.slice(0, 3).map((of) => tried(of)),
  refused(workers[3]),
  ...workers.slice(4).map((of) => passed(of)),
  settled("discarded"),
  tried(other, { job: "ml/gpt", feasible: 4, best_count: 2, total: 90, node: "gpu-2" }),
  settled("committed", { job: "ml/gpt", bound: [ref(other)], ready: 1, min_available: 1, pods: 1 }),
  dropped(),
  closed({ bound: 1 }),
]);

test("a session is a tree of actions, queues, jobs and pods that tells how all came out", () => {
  assert.deepEqual(all(sessionTree(events, scheduler)), [
    "opens | 2 jobs in 1 queue",
    "enqueue | 1 let in, 1 stay outside",
    "  default | ",
    "    → ml/bert | let in",
    "    ✕ ml/gpt | rejected by overcommit",
    "allocate | 1 committed, 1 taken back",
    "  default | has its share",
    "    ↶ ml/bert | 3 of 8, needs 4: taken back",
    "      ↶ worker-0 → gpu-1 | the only one",
    "      ↶ worker-1 → gpu-1 | the only one",
    "      ↶ worker-2 → gpu-1 | the only one",
    "      ✕ worker-3 | 8 insufficient nvidia.com/gpu",
    "      − worker-4 to worker-7 | one of its role, worker, fits nowhere",
    "        − worker-4 | one of its role, worker, fits nowhere",
    "        − worker-5 | one of its role, worker, fits nowhere",
    "        − worker-6 | one of its role, worker, fits nowhere",
    "        − worker-7 | one of its role, worker, fits nowhere",
    "      ↶ take back | ",
    "    ✓ ml/gpt | 1 of 1, needs 1: committed",
    "      ✓ worker-0 → gpu-2 | 2 equal of 4 · 90 points",
    "      ✓ commit | 1 bound",
    "    − dropped | the queue has its share",
    "backfill | nothing to do",
    "closes | 1 bound, 0 evicted",
  ]);
});

test("every decision of a session has one line, and a fold hides what is below it", () => {
  const branches = sessionTree(events, scheduler);
  const leaves = linesOf(branches, () => true).filter(({ branch }) => !branch.children.length && branch.seq !== null);
  assert.deepEqual(leaves.map(({ branch }) => branch.seq), events.map(({ seq }) => seq));
  assert.equal(new Set(linesOf(branches, () => true).map(({ branch }) => branch.key)).size, all(branches).length);
  assert.deepEqual(pathTo(branches, 9), ["allocate", "allocate/default", "s4", "r8", "d9"]);
  assert.deepEqual(pathTo(branches, 99), []);
  const shut = linesOf(branches, (branch) => branch.key === "allocate");
  assert.deepEqual(shut.map(({ branch }) => branch.words), ["opens", "enqueue", "allocate", "default", "backfill", "closes"]);
  assert.deepEqual(shut[3], { ...shut[3], level: 2, place: 1, all: 1, parent: shut[2].branch });
});

test("a small session is unfolded but for pods that were passed over alike, a large one on the way to the decision", () => {
  const shown = (branches, seq) => linesOf(branches, openAtFirst(branches, pathTo(branches, seq))).length;
  assert.equal(shown(sessionTree(events, scheduler), 6), 20);
  assert.equal(shown(sessionTree(events, scheduler), 9), 24);
  const many = Array.from({ length: 40 }, (_, i) => ({ ...tried(worker(i)), seq: 4 + i }));
  const large = sessionTree([...events.slice(0, 3), ...many, { ...settled("discarded"), seq: 44 }], scheduler);
  assert.equal(shown(large, 2), 7);
  assert.equal(shown(large, 20), 47);
});

test("a session that goes on yet shows the actions to come without saying that they do nothing", () => {
  const [opening, backfill] = [sessionTree(events.slice(0, 4), scheduler).at(0), sessionTree(events.slice(0, 4), scheduler).at(-1)];
  assert.equal(opening.words, "opens");
  assert.deepEqual([backfill.words, backfill.note], ["backfill", ""]);
});

const taken = (decisions) => {
  const sessions = new Sessions();
  decisions.forEach((event) => sessions.take(event));
  return sessions;
};

test("spans say where a job's tries, an action and a session begin and end", () => {
  const sessions = taken(events);
  const span = (unit, seq) => {
    const { from, to } = sessions.spanOf(unit, seq);
    return [from, to];
  };
  assert.deepEqual(span("job", 6), [4, 12]);
  assert.equal(sessions.spanOf("job", 6).settled, 12);
  assert.deepEqual(span("job", 13), [13, 14]);
  assert.deepEqual(span("action", 6), [4, 15]);
  assert.deepEqual(span("session", 6), [1, 16]);
  assert.equal(sessions.spanOf("session", 17), null);
  assert.ok(sessions.any);
  assert.ok(!taken([{ ...attempt(other), seq: 1 }]).any);
});

test("a step by job, action or session goes to the end of the next or the previous one", () => {
  const second = [{ ...attempt(other) }, opened({ session: 2 }), closed({ session: 2 })].map((event, i) => ({ ...event, seq: 17 + i }));
  const log = { first: 0, start: 0, head: 19, end: 19, holds: () => true };
  const reading = { at: 0, stepBy: "decision", set: (values) => Object.assign(reading, values) };
  const transport = new Transport({ log, reading, sessions: taken([...events, ...second]), say() {}, stopTest() {}, isEvent() {} });
  const walk = (stepBy, by, from) => {
    Object.assign(reading, { stepBy, at: from });
    const seen = [];
    for (let before = -1; before !== reading.at; ) {
      before = reading.at;
      transport.step(by);
      if (before !== reading.at) seen.push(reading.at);
    }
    return seen;
  };
  assert.deepEqual(walk("session", 1, 0), [16, 17, 19]);
  assert.deepEqual(walk("action", 1, 0), [1, 3, 15, 16, 17, 18, 19]);
  assert.deepEqual(walk("job", 1, 0), [1, 2, 3, 12, 14, 15, 16, 17, 18, 19]);
  assert.deepEqual(walk("session", -1, 19), [17, 16, 0]);
  assert.deepEqual(walk("job", -1, 14), [12, 3, 2, 1, 0]);
  assert.deepEqual(walk("session", 1, 6), [16, 17, 19]);
});

test("a gang is of the pods that the log says are of its group, whether a decision has named them or not, and of its tries", () => {
  const of = (number, fields = {}) => ({ ...worker(number), group: "ml/bert", ...fields });
  const pods = [of(0), of(1, { node: "gpu-1" }), of(2), pod("low-1", { group: "ml/low", node: "gpu-1" })];
  const row = { pod: pods[0].uid, job: "ml/bert", node: "gpu-1", status: "allocated", uid: pods[0].uid };
  const log = logOf(state([node("gpu-1")], pods), [opened(), tried(pods[0], { changes: [appear(row, "tasks/volcano")] }), refused(worker(7))]);
  log.fold.moveTo(2);
  const sessions = taken([1, 2, 3].map((seq) => log.event(seq)));
  withGang({ log, fold: log.fold, sessions, scheduler }, log.event(2), ({ states, size }) => {
    assert.deepEqual(states.map(({ name, state }) => `${name} ${state}`), ["worker-1 runs", "worker-0 open", "worker-2 waits", "worker-7 waits"]);
    assert.equal(size, 4);
  });
});

const gang = (fields) =>
  podStates({
    ...{ job: "ml/bert", members: workers.map(ref), statement: [], settled: null },
    ...{ task: () => undefined, node: () => "", refusal: (event) => scheduler.refusal(event), ...fields },
  });
const statement = events.slice(3, 11);

test("while a statement is open its tries count for the minimum, then what became of them is shown", () => {
  const open = gang({ statement: statement.slice(0, 3) });
  assert.deepEqual(open.map(({ state }) => state), ["open", "open", "open", "waits", "waits", "waits", "waits", "waits"]);
  assert.equal(standing(open, 4, null).words, "minimum 4: 1 more is needed");
  const back = gang({ statement, settled: events[11] });
  assert.deepEqual(back.map(({ state }) => state), ["back", "back", "back", "refused", "passed", "passed", "passed", "passed"]);
  assert.deepEqual(back.slice(2, 4).map(({ name, words }) => [name, words]), [["worker-2", "taken back"], ["worker-3", "insufficient nvidia.com/gpu"]]);
  assert.equal(standing(back, 4, events[11]).words, "minimum 4: 3 had a node, 1 more was needed");
  assert.deepEqual(cellsOf(back, 4).map(({ isLastNeeded }) => isLastNeeded), [false, false, false, true, false, false, false, false]);
});

test("who runs stands first, also whom no decision has named", () => {
  const on = { [workers[5].uid]: "gpu-7" };
  const states = gang({ members: [ref(workers[0]), ref(workers[5]), ref(workers[6])], statement: statement.slice(0, 1), node: (uid) => on[uid] ?? "" });
  assert.deepEqual(states.map(({ state, node }) => `${state} ${node}`.trim()), ["runs gpu-7", "open gpu-1", "waits"]);
});

test("of a large gang neighbours in the same state are one cell, which ends at the minimum", () => {
  const many = Array.from({ length: 40 }, (_, i) => ref(worker(i)));
  const tries = many.slice(0, 30).map((of) => ({ ...tried(of), pod: of }));
  const cells = cellsOf(gang({ members: many, statement: tries }), 20);
  assert.deepEqual(cells.map(({ label, isLastNeeded }) => [label, isLastNeeded]), [["20 pods", true], ["10 pods", false], ["10 pods", false]]);
});

test("a search among hyper nodes tells each that was tried, and where the parts of a job went", () => {
  const parts = { "ml/bert/rank-0": "s0", "ml/bert/rank-1": "s1" };
  const tries = [...searched().tries, { hyper_node: "s2", outcome: "pipelined", placed: 4, score: 70, parts }];
  const tree = sessionTree(numbered([opened(), searched({ tries, best: ["s1"] })]), scheduler);
  assert.deepEqual(all(tree).slice(4, -1).map((line) => line.trim()), [
    "→ ml/bert | in s1",
    "✕ s0 | only 3 pods found nodes",
    "→ s1 | 4 pods, 80 points: taken",
    "− s2 | 4 pods, some wait for room, 70 points",
    "rank-0 | in s0",
    "rank-1 | in s1",
  ]);
  const path = pathTo(tree, 2);
  assert.equal(path.at(-1), "d2");
});
