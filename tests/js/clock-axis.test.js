// The time line where a clock moves: its axis, its ticks, its columns.
import assert from "node:assert/strict";
import test from "node:test";

import { bucketsOf, clockBucketsOf } from "../../static/js/debugger/buckets.js";
import { clockShare, clockTicks, clockTime } from "../../static/js/debugger/clock-axis.js";
import { attempt, figuresOf, node, pod, state } from "./events.js";

const api = pod("api");
const figuresAt = (...times) =>
  figuresOf({ ...state([node("a")], [api]), time: 0 }, times.map((time) => attempt(api, { time })));
const foldAt = (...times) => figuresAt(...times).log.fold;

test("an instant stands at its share of the time that is known, and a share is an instant", () => {
  const fold = foldAt(0, 2500, 10_000);
  assert.deepEqual([0, 2500, 10_000].map((time) => clockShare(fold, time)), [0, 0.25, 1]);
  assert.equal(clockTime(fold, 0.25), 2500);
  assert.equal(clockShare(foldAt(0, 0), 0), 0);
});

test("the decision at an instant is the last one that was made by then", () => {
  const fold = foldAt(0, 10, 10, 500);
  assert.deepEqual([-1, 0, 9, 10, 499, 500, 9999].map((time) => fold.seqAt(time)), [0, 1, 1, 3, 3, 4, 4]);
});

test("ticks stand at round instants, at most so many", () => {
  const labels = (end, most) => clockTicks(foldAt(0, end), most).map(({ label }) => label);
  assert.deepEqual(labels(5_400, 4), ["0:02", "0:04"]);
  assert.deepEqual(labels(330_010, 6), ["1:00", "2:00", "3:00", "4:00", "5:00"]);
  assert.deepEqual(labels(10 * 3_600_000, 5), ["2:00:00", "4:00:00", "6:00:00", "8:00:00", "10:00:00"]);
  assert.deepEqual(labels(400, 8), ["0:00.100", "0:00.200", "0:00.300", "0:00.400"]);
  assert.deepEqual(labels(0, 8), []);
});

test("columns are equally long, and those without a decision are left out", () => {
  const columns = clockBucketsOf(figuresAt(0, 10, 5_000, 9_999, 10_000), 4);
  assert.deepEqual(columns.map(({ place, from, to }) => [place, from, to]), [
    [0, 1, 2],
    [2, 3, 3],
    [3, 4, 5],
  ]);
  assert.equal(columns[0].tones[0], 2);
  assert.deepEqual(clockBucketsOf(figuresAt(), 4), []);
  assert.deepEqual(clockBucketsOf(figuresAt(0, 0), 4).map(({ place, to }) => [place, to]), [[0, 2]]);
});

test("without a clock columns are of equally many decisions, one beside the other", () => {
  assert.deepEqual(bucketsOf(figuresAt(0, 10, 5_000, 9_999), 2).map(({ place, from }) => [place, from]), [
    [0, 1],
    [1, 3],
  ]);
});
