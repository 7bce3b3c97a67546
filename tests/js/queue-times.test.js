// What the queue says of who waits where a clock moves.
import assert from "node:assert/strict";
import test from "node:test";

import { Cluster } from "../../static/js/cluster.js";
import { foldEqual, foldMany } from "../../static/js/debugger/queue/queue-folds.js";
import { samenessOf, waitOf } from "../../static/js/debugger/queue/queue-times.js";
import { lasting } from "../../static/js/debugger/words/units.js";
import { node, pod, set, state } from "./events.js";

const row = (fields) => ({ since: 1000, attempts: 2, plugins: [], gate: "", until: null, latest: null, ...fields });

test("a back-off has so much left, and is never more than over", () => {
  const backingOff = row({ until: 5000 });
  assert.deepEqual(waitOf("backoff", backingOff, 4000), { note: "in 1 s", left: 0.25, lines: [] });
  assert.deepEqual(waitOf("backoff", backingOff, 5001), { note: "is over", left: 0, lines: [] });
  assert.equal(waitOf("backoff", row({ until: 1000 }), 1000).left, 0);
});

test("who is unschedulable says what is lacked, which plugins said so, since when, and when it is tried at the latest", () => {
  const stuck = row({ plugins: ["NodeResourcesFit", "TaintToleration"], latest: 330_000 });
  const { lines, ...said } = waitOf("unschedulable", stuck, 135_000, { why: "cpu on 3", wakes: ["a pod goes", "a node comes"] });
  assert.deepEqual(said, { note: "for 2:14", left: null });
  assert.deepEqual(lines, [
    { of: "why", text: "cpu on 3" },
    { of: "since", text: "since 0:01.000" },
    { of: "wakes", text: "wakes: a pod goes, a node comes" },
    { of: "latest", text: "at the latest 5:30.000" },
  ]);
  assert.deepEqual(texts("unschedulable", row(), 1400), ["since 0:01.000"]);
  assert.equal(texts("unschedulable", stuck, 1400)[0], "NodeResourcesFit, TaintToleration");
});

const texts = (...given) => waitOf(...given).lines.map(({ text }) => text);

test("pods of one workload that wait for the same are one row, and those that differ aren't", () => {
  const of = (name, fields) => pod(name, { workload: "Deployment/gpu/infer-a", ...fields });
  const cards = [of("infer-a-1"), of("infer-a-2"), of("infer-a-3", { priority: 9 }), pod("alone"), pod("too"), of("infer-a-4")];
  const rows = [330_000, 330_000, 330_000, 330_000, 330_000, 360_000].map((latest) => row({ latest, plugins: ["NodeName"] }));
  const members = cards.map((_, index) => [index, index]);
  const folded = foldEqual(members, cards, (index) => samenessOf("unschedulable", rows[index], "cpu"));
  assert.deepEqual(folded, [
    { pods: [0, 1], name: "infer-a" },
    { pods: [2], name: "" },
    { pods: [3], name: "" },
    { pods: [4], name: "" },
    { pods: [5], name: "" },
  ]);
});

test("a back-off that ends later is another one, whenever the pods came", () => {
  const same = (a, b) => samenessOf("backoff", row(a)) === samenessOf("backoff", row(b));
  assert.ok(same({ since: 1, until: 5000 }, { since: 2, until: 5000 }));
  assert.ok(!same({ until: 5000 }, { until: 6000 }));
  assert.notEqual(samenessOf("unschedulable", row(), "cpu on 1"), samenessOf("unschedulable", row(), "cpu on 2"));
});

test("who is gated says by what, and who is in flight which attempt it is", () => {
  const gated = (gates) => texts("gated", row({ gate: "SchedulingGates", gates }), 1400);
  assert.equal(waitOf("gated", row(), 1400).note, "for 0.4 s");
  assert.deepEqual(gated(["quota.example/hold"]), ["since 0:01.000", "until quota.example/hold goes"]);
  assert.deepEqual(gated(["a", "b"])[1], "until a, b go");
  assert.deepEqual(gated([])[1], "until SchedulingGates goes");
  assert.equal(waitOf("in_flight", row(), 1400).note, "attempt 2");
});

test("a part of which nothing is known, and a pod without a row, say nothing of time", () => {
  assert.equal(waitOf("active", row(), 1400), null);
  assert.equal(waitOf("constructor", row(), 1400), null);
  assert.equal(waitOf("backoff", null, 1400), null);
});

test("time lasts in tenths of a second below a minute", () => {
  assert.deepEqual([-5, 0, 610, 59_949, 59_960, 134_000, 3_605_000].map(lasting), [
    "0 s",
    "0 s",
    "0.6 s",
    "59.9 s",
    "1:00",
    "2:14",
    "1:00:05",
  ]);
});

test("a pod's row is that of the fold's decision, and there is none where no clock moves", () => {
  const api = pod("api");
  const table = "waiting/kube-scheduler";
  const base = state([node("a")], [api, pod("web")]);
  const timed = new Cluster({ ...base, time: 0, tables: { ...base.tables, [table]: { [api.uid]: row() } } });
  const index = timed.podIndex.get(api.uid);
  timed.apply({ seq: 1, time: 10, changes: [set(table, api.uid, { latest: null }, { latest: 330_000 })] });
  assert.equal(timed.waitingRow("kube-scheduler", index).latest, 330_000);
  timed.moveTo(0);
  assert.equal(timed.waitingRow("kube-scheduler", index).latest, null);
  assert.equal(timed.waitingRow("kube-scheduler", timed.podIndex.get("uid-web")), null);
  assert.equal(new Cluster(base).waitingRow("kube-scheduler", index), null);
});

test("a long part is told by workload and priority as a short one would be, whatever the order in which its pods come", () => {
  const many = Array.from({ length: 3000 }, (_, i) => (i % 7 ? { workload: `ReplicaSet/shop/web-${i % 5}`, priority: i % 3 } : { workload: "", priority: 0 }));
  const byOrder = (a, b) => many[b[0]].priority - many[a[0]].priority || a[1] - b[1];
  const members = many.map((_, i) => [i, (i * 7919) % 3000]);
  const told = foldMany(members, many, byOrder, 40, 150);
  const expected = foldEqual([...members].sort(byOrder), many, () => "").slice(0, 40);
  const seen = (rows) => rows.map(({ pods, name }) => [name, pods.slice(0, 150), pods.length]);
  assert.deepEqual(seen(told), seen(expected));
  assert.deepEqual([...told[0].pods].sort(), [...expected[0].pods].sort());
});
