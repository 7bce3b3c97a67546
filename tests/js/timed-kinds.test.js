// Decisions of runs with a clock: ends of attempts, changes of the cluster, flushes of the queue.
import assert from "node:assert/strict";
import test from "node:test";

import { asMarkdown } from "../../static/js/debugger/inspector/markdown.js";
import { marksOf } from "../../static/js/debugger/map/marks.js";
import { markedBefore } from "../../static/js/debugger/inspector/past.js";
import { plain } from "../../static/js/debugger/words/phrases.js";
import { takersOf } from "../../static/js/debugger/inspector/taken-room.js";
import { clock, instant } from "../../static/js/debugger/words/units.js";
import { changeLines } from "../../static/js/decisions/changes.js";
import { heardLines, wakeLines } from "../../static/js/decisions/queue-words.js";
import { kindOf } from "../../static/js/decisions/registry.js";
import { offeredStops } from "../../static/js/decisions/stops.js";
import {
  appear,
  attempt,
  bind,
  evict,
  figuresOf,
  logOf,
  node,
  pod,
  preemption,
  ref,
  remove,
  schedulerOf,
  set,
  state,
  terminate,
  vanish,
} from "./events.js";

const scheduler = schedulerOf();
const api = pod("api", { priority: 100 }),
  web = pod("web", { node: "a" });
const cardOf = (uid) => [api, web].find((card) => card.uid === uid);
const wake = (of, source, target, event, fields = {}) => ({
  pod: of.uid,
  source,
  target,
  event,
  hints: {},
  during: [],
  ...fields,
});
const decision = (kind, fields) => ({
  seq: 1,
  time: 30010,
  actor: "kube-scheduler",
  cause: 6,
  kind,
  pod: null,
  changes: [],
  wakes: [],
  heard: [],
  ...fields,
});
const completion = (outcome, fields = {}) =>
  decision("completion", { pod: ref(api), outcome, attempt: 2, node: outcome === "bound" ? "a" : "", ...fields });
const change = (outcome, object, fields = {}) =>
  decision("change", { actor: "scenario", cause: null, edit: null, outcome, object, ...fields });
const say = (event) => plain(kindOf(event).sentence(event, { scheduler }));

test("an attempt ends with its pod bound, back in the queue, or forgotten", () => {
  assert.equal(say(completion("bound")), "Is bound to a.");
  assert.equal(say(completion("forgotten")), "Is forgotten: it was deleted while it was tried.");
  const back = wake(api, "in_flight", "unschedulable", "ScheduleAttemptFailure");
  assert.equal(say(completion("returned", { wakes: [back] })), "Goes back to the queue: unschedulable.");
  const called = wake(api, "in_flight", "active", "ScheduleAttemptFailure", { during: ["NodeAdd"] });
  assert.equal(
    say(completion("returned", { wakes: [called] })),
    "Goes back to the queue: active, as NodeAdd happened while it was tried.",
  );
  assert.deepEqual(kindOf(completion("bound")).notes(completion("bound")), [
    "attempt 2",
    "by kube-scheduler",
    "at 30.01 s",
    "caused by decision 6",
  ]);
});

test("the end of an attempt says whom it asks to go and whom else it wakes", () => {
  const wakes = [
    wake(api, "in_flight", "unschedulable", "ScheduleAttemptFailure"),
    wake(web, "unschedulable", "active", "AssignedPodUpdate"),
    wake(web, "unschedulable", "gated", "AssignedPodUpdate"),
  ];
  assert.equal(
    say(completion("returned", { wakes, changes: evict(web, 0) })),
    "Goes back to the queue: unschedulable. It evicts 1 victim. It wakes 1 pod.",
  );
});

test("a change says of what it is, by which edit, and whom it wakes", () => {
  const wakes = [wake(api, "unschedulable", "active", "NodeAdd", { hints: { NodeResourcesFit: "Queue" } })];
  const comes = change("added", "Node c", { edit: 0, wakes, changes: [appear(node("c"), "nodes")] });
  assert.deepEqual(kindOf(comes).who(comes), { name: "Node c", pod: null });
  assert.equal(say(comes), "Comes into the cluster, as the edits say. It wakes 1 pod.");
  assert.deepEqual(kindOf(comes).notes(comes), ["edit 1", "by scenario", "at 30.01 s"]);
  const gone = change("gone", "Pod shop/web", { pod: ref(web), actor: "kubelet", changes: remove(web, 0) });
  assert.deepEqual(kindOf(gone).who(gone), { name: "shop/web", pod: web.uid });
  assert.equal(say(gone), "Is gone from a.");
  assert.equal(say(change("asked", "Pod shop/web")), "Its eviction is requested.");
  assert.equal(say(change("asked", "Node a")), "Is drained: the eviction of its pods is requested.");
  assert.equal(say(change("stopped", "Node a", { edit: 0 })), "Is lost: its kubelet says and does nothing any more, as the edits say.");
  assert.equal(say(change("started", "Node a", { edit: 0 })), "Comes back: its kubelet speaks again, as the edits say.");
  assert.equal(say(change("nothing", "Pod shop/x", { edit: 3 })), "Isn't there, so nothing happens, as the edits say.");
});

