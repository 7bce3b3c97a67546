// What the lanes draw of a run with a clock: who waited, what was used, what happened, and single pods' lives.
import assert from "node:assert/strict";
import test from "node:test";

import { Lives } from "../../static/js/debugger/pod/pod-life.js";
import { LaneOrder } from "../../static/js/debugger/time/lane-order.js";
import { sceneOf } from "../../static/js/debugger/time/lane-scene.js";
import { Peaks } from "../../static/js/debugger/time/peaks.js";
import { stepsOf } from "../../static/js/debugger/time/queue-lane.js";
import { Series } from "../../static/js/debugger/time/series.js";
import { axisOf } from "../../static/js/debugger/time/axis.js";
import { binsOf } from "../../static/js/debugger/time/buckets.js";
import { wholeOf } from "../../static/js/debugger/time/span.js";
import { appear, attempt, bind, join, leave, logOf, node, pod, QUEUE, ref, remove, set, state, terminate, vanish } from "./events.js";

const WAITS = "waiting/default-scheduler";
const api = pod("api", { requests: { cpu: 250 } }),
  web = pod("web", { node: "a", requests: { cpu: 500 } });
const wait = (of, old, since) => set(WAITS, of.uid, { since: old }, { since });
const moves = (of, from, to, since) => [leave(QUEUE, from, of, 0), join(QUEUE, to, of, 0), wait(of, since - 1, since)];
const happens = (time, kind, changes, fields = {}) => ({ ...attempt(api, { time, changes }), pod: null, kind, ...fields });

/** `api` fails, is woken when `web` leaves, is placed, and asked to go; meanwhile a node and a pod come. */
const story = [
  happens(0, "attempt", moves(api, "active", "in_flight", 1), { pod: ref(api), outcome: "unschedulable" }),
  happens(10, "completion", moves(api, "in_flight", "unschedulable", 2), { pod: ref(api) }),
  happens(500, "change", [appear(node("b", { allocatable: { cpu: 3000 } }), "nodes"), appear(pod("new"))]),
  happens(900, "change", [...remove(web, 0), ...moves(api, "unschedulable", "backoff", 3)]),
  happens(1000, "flush", moves(api, "backoff", "active", 4)),
  happens(1000, "attempt", [...moves(api, "active", "in_flight", 5), ...bind(api)], { pod: ref(api) }),
  happens(1010, "completion", [leave(QUEUE, "in_flight", api, 0), vanish({ uid: api.uid, since: 5 }, WAITS)], { pod: ref(api) }),
  happens(2000, "change", terminate({ ...api, node: "a" }, 0, 1)),
  happens(3000, "change", remove({ ...api, node: "a" }, 1)),
];
function told() {
  const base = { ...state([node("a")], [api, web], { active: { [api.uid]: 0 } }), time: 0 };
  base.tables[WAITS] = { [api.uid]: { since: 0 } };
  const log = logOf(base, []);
  const series = new Series(log);
  const decisions = story.map((decision, i) => ({ ...decision, seq: i + 1 }));
  log.take(structuredClone(decisions));
  series.take(decisions);
  return { log, series };
}

test("after each decision so many wait in each part, and so much is used", () => {
  const { series } = told();
  const lengths = (part) => Array.from({ length: 10 }, (_, seq) => series.lengthOf(part, seq));
  assert.deepEqual(lengths("active"), [1, 0, 0, 0, 0, 1, 0, 0, 0, 0]);
  assert.deepEqual(lengths("unschedulable"), [0, 0, 1, 1, 0, 0, 0, 0, 0, 0]);
  assert.deepEqual([series.waiting(4), series.waiting(7), series.longest(1, 9)], [1, 0, 1]);
  assert.deepEqual(series.resources, ["cpu"]);
  const used = Array.from({ length: 10 }, (_, seq) => series.usedOf("cpu", seq));
  assert.deepEqual(used, [0.5, 0.5, 0.5, 0.125, 0, 0, 0.0625, 0.0625, 0.0625, 0]);
});

