// A pod's life where a clock moves: its stages and its attempts.
import assert from "node:assert/strict";
import test from "node:test";

import { lifeUntil, totals } from "../../static/js/debugger/pod/pod-life.js";
import { appear, attempt, bind, logOf, node, pod, set, state } from "./events.js";

const QUEUE = "queue/kube-scheduler",
  WAITING = "waiting/kube-scheduler";
const api = pod("api");
const move = (from, to) => [
  ...(from ? [{ verb: "leave", list: QUEUE, of: from, id: api.uid, order: 1, filler: null }] : []),
  ...(to ? [{ verb: "join", list: QUEUE, of: to, id: api.uid, order: 1 }] : []),
  set(WAITING, api.uid, { gate: "" }, { gate: "" }),
];
const at = (time, changes, fields = {}) => ({ time, kind: "flush", pod: null, outcome: "woken", wakes: [], changes, ...fields });
const tried = (time, outcome, changes) => attempt(api, { time, outcome, chosen: outcome === "scheduled" ? "a" : null, changes });

function lifeOf(base, decisions, now, at = decisions.length) {
  const log = logOf(base, decisions);
  log.fold.moveTo(at);
  return lifeUntil(log, log.fold.podIndex.get(api.uid), now);
}

const waiting = () => {
  const first = state([node("a")], [api]);
  const tables = { ...first.tables, [WAITING]: { [api.uid]: { gate: "" } } };
  return { ...first, time: 0, tables, lists: { [QUEUE]: { active: { [api.uid]: 1 } } } };
};

test("a pod goes from part to part, fails, is tried again and runs", () => {
  const decisions = [
    tried(0, "unschedulable", move("active", "in_flight")),
    at(10, move("in_flight", "unschedulable")),
    at(5000, move("unschedulable", "backoff")),
    at(7000, move("backoff", "active")),
    tried(7000, "scheduled", [...move("active", "in_flight"), ...bind(api, "a", 1), ...move("in_flight", null)]),
  ];
  const life = lifeOf(waiting(), decisions, 9000);
  assert.deepEqual(life.stages, [
    { stage: "in_flight", from: 0, to: 10 },
    { stage: "unschedulable", from: 10, to: 5000 },
    { stage: "backoff", from: 5000, to: 7000 },
    { stage: "runs", from: 7000, to: 9000 },
  ]);
  assert.deepEqual(life.attempts, [
    { seq: 1, time: 0, placed: false },
    { seq: 5, time: 7000, placed: true },
  ]);
  assert.deepEqual(totals(life.stages)[1], ["unschedulable", 4990]);
  const before = lifeOf(waiting(), decisions, 4000, 2);
  assert.deepEqual(before.stages.at(-1), { stage: "unschedulable", from: 10, to: 4000 });
  assert.equal(before.attempts.length, 1);
});

test("a put-back into the same part is one stage, and a second wait adds up", () => {
  const life = lifeOf(
    waiting(),
    [at(10, move("active", "gated")), at(20, move("gated", "gated")), at(30, move("gated", "active")), at(50, move("active", "gated"))],
    60,
  );
  assert.deepEqual(life.stages.map(({ stage, from, to }) => [stage, from, to]), [
    ["active", 0, 10],
    ["gated", 10, 30],
    ["active", 30, 50],
    ["gated", 50, 60],
  ]);
  assert.deepEqual(totals(life.stages), [["active", 30], ["gated", 30]]);
});

test("of several decisions at one instant those that the reader hasn't come to are not told", () => {
  const decisions = [at(10, move("active", "gated")), at(10, move("gated", "active")), tried(10, "scheduled", bind(api, "a", 1))];
  const life = lifeOf(waiting(), decisions, 10, 1);
  assert.deepEqual(life.stages.map(({ stage }) => stage), ["active", "gated"]);
  assert.deepEqual(life.attempts, []);
  assert.equal(lifeOf(waiting(), decisions, 10).attempts.length, 1);
});

test("who is asked to go is leaving until it is gone, and in no queue it has no stage", () => {
  const running = { ...state([node("a")], [{ ...api, node: "a" }]), time: 0 };
  const changes = [
    [set("pods", api.uid, { terminating: false }, { terminating: true })],
    [{ verb: "vanish", table: "pods", id: api.uid, row: null }],
  ];
  const life = lifeOf(running, [at(10, changes[0]), at(40, changes[1]), at(60, [])], 60);
  assert.deepEqual(life.stages, [
    { stage: "runs", from: 0, to: 10 },
    { stage: "leaves", from: 10, to: 40 },
  ]);
  const apart = { ...state([node("a")], [api]), time: 0 };
  assert.deepEqual(lifeOf(apart, [at(10, [])], 60).stages, []);
});

test("a life begins where the pod is: when it comes, in its part, or on its node", () => {
  const nobody = { ...state([node("a")], []), time: 0 };
  const comes = [at(5000, [appear(api), appear({ uid: api.uid, gate: "" }, WAITING), ...move(null, "gated")])];
  assert.deepEqual(lifeOf(nobody, comes, 6000).stages, [{ stage: "gated", from: 5000, to: 6000 }]);
  assert.deepEqual(lifeOf(waiting(), [], 100).stages, [{ stage: "active", from: 0, to: 100 }]);
  const running = { ...state([node("a")], [{ ...api, node: "a" }]), time: 0 };
  assert.deepEqual(lifeOf(running, [at(10, [])], 100).stages, [{ stage: "runs", from: 0, to: 100 }]);
});
