// Who follows the head of a live run: only who asked for it, and nobody who merely steps onto it.
import assert from "node:assert/strict";
import test from "node:test";

import { Transport } from "../../static/js/debugger/controls/transport.js";
import { attempt, figuresOf, node, pod, state } from "./events.js";

/** A reader at a decision of a live run of 8. */
function reader(fields) {
  const reading = { at: 7, status: "running", follow: false, playing: false, ...fields };
  reading.set = (values) => Object.assign(reading, values);
  return { reading, transport: new Transport({ log: { first: 0, start: 0, head: 8, end: 8, holds: () => true }, reading, say: () => {} }) };
}

const after = (act, fields) => {
  const { reading, transport } = reader(fields);
  act(transport);
  return [reading.at, reading.follow];
};

test("a step onto the head does not begin to follow it", () => {
  assert.deepEqual(after((transport) => transport.step(1)), [8, false]);
  assert.deepEqual(after((transport) => transport.seek(8)), [8, false]);
});

test("who goes to the last decision of a live run follows it from there", () => {
  assert.deepEqual(after((transport) => transport.last()), [8, true]);
  assert.deepEqual(after((transport) => transport.last(), { status: "paused" }), [8, false]);
});

test("the last decision of a run that is still being read is that of the run, not of what is read so far", () => {
  const ended = { status: "finished", expected: 20 };
  assert.deepEqual(after((transport) => transport.last(), ended), [8, true]);
  assert.deepEqual(after((transport) => transport.last(), { ...ended, expected: 8 }), [8, false]);
  assert.deepEqual(after((transport) => transport.last(), { ...ended, inParts: true }), [8, false]);
});

test("who follows goes on doing so until they step back", () => {
  const following = { at: 8, follow: true };
  assert.deepEqual(after((transport) => transport.step(1), following), [8, true]);
  assert.deepEqual(after((transport) => transport.step(-1), following), [7, false]);
});

/** A reader of a run with a clock, whose frames come when the test says so. */
function player(fields, isStop = () => false) {
  const { log } = figuresOf({ ...state([node("a")], [pod("api")]), time: 0 }, [0, 5000, 20_000].map((time) => attempt(pod("api"), { time })));
  const reading = { at: 1, time: null, status: "finished", playing: false, speed: 1, pace: 10_000, ...fields };
  reading.set = (values) => Object.assign(reading, values);
  let next = null;
  globalThis.requestAnimationFrame = (act) => ((next = act), 1);
  globalThis.cancelAnimationFrame = () => (next = null);
  const transport = new Transport({ log, reading, say: () => {}, stopTest: () => isStop });
  transport.play();
  transport.then = transport.shown = 0;
  const frame = (seconds) => next?.(transport.then + seconds * 1000);
  return { reading, frame };
}

test("by the clock, play shows the last decision and the seconds behind it", () => {
  const { reading, frame } = player();
  frame(0.25);
  assert.deepEqual([reading.at, reading.time], [1, 2500]);
  frame(0.5);
  assert.deepEqual([reading.at, reading.time, reading.playing], [2, 7500, true]);
  frame(9);
  assert.deepEqual([reading.at, reading.playing], [3, false]);
});

test("it goes on from where the clock stands, and pauses at a stop's own instant", () => {
  const { reading, frame } = player({ at: 1, time: 4000 }, (seq) => seq === 2);
  frame(0.05);
  assert.deepEqual([reading.at, reading.time], [1, 4500]);
  frame(3);
  assert.deepEqual([reading.at, reading.time, reading.playing], [2, null, false]);
});

test("who plays decisions in a run with a clock sees each at its own instant", () => {
  const { reading, frame } = player({ pace: null, time: 3000 });
  frame(1);
  assert.deepEqual([reading.at, reading.time], [2, null]);
});

test("a first frame that began before the press moves nothing", () => {
  const { reading, frame } = player({ at: 0, pace: null, speed: 4 });
  frame(-0.1);
  assert.deepEqual([reading.at, reading.playing], [0, true]);
  frame(0.5);
  assert.equal(reading.at, 2);
});

test("without a clock nothing is asked of it", () => {
  const { reading, transport } = reader({ at: 1, status: "finished", speed: 2, pace: null });
  let next = null;
  globalThis.requestAnimationFrame = (act) => ((next = act), 1);
  Object.assign(transport, { stopTest: () => () => false });
  transport.play();
  transport.then = 0;
  next(1000);
  assert.equal(reading.at, 3);
});