test("what is summed up in turns is what is summed up at once", async () => {
  const log = logOf({ ...state([node("a")], [web, api], { unschedulable: { [api.uid]: 0 } }), time: 0 }, []);
  const [once, turned] = [new Series(log), await Series.opened(log)];
  assert.deepEqual(turned, once);
  assert.ok(once.usedOf("cpu", 0) > 0 && once.waiting(0) === 1);
});

test("a pod on a node that asks for something else uses that", () => {
  const base = { ...state([node("a")], [web]), time: 0 };
  const series = new Series(logOf(base, []));
  const changes = [set("pods", web.uid, { requests: { cpu: 500 } }, { requests: { cpu: 1500 } })];
  series.take([{ ...happens(5, "change", changes), seq: 1 }]);
  assert.equal(series.usedOf("cpu", 1), 1.5);
});

test("a kind of device that comes with a node is shown from then on", () => {
  const series = new Series(logOf({ ...state([node("a")], [web]), time: 0 }, []));
  const gpus = node("b", { allocatable: { cpu: 1000, "nvidia.com/gpu": 8 } });
  series.take([{ ...happens(5, "change", []), seq: 1 }, { ...happens(9, "change", [appear(gpus, "nodes")]), seq: 2 }]);
  assert.deepEqual(series.resources, ["cpu", "nvidia.com/gpu"]);
});

test("a whole part of a queue that moves is counted with it", () => {
  const base = { ...state([node("a")], [api], { unschedulable: { [api.uid]: 0 } }), time: 0 };
  const series = new Series(logOf(base, []));
  const changes = [{ verb: "move_all", list: QUEUE, of: "unschedulable", to: "active", by: 0, first: 0, count: 1 }];
  series.take([{ ...happens(5, "change", changes), seq: 1 }]);
  assert.deepEqual([series.lengthOf("unschedulable", 1), series.lengthOf("active", 1)], [0, 1]);
});

test("events are counted within any decisions", () => {
  const { series } = told();
  assert.deepEqual(["arrives", "gone", "node"].map((name) => series.eventsWithin(name, 1, 9)), [1, 2, 1]);
  assert.deepEqual(["arrives", "gone", "node"].map((name) => series.eventsWithin(name, 3, 3)), [1, 0, 1]);
});

test("a pod's life is told from the first state on, wherever the reader stands", () => {
  const { log } = told();
  const expected = [
    [0, "active"],
    [1, "in_flight"],
    [2, "unschedulable"],
    [4, "backoff"],
    [5, "active"],
    [6, "in_flight"],
    [7, "runs"],
    [8, "leaves"],
    [9, "absent"],
  ];
  for (const at of [0, 4, 9]) {
    log.fold.moveTo(at);
    const lives = new Lives(log);
    const of = lives.of(log.fold.podIndex.get(api.uid));
    assert.deepEqual(of.stretches.map(({ seq, state: name }) => [seq, name]), expected);
    assert.deepEqual(of.attempts, [1, 6]);
    assert.deepEqual(of.recalls, [4]);
    const late = lives.of(log.fold.podIndex.get("uid-new"));
    assert.deepEqual(late.stretches.map(({ seq, state: name }) => [seq, name]), [[0, "absent"], [3, "apart"]]);
  }
});

test("a pod was woken by the last decision that called it back, but for a flush that finds its time over", () => {
  const { log } = told();
  const wokenBy = (kind, at) => {
    const figures = { endingOf: (seq) => ({ kind: seq === 4 ? kind : "attempt" }) };
    const parts = { log, figures, axis: axisOf(log), reading: { at, time: null } };
    return sceneOf(parts, { from: 0, to: 3000 }, 100).wokenBy(log.fold.podIndex.get(api.uid));
  };
  assert.deepEqual([3, 4, 9].map((at) => wokenBy("change", at)), [0, 4, 4]);
  assert.equal(wokenBy("flush", 9), 0);
});

