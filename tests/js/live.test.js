// What the bar says of a run that is still going, and the rates that its worker can be asked for.
import assert from "node:assert/strict";
import test from "node:test";

import { clockWords, ratesWith, readingWords } from "../../static/js/debugger/live.js";
import { Fold } from "../../static/js/fold.js";

const words = (fields, expected) => readingWords({ head: 300, link: "open", status: "finished", ...fields }, expected);

test("a run that has ended has so many decisions", () => {
  assert.equal(words({}, 300), "of 300");
  assert.equal(words({ link: "ended" }, 300), "of 300");
});

test("a run that goes on has so many so far, also while it is paused", () => {
  for (const status of ["running", "paused", "queued"]) assert.equal(words({ status }, 300), "of 300 so far");
});

test("what is still being read is counted", () => {
  assert.equal(words({}, 8152), "of 8,152, 300 read");
  assert.equal(words({ status: "running" }, 8152), "of 8,152 so far, 300 read");
});

test("the rates to choose from hold the one that the server names", () => {
  const values = (rate) => ratesWith(rate).map(([value]) => value);
  assert.deepEqual(values(null), ["", "1", "4", "20", "100"]);
  assert.deepEqual(values(2.5), ["", "1", "2.5", "4", "20", "100"]);
  assert.deepEqual(ratesWith(2.5)[2], ["2.5", "2.5 a second"]);
});

const foldOf = (time, ...times) => {
  const fold = new Fold({ at: 0, time, tables: {}, lists: {} });
  times.forEach((at, i) => fold.pack({ seq: i + 1, time: at, changes: [] }));
  return fold;
};

test("the clock stands at the reader's decision, wherever the fold is", () => {
  const fold = foldOf(0, 5010, 600_000);
  assert.deepEqual(clockWords(fold, { at: 1, time: null }), { now: "0:05.010", end: "10:00.000" });
  assert.deepEqual(clockWords(fold, { at: 0, time: 3000 }), { now: "0:03.000", end: "10:00.000" });
});

test("a run without a clock shows none, whatever one of its decisions says", () => {
  assert.equal(clockWords(foldOf(null, null), { at: 1, time: null }), null);
  assert.equal(clockWords(foldOf(null, 90), { at: 1, time: 50 }), null);
});
