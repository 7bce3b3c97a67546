// What the queue says of who waits where a clock moves.
import assert from "node:assert/strict";
import test from "node:test";

import { Cluster } from "../../static/js/cluster.js";
import { waitOf } from "../../static/js/debugger/queue-times.js";
import { lasting } from "../../static/js/debugger/units.js";
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
  assert.deepEqual(waitOf("unschedulable", stuck, 135_000, "cpu"), {
    note: "for 2:14",
    left: null,
    lines: ["cpu · NodeResourcesFit · TaintToleration", "since 0:01.000", "at the latest 5:30.000"],
  });
  assert.deepEqual(waitOf("unschedulable", row(), 1400).lines, ["since 0:01.000"]);
});

test("who is gated says by what, and who is in flight which attempt it is", () => {
  assert.deepEqual(waitOf("gated", row({ gate: "SchedulingGates" }), 1400), {
    note: "for 0.4 s",
    left: null,
    lines: ["since 0:01.000", "until SchedulingGates lets it go"],
  });
  const named = (...gates) => waitOf("gated", row({ gate: "SchedulingGates", gates }), 1400).lines[1];
  assert.equal(named("shop/quota"), "until shop/quota is removed");
  assert.equal(named("shop/quota", "shop/review"), "until shop/quota, shop/review are removed");
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
