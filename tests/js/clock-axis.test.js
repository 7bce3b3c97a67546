// The time line where a clock moves: its axis, its ticks, its columns.
import assert from "node:assert/strict";
import test from "node:test";

import { readAddress, writeAddress } from "../../static/js/debugger/address.js";
import { clockAt, clockTicks } from "../../static/js/debugger/time/clock-axis.js";
import { Transport } from "../../static/js/debugger/controls/transport.js";
import { attempt, columnsOf, figuresOf, node, pod, state } from "./events.js";

const api = pod("api");
const figuresAt = (...times) =>
  figuresOf({ ...state([node("a")], [api]), time: 0 }, times.map((time) => attempt(api, { time })));
const foldAt = (...times) => figuresAt(...times).log.fold;

test("the decision at an instant is the last one that was made by then", () => {
  const fold = foldAt(0, 10, 10, 500);
  assert.deepEqual([-1, 0, 9, 10, 499, 500, 9999].map((time) => fold.seqAt(time)), [0, 1, 1, 3, 3, 4, 4]);
});

test("ticks stand at round instants, at most so many", () => {
  const labels = (to, most, from = 0) => clockTicks({ from, to }, most).map(({ label }) => label);
  assert.deepEqual(labels(5_400, 4), ["0:02", "0:04"]);
  assert.deepEqual(labels(330_010, 6), ["1:00", "2:00", "3:00", "4:00", "5:00"]);
  assert.deepEqual(labels(10 * 3_600_000, 5), ["2:00:00", "4:00:00", "6:00:00", "8:00:00", "10:00:00"]);
  assert.deepEqual(labels(400, 8), ["0:00.100", "0:00.200", "0:00.300", "0:00.400"]);
  assert.deepEqual(labels(0, 8), []);
  assert.deepEqual(labels(62_000, 4, 60_000), ["1:00.500", "1:01", "1:01.500", "1:02"]);
  assert.deepEqual(labels(149 * 24 * 3_600_000, 3), ["50 d", "100 d"]);
  const days = (number) => number * 24 * 3_600_000;
  assert.deepEqual(labels(days(149), 11), ["20 d", "40 d", "60 d", "80 d", "100 d", "120 d", "140 d"]);
  assert.deepEqual(labels(days(10.5), 4, days(9)), ["9 d 12 h", "10 d", "10 d 12 h"]);
  assert.deepEqual(labels(days(2.5), 5, days(0.5)), ["24:00:00", "36:00:00", "2 d", "2 d 12 h"]);
  assert.deepEqual(labels(days(9) + 1_800_000, 3, days(9)), ["9 d 0:10:00", "9 d 0:20:00", "9 d 0:30:00"]);
});

test("columns are equally long, and those without a decision are left out", () => {
  const columns = columnsOf(figuresAt(0, 10, 5_000, 9_999, 10_000), 4);
  assert.deepEqual(columns.map(({ place, from, to }) => [place, from, to]), [
    [0, 1, 2],
    [2, 3, 3],
    [3, 4, 5],
  ]);
  assert.equal(columns[0].tones[0], 2);
  assert.deepEqual(columnsOf(figuresAt(), 4), []);
  assert.deepEqual(columnsOf(figuresAt(0, 0), 4).map(({ place, to }) => [place, to]), [[0, 2]]);
});

test("without a clock columns are of equally many decisions, one beside the other", () => {
  assert.deepEqual(columnsOf(figuresOf(state([node("a")], [api]), [1, 2, 3, 4].map(() => attempt(api))), 2).map(({ place, from }) => [place, from]), [
    [0, 1],
    [1, 3],
  ]);
});

test("the reader's clock stands between their decision and the next one, and nowhere else", () => {
  const fold = foldAt(0, 2500, 10_000);
  const at = (seq, time) => clockAt(fold, { at: seq, time });
  assert.deepEqual([at(2, null), at(2, 3000), at(2, 2000), at(2, 10_000), at(3, 12_000)], [2500, 3000, 2500, 2500, 10_000]);
  assert.equal(clockAt(figuresOf(state([node("a")], [api]), [attempt(api)]).log.fold, { at: 1, time: 5 }), null);
});

test("a step goes over a decision, an event or a second", () => {
  const { log } = figuresAt(10, 2500, 2500, 5000);
  const reading = { at: 1, time: null, stepBy: "second", set: (values) => Object.assign(reading, values) };
  const said = [];
  const transport = new Transport({ log, reading, isEvent: (seq) => seq === 3, say: (text) => said.push(text) });
  const stepped = (by) => {
    transport.step(by);
    return [reading.at, clockAt(log.fold, reading)];
  };
  assert.deepEqual([1, 1, 1, 1, 1, 1].map(stepped), [
    [1, 1000],
    [1, 2000],
    [3, 3000],
    [3, 4000],
    [4, 5000],
    [4, 5000],
  ]);
  assert.deepEqual([-1, -1, -1, -1, -1, -1].map(stepped).at(-1), [0, 0]);
  reading.stepBy = "event";
  assert.deepEqual(stepped(1), [3, 2500]);
  assert.deepEqual(stepped(1), [3, 2500]);
  assert.deepEqual(said, ["No further event in the decisions so far."]);
  reading.stepBy = "decision";
  assert.deepEqual(stepped(-1), [2, 2500]);
});

test("the address has the clock in seconds where one moves", () => {
  assert.equal(writeAddress({ at: 7, time: 5400, node: null, pod: null, tab: null }), "?at=7&t=5.4");
  assert.equal(writeAddress({ at: 7, time: null, node: null, pod: null, tab: null }), "?at=7");
  assert.equal(readAddress("?at=7&t=5.401").time, 5401);
  for (const odd of ["-1", "5.4001", "x", "1e9", ""]) assert.equal(readAddress(`?t=${odd}`).time, null);
});
