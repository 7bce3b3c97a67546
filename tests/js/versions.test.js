import assert from "node:assert/strict";
import test from "node:test";

import { beginningOf, configOf, driverUnder, mayHaveClock, sortProblems, takenBy } from "../../static/js/scenario/versions.js";

const version = (profile, drivers, fields) => ({
  profile,
  drivers: drivers.map((driver) => ({ driver, summary: "", has_clock: driver === "timed" })),
  configuration: "",
  settings: ["podPriority"],
  ...fields,
});
const old = version("kube-1.8", ["fifo", "instant"]);
const present = version("kube-1.36", ["instant", "timed"], { configuration: "KubeSchedulerConfiguration", settings: [] });

test("a driver that was chosen stays where the version has it, else the edits choose", () => {
  assert.equal(driverUnder(old, "instant"), "instant");
  assert.equal(driverUnder(present, "fifo"), "");
  assert.equal(driverUnder(old, ""), "");
});

test("time may pass under a driver with a clock, and where the edits may choose one", () => {
  assert.equal(mayHaveClock(present, "timed"), true);
  assert.equal(mayHaveClock(present, "instant"), false);
  assert.equal(mayHaveClock(present, ""), true);
  assert.equal(mayHaveClock(old, ""), false);
});

test("a version takes its own kind of configuration and nothing of the other's", () => {
  const kept = { document: { kind: "KubeSchedulerConfiguration" }, podPriority: false };
  assert.deepEqual(configOf(present, kept), kept.document);
  assert.deepEqual(configOf(old, kept), { podPriority: false });
  assert.equal(configOf(old, { ...kept, podPriority: true }), null);
});

test("problems are sorted by the field that they belong to", () => {
  const problem = (object, field) => ({ object, field, message: "" });
  const sorted = sortProblems([
    problem("scheduler", "profile"),
    problem("request", "scheduler.profile"),
    problem("scenario", "driver"),
    problem("KubeSchedulerConfiguration", "profiles[0].plugins"),
    problem("kube-1.8", "colour"),
    problem("Volcano's configuration", "tiers[0].plugins"),
    problem("beside[1]", "config.profiles"),
    problem("beside", ""),
    problem("edits[0]", "driver"),
    problem("scenario", "name"),
    problem("scenario", "seed"),
    problem("Pod shop/profile", "profile"),
  ]);
  assert.deepEqual(
    Object.entries(sorted).map(([name, problems]) => [name, problems.length]),
    [["name", 1], ["seed", 1], ["until", 0], ["attempt_seconds", 0], ["ready_seconds", 0], ["profile", 2], ["driver", 1], ["config", 3], ["beside", 2], ["others", 2]],
  );
});

test("a version is offered the cluster's configurations of its kind, and begins one in its own form", () => {
  const found = [{ scheduler: "volcano" }, { scheduler: "kube-scheduler" }, { scheduler: "hami" }];
  const hami = version("hami-2.10", ["instant"], { configuration: "HAMi settings", settings: [] });
  const volcano = version("volcano-1.16", ["instant"], { configuration: "volcano-scheduler.conf", settings: [] });
  assert.deepEqual(takenBy(found, volcano), [found[0]]);
  assert.deepEqual(takenBy(found, present), [found[1]]);
  assert.deepEqual(takenBy(found, hami), [found[2]]);
  assert.deepEqual(takenBy(found, old), []);
  assert.match(beginningOf(volcano), /^actions: /);
  assert.match(beginningOf(present), /kind: KubeSchedulerConfiguration$/);
});
