// What the editor makes of time: spans as people write them, the order of edits, and edits without a clock.
import assert from "node:assert/strict";
import test from "node:test";

import { fieldsOf, labelOf, learn, missing, sentence } from "../../static/js/scenario/operations.js";
import { readSeconds } from "../../static/js/scenario/seconds.js";
import { inTime, withoutTimes } from "../../static/js/scenario/times.js";
import { sortProblems } from "../../static/js/scenario/versions.js";

const range = { min: 0.001, max: 100_000 };

test("a span of time is seconds, or has units", () => {
  const spans = { 90: 90, 1.5: 1.5, "5m": 300, "1h30m": 5400, " 1 h 30 m ": 5400, "1d": 86_400, "2.5s": 2.5 };
  for (const [text, value] of Object.entries(spans)) assert.deepEqual(readSeconds(text, range), { value }, text);
});

test("what is no span, or out of range, is told with the range", () => {
  for (const text of ["five", "5x", "m", "1h30", "30m1h", "-5", "0", "100001", "1e3", ""]) {
    assert.match(readSeconds(text, range).message, /^Give seconds from 0\.001 to 100,000, as 90, 5m or 1h30m\.$/, text);
  }
});

test("nothing is an answer where nothing may be said", () => {
  assert.deepEqual(readSeconds(" ", { ...range, optional: true }), { value: null });
});

test("edits stand in their order of time, those before the start first, equals as they were", () => {
  const entries = [{ op: "a", at: 5 }, { op: "b" }, { op: "c", at: 0 }, { op: "d", at: 5 }, { op: "e" }].map((value) => ({ value }));
  assert.equal(inTime(entries).map(({ value }) => value.op).join(""), "becad");
});

test("without a clock an edit has neither an instant nor a duration, and keeps the rest", () => {
  const edit = { op: "add", manifest: "", at: 5, duration: 60, enabled: false };
  assert.deepEqual(withoutTimes(edit), { op: "add", manifest: "", enabled: false });
});

const field = (name, type, more = {}) => ({ name, label: name, type, ...more });
const at = field("at", "seconds", { optional: true, clock: true });
learn([
  { op: "drain", title: "Drain nodes", phrase: "Drain {nodes}", blank: { node: "" }, fields: [field("nodes", "nodes"), at, field("timeout", "seconds", { clock: true, optional: true })] },
  { op: "label", title: "Label nodes", phrase: "Label {nodes}: {labels}", blank: {}, fields: [field("nodes", "nodes"), field("labels", "labels"), at] },
]);

test("forms ask for times only where there is a clock", () => {
  const names = (op, hasClock) => fieldsOf({ op }, hasClock).map((field) => field.name);
  assert.deepEqual(names("drain", false), ["nodes"]);
  assert.deepEqual(names("drain", true), ["nodes", "at", "timeout"]);
  assert.deepEqual(names("explode", true), ["at"]);
  assert.equal(labelOf({ op: "explode" }, "at"), "At, after the run's start");
});

test("an edit is said with whom it is done to until the engine says it", () => {
  const said = [{ node: "a" }, { nodes: ["a", "b"] }, { selector: "pool=x" }, { group: "zone=a" }, { node: "" }];
  assert.deepEqual(said.map((edit) => sentence({ op: "drain", ...edit })), [
    "Drain a", "Drain 2 nodes", "Drain nodes of pool=x", "Drain nodes of zone=a", "Drain …",
  ]);
  assert.equal(sentence({ op: "label", node: "a", labels: { tier: "gold", old: null } }), "Label a: tier=gold, old-");
});

test("an edit lacks whom it is done to until one way says it", () => {
  assert.deepEqual(missing({ op: "drain", node: "" }), ["nodes"]);
  assert.deepEqual(missing({ op: "drain", group: "pool=a" }), []);
});

test("problems of the clock's settings have a place of their own", () => {
  const problem = (field) => ({ object: "scenario", field, message: "" });
  const sorted = sortProblems([problem("until"), problem("attempt_seconds"), problem("ready_seconds")]);
  assert.deepEqual([sorted.until, sorted.attempt_seconds, sorted.ready_seconds, sorted.others].map((one) => one.length), [1, 1, 1, 0]);
});