test("a column of the queue's lane shows the decision after which most waited, and the gaps the last one before", () => {
  const { log, series } = told();
  const axis = axisOf(log);
  const steps = stepsOf({ series, before: 0, binsOf: (columns) => binsOf(axis, wholeOf(axis), columns) }, 6);
  assert.deepEqual(steps, [
    { place: 0, seq: 1, until: 1 },
    { place: 1, seq: 3, until: 2 },
    { place: 2, seq: 5, until: 3 },
    { place: 3, seq: 7, until: 4 },
    { place: 4, seq: 8, until: 5 },
    { place: 5, seq: 9, until: 6 },
  ]);
});

test("the highest of any part of a column is found, also across its blocks", () => {
  const peaks = new Peaks();
  const values = Array.from({ length: 3000 }, (_, i) => (i * 7919) % 1009);
  values.forEach((value, seq) => peaks.set(seq, value));
  for (const [from, to] of [[0, 2999], [5, 5], [200, 300], [255, 513], [256, 511], [1, 1600], [1900, 2999]]) {
    const best = Math.max(...values.slice(from, to + 1));
    assert.equal(peaks.get(peaks.highest(from, to)), best, `${from} to ${to}`);
  }
});

const kept = (text = null) => ({
  text,
  getItem: () => text,
  setItem(_key, value) {
    this.text = value;
  },
});

test("the lanes' order and folding are remembered", () => {
  const storage = kept();
  const lanes = new LaneOrder(storage);
  assert.deepEqual(lanes.order, ["events", "sessions", "decisions", "pods", "queue", "used"]);
  lanes.toggle("queue");
  for (const name of ["queue", "events"]) lanes.raise(name, ["events", "decisions", "queue", "used"]);
  const again = new LaneOrder(kept(storage.text));
  assert.deepEqual(again.order, ["events", "sessions", "queue", "decisions", "pods", "used"]);
  assert.ok(again.isFolded("queue"));
  again.toggle("queue");
  assert.ok(!again.isFolded("queue"));
});

test("what is remembered wrongly, and a storage that is forbidden, do no harm", () => {
  assert.deepEqual(new LaneOrder(kept("{")).order, ["events", "sessions", "decisions", "pods", "queue", "used"]);
  const odd = new LaneOrder(kept('{"order":["used","gone","used"],"folded":["gone"]}'));
  assert.deepEqual(odd.order, ["used", "events", "sessions", "decisions", "pods", "queue"]);
  assert.ok(!odd.isFolded("gone"));
  const forbidden = () => {
    throw new Error("forbidden");
  };
  const lanes = new LaneOrder({ getItem: forbidden, setItem: forbidden });
  lanes.toggle("used");
  assert.ok(lanes.isFolded("used"));
});

test("pods of a scheduler of sessions wait for one, in no queue, until they have a node or are gone", () => {
  const volcano = { scheduler: "volcano", priority: 0 };
  const [waits, runs, late] = ["waits", "runs", "late"].map((name) => pod(name, { ...volcano, node: name === "runs" ? "a" : "" }));
  const base = { ...state([node("a")], [waits, runs, web]), time: 0 };
  base.tables.actors = { volcano: { name: "volcano", engine: "volcano-1.16", profiles: ["volcano"] } };
  const log = logOf(base, []);
  const series = new Series(log);
  const changes = [[appear(late)], bind(waits), [vanish(late)]];
  series.take(changes.map((some, i) => ({ ...happens(i, "gang", some), seq: i + 1 })));
  assert.deepEqual([0, 1, 2, 3].map((seq) => series.lengthOf("open", seq)), [1, 2, 1, 0]);
  assert.deepEqual([0, 1, 2, 3].map((seq) => series.waiting(seq)), [1, 2, 1, 0]);
});
