// Why a pod still waits: the chain of the Waiting tab.
import assert from "node:assert/strict";
import test from "node:test";

import { plain } from "../../static/js/debugger/words/phrases.js";
import { linksOf, nextLink, turnsOf } from "../../static/js/debugger/pod/waiting-chain.js";
import { attempt, logOf, node, pod, ref, schedulerOf, set, state } from "./events.js";

const api = pod("api"),
  web = pod("web");
const WAITING = "waiting/kube-scheduler";
const row = (fields) => ({ since: 0, attempts: 2, plugins: [], gate: "", until: null, latest: null, ...fields });
const wake = (source, target, event, fields = {}) => ({ pod: api.uid, source, target, event, hints: {}, during: [], ...fields });
const of = (kind, fields) => ({ seq: 7, time: 5400, kind, pod: null, changes: [], wakes: [], ...fields });
const words = { scheduler: schedulerOf(), profile: "default-scheduler" };
const told = (event) =>
  linksOf(event, api.uid, words).map(({ mark, title, details }) => [mark, plain(title), ...details.map(plain)]);

test("what comes next depends on where the pod waits", () => {
  const next = (part, fields) => {
    const { time, title, details } = nextLink({ part, row: row(fields) }, 5400, words);
    return [time, plain(title), ...details.map(plain)];
  };
  assert.deepEqual(next("backoff", { until: 6010 }), [
    6010,
    "back-off ends",
    "in 0.6 s",
    "after attempt 2: 1 s after the first failure, doubled by each further one, 10 s at most",
    "earlier if nobody else is to be tried",
  ]);
  assert.deepEqual(next("backoff", { until: 5400 })[2], "it is tried with the next flush of the queue");
  assert.deepEqual(next("unschedulable", { latest: 330_000, plugins: ["NodeName"] }), [
    330_000,
    "is tried again at the latest",
    "earlier, for NodeName, if a node comes or changes its taints",
  ]);
  assert.deepEqual(next("unschedulable", { latest: 1, plugins: ["Stranger"] })[2], "Stranger listens to nothing");
  assert.deepEqual(next("gated", { gate: "SchedulingGates", gates: ["a.example/hold"] }), [
    null,
    "is tried once a.example/hold goes",
    "SchedulingGates keeps it out of the queue",
  ]);
  assert.deepEqual(next("gated", { gate: "Another" })[1], "is tried once Another goes");
  assert.deepEqual(next("active"), [null, "is tried in its turn"]);
  assert.deepEqual(next("in_flight"), [null, "attempt 2 ends", "what it found takes effect then"]);
  assert.equal(nextLink({ part: "toString", row: row() }, 0, words), null);
  assert.equal(nextLink({ part: "active", row: null }, 0, words), null);
});

test("a wake-up says by which event, by whom, what the plugins answered, and from where to where", () => {
  const hints = { NodeResourcesFit: "Queue" };
  const comes = of("change", { outcome: "added", object: "Node c", edit: 2, wakes: [wake("unschedulable", "backoff", "NodeAdd", { hints })] });
  assert.deepEqual(told(comes), [
    [
      "woken",
      "woken by the arrival of c",
      "NodeResourcesFit’s hint says yes: the pod would fit on the node if it were empty, and the node is new or grew",
      "NodeAdd: unschedulable → back-off",
    ],
  ]);
  const gone = {
    ...comes,
    outcome: "gone",
    cause: 5,
    object: "Pod shop/web",
    pod: ref(web),
    wakes: [wake("backoff", "active", "AssignedPodDelete")],
  };
  assert.deepEqual(told(gone), [
    ["moved", "moved by the deletion of shop/web", "terminating since decision 5", "AssignedPodDelete: back-off → active"],
  ]);
  assert.equal(linksOf(gone, api.uid, words)[0].title.at(-1).pod, web.uid);
  assert.equal(told({ ...gone, cause: null })[0][1], "moved by the end of shop/web");
  assert.deepEqual(told({ ...gone, wakes: [{ ...gone.wakes[0], pod: "another" }] }), []);
});

test("what the queue does by itself, and the pod's own coming, name nobody else", () => {
  const back = of("completion", {
    pod: ref(api),
    outcome: "returned",
    wakes: [wake("in_flight", "active", "ScheduleAttemptFailure", { during: ["NodeAdd"] })],
  });
  assert.deepEqual(told(back), [["moved", "goes back to the queue: active", "heard while it was tried: NodeAdd"]]);
  const flushed = (event) => told(of("flush", { outcome: "woken", wakes: [wake("backoff", "active", event)] }));
  assert.deepEqual(flushed("BackoffComplete"), [["moved", "back-off is over"]]);
  assert.deepEqual(flushed("UnschedulableTimeout"), [["moved", "waited for too long"]]);
  const added = of("change", { outcome: "added", pod: ref(api), wakes: [wake("none", "active", "UnschedulablePodAdd")] });
  assert.deepEqual(told(added), [["moved", "comes into the queue: active"]]);
});

test("an attempt says how it came out, and the end of one that went well too", () => {
  const failed = attempt(api, { seq: 4, attempt: 2, outcome: "unschedulable", chosen: null, message: "0/1 nodes" });
  assert.deepEqual(told(failed), [["failed", "attempt 2: unschedulable", "0/1 nodes"]]);
  assert.deepEqual(told(attempt(api)), [["placed", "attempt 1: placed to a"]]);
  assert.deepEqual(told(of("completion", { pod: ref(api), outcome: "bound" })), [["moved", "bound"]]);
});

test("a pod's turns are the decisions about it and those that move it, newest first", () => {
  const first = state([node("a")], [api, web]);
  const base = { ...first, time: 0, tables: { ...first.tables, [WAITING]: { [api.uid]: row() } } };
  const log = logOf(base, [
    attempt(api),
    attempt(web),
    of("flush", { outcome: "woken", changes: [set(WAITING, api.uid, { latest: null }, { latest: 9 })] }),
    of("change", { outcome: "added", object: "Node c" }),
  ]);
  const index = log.fold.podIndex.get(api.uid);
  assert.deepEqual(turnsOf(log, index, 4, 12), [3, 1]);
  assert.deepEqual(turnsOf(log, index, 2, 12), [1]);
  assert.deepEqual(turnsOf(log, index, 4, 1), [3]);
  assert.ok(log.fold.everWaits(index));
  assert.ok(!log.fold.everWaits(log.fold.podIndex.get(web.uid)));
  assert.ok(!logOf(first, []).fold.everWaits(index));
});

test("where a pod waits is told with its row", () => {
  const first = state([node("a")], [api, web], { backoff: { [api.uid]: 1 } });
  const lists = { "queue/kube-scheduler": first.lists["queue/default-scheduler"] };
  const timed = { ...first, time: 0, lists, tables: { ...first.tables, [WAITING]: { [api.uid]: row({ until: 9 }) } } };
  const { fold } = logOf(timed, []);
  const { actor, part, row: found } = fold.placeInQueue(fold.podIndex.get(api.uid));
  assert.deepEqual([actor, part, found.until], ["kube-scheduler", "backoff", 9]);
  assert.equal(fold.placeInQueue(fold.podIndex.get(web.uid)), null);
  assert.equal(logOf(first, []).fold.placeInQueue(0), null);
});
