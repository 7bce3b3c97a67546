// Sessions on the time line: where each begins and ends, which share a mark, and what is said of columns.
import assert from "node:assert/strict";
import test from "node:test";

import { laneRows } from "../../static/js/debugger/time/lanes.js";
import { NumberAxis } from "../../static/js/debugger/time/axis.js";
import { sessionMarks, sessionWords } from "../../static/js/debugger/time/session-marks.js";
import { Scale } from "../../static/js/debugger/time/span.js";

const ALL = [
  { number: 1, first: 1, last: 4 },
  { number: 2, first: 5, last: 5 },
  { number: 3, first: 9, last: null },
];
const sessions = { all: ALL, at: (seq) => ALL.findLast(({ first }) => first <= seq) ?? null };
const axis = new NumberAxis(/** @type {any} */ ({ first: 0, head: 20 }));
const shown = (from, to, width) => sessionMarks(ALL, axis, new Scale({ from, to }, width), 20);

test("a session has a mark from its opening to its close, an open one to the head", () => {
  assert.deepEqual(shown(0, 20, 200), [
    { number: 1, left: 0, right: 40 },
    { number: 2, left: 40, right: 50 },
    { number: 3, left: 80, right: 200 },
  ]);
});

test("what is outside of the shown part has none, and crowded sessions share one", () => {
  assert.deepEqual(shown(6, 20, 140).map(({ number }) => number), [3]);
  assert.deepEqual(shown(0, 20, 10), [{ number: 1, left: 0, right: 2.5 }, { number: 3, left: 4, right: 10 }]);
});

test("a column says its sessions", () => {
  assert.equal(sessionWords(sessions, 2, 3), "session 1");
  assert.equal(sessionWords(sessions, 4, 9), "sessions 1 to 3");
  assert.equal(sessionWords({ all: [], at: () => null }, 1, 9), "");
});

test("the lane of sessions is there where there are any", () => {
  const order = { order: ["events", "sessions", "used"], isFolded: () => false };
  const keys = (hasSessions) => laneRows(order, [], 0, hasSessions).map(({ lane }) => lane.key);
  assert.deepEqual([keys(false), keys(true)], [["events", "used"], ["events", "sessions", "used"]]);
});