test("an eviction that takes no time says whom it wakes, and is named as the cause", () => {
  const wakes = [wake(api, "unschedulable", "active", "AssignedPodDelete")];
  const evicted = decision("eviction", { pod: ref(web), outcome: "evicted", node: "a", message: null, wakes });
  assert.equal(say(evicted), "Is evicted from a, as an edit asks. It wakes 1 pod.");
  assert.equal(say({ ...evicted, wakes: undefined }), "Is evicted from a, as an edit asks.");
});

test("each kind is named as the cause of what it led to", () => {
  const cause = (event) => plain(kindOf(event).asCause(event));
  assert.equal(cause(decision("eviction", { pod: ref(web) })), "the eviction of shop/web");
  assert.equal(cause(completion("bound")), "the binding of shop/api");
  assert.equal(cause(completion("returned")), "the end of the attempt at shop/api");
  assert.equal(cause(change("added", "Node c")), "the arrival of c");
  assert.equal(cause(change("updated", "StorageClass fast")), "a change of StorageClass fast");
  assert.equal(cause(change("gone", "Pod shop/web", { pod: ref(web), cause: 3 })), "the deletion of shop/web");
  assert.equal(cause(change("gone", "Pod shop/web", { pod: ref(web) })), "the end of shop/web");
  assert.equal(cause(decision("scale-up", { actor: "autoscaler" })), "the scale-up of autoscaler");
});

test("a flush says why its pods are tried again", () => {
  const flushed = (...wakes) => decision("flush", { actor: "queue", outcome: "woken", wakes });
  const rested = wake(api, "backoff", "active", "BackoffComplete");
  const patient = wake(web, "unschedulable", "active", "UnschedulableTimeout");
  assert.equal(say(flushed(rested)), "Has 1 pod whose back-off is over tried again.");
  assert.equal(
    say(flushed(rested, patient, patient)),
    "Has 1 pod whose back-off is over and 2 pods that waited for too long tried again.",
  );
  assert.deepEqual(kindOf(flushed(rested)).who(flushed(rested)), { name: "queue", pod: null });
});

test("who moves in the queue is told with the answers of the plugins, and what the queue heard with whom it asked", () => {
  const wakes = [
    wake(api, "unschedulable", "active", "NodeAdd", { hints: { NodeResourcesFit: "Queue", NodeName: "QueueSkip" } }),
    wake(web, "none", "active", "UnschedulablePodAdd"),
    wake({ uid: "stranger" }, "backoff", "none", "PodDelete", { during: ["NodeAdd", "NodeDelete"] }),
  ];
  assert.deepEqual(wakeLines({ wakes }, cardOf).map(plain), [
    "shop/api goes from unschedulable to active by NodeAdd; NodeResourcesFit says Queue; NodeName says QueueSkip",
    "shop/web comes to active by UnschedulablePodAdd",
    "stranger leaves backoff by PodDelete; heard while it was tried: NodeAdd, NodeDelete",
  ]);
  const heard = [
    { event: "NodeAdd", ignored: false, asked: 2 },
    { event: "NodeUpdate", ignored: true, asked: 0 },
    { event: "NodeDelete", ignored: false, asked: 0 },
  ];
  assert.deepEqual(heardLines({ heard }).map(plain), [
    "NodeAdd: plugins were asked about 2 pods",
    "NodeUpdate: no plugin listens to it",
    "NodeDelete: no pod that waits is concerned",
  ]);
  assert.deepEqual([wakeLines({}, cardOf), heardLines({})], [[], []]);
  const text = asMarkdown({
    event: change("added", "Node c", { wakes, heard }),
    run: { id: 3, seed: null, profile: "kube-1.36", engine_version: "1" },
    scheduler,
    link: "l",
  });
  assert.match(text, /^- stranger leaves backoff by PodDelete/m);
  assert.match(text, /^- NodeAdd: plugins were asked about 2 pods$/m);
});

test("rows of other tables are told by their pod, and a row without a difference stays as it is", () => {
  const changes = [set("waiting/kube-scheduler", api.uid, { attempts: 0 }, { attempts: 1 }), set("pods", api.uid, {}, {})];
  assert.deepEqual(changeLines({ changes }, cardOf).map(plain), [
    "shop/api of waiting/kube-scheduler attempts 1 instead of 0",
    "shop/api stays as it is",
  ]);
});

test("the map marks the pod that is bound, the one that is gone, and nodes that come, change, drain or go", () => {
  const decisions = [
    attempt(api, { changes: bind(api, "a", 1) }),
    completion("bound"),
    change("gone", "Pod shop/web", { pod: ref(web), changes: remove(web, 0, "a", [api, 1]) }),
    change("added", "Node c", { changes: [appear(node("c"), "nodes")] }),
    change("updated", "Node b", { changes: [set("nodes", "b", { unschedulable: false }, { unschedulable: true })] }),
    change("asked", "Node b"),
    change("deleted", "Node c", { changes: [vanish(node("c"), "nodes")] }),
  ];
  const { fold } = logOf(state([node("a"), node("b")], [web, api]), decisions);
  const at = { node: (name) => fold.nodeIndex.get(name) ?? -1, pod: (uid) => fold.podIndex.get(uid) ?? -1 };
  const marked = decisions.map((event, i) => {
    fold.moveTo(i + 1);
    const marks = marksOf(fold, i + 1);
    kindOf(event).mark(event, marks, at);
    const pods = (indices) => [...indices].map((index) => fold.pods[index].name);
    const nodes = (indices) => [...indices].map((index) => fold.nodes[index].name);
    const chosen = fold.nodes[marks.chosen]?.name ?? "";
    return [chosen, ...pods(marks.placed), ...pods(marks.gone), ...nodes(marks.came), ...nodes(marks.went)].join(" ");
  });
  assert.deepEqual(marked, ["a api", "a api", " web", " c", "b", "b", " c"]);
});

test("play may stop at what only runs with a clock have where there is any", () => {
  const base = state([node("a")], [api]);
  const keys = (...decisions) => offeredStops(figuresOf(base, decisions)).map(({ key }) => key);
  assert.ok(!keys(attempt(api)).includes("completion"));
  assert.deepEqual(keys(completion("bound"), change("added", "Node c")).slice(-2), ["completion", "change"]);
});

test("only attempts count as attempts, whatever else is decided about the pod", () => {
  const nominated = attempt(api, {
    outcome: "nominated",
    chosen: null,
    best: [],
    nominated_after: "a",
    preemption: preemption({ nominated: "a" }),
  });
  const log = logOf(state([node("a"), node("b")], [api, pod("other")]), [
    nominated,
    completion("returned"),
    attempt(pod("other"), { changes: bind(pod("other")) }),
    completion("returned"),
  ]);
  const index = log.fold.podIndex.get(api.uid);
  assert.equal(log.lastAttempt(index, 4), 1);
  const again = attempt(api, { seq: 5, nominated_before: "a", chosen: null, feasible: 0, outcome: "unschedulable" });
  assert.deepEqual(takersOf(log, again, scheduler).pods.map(({ name }) => name), ["other"]);
});

test("a victim that is asked to go only as the attempt ends isn't said to be terminating already", () => {
  const nominates = attempt(api, {
    outcome: "nominated",
    chosen: null,
    preemption: preemption({ nominated: "a", victims: [ref(web)] }),
  });
  const markedOf = (victim) => {
    const log = logOf(state([node("a")], [api, victim]), [nominates, completion("returned", { changes: terminate(victim, 0, 1) })]);
    log.fold.moveTo(1);
    return markedBefore(log, { ...nominates, seq: 1 });
  };
  assert.deepEqual(markedOf(web), []);
  assert.deepEqual(markedOf({ ...web, terminating: true }), [{ uid: web.uid, seq: 0 }]);
});

test("a pod that an edit brings comes, and comes back as nobody's copy", () => {
  const late = pod("late");
  const log = logOf(state([node("a")], []), [
    change("added", "Pod shop/late", { pod: ref(late), changes: [appear(late)] }),
  ]);
  assert.deepEqual(log.lifeOf(log.fold.podIndex.get(late.uid)).map(({ seq }) => seq), [1]);
});

test("instants are told in the units that they need", () => {
  assert.deepEqual([0, 10, 30010, 61_300, 3_600_000, 93_601_001].map(instant), [
    "0 s",
    "0.01 s",
    "30.01 s",
    "1 min 1.3 s",
    "1 h 0 min 0 s",
    "26 h 0 min 1.001 s",
  ]);
});

test("the clock is written with milliseconds, and with hours where there are any", () => {
  assert.deepEqual([0, 5010, 600_000, 3_723_500, 93_601_001].map(clock), [
    "0:00.000",
    "0:05.010",
    "10:00.000",
    "1:02:03.500",
    "26:00:01.001",
  ]);
});
