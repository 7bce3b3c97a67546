// What the bar says of a run that is still going, and the rates that its worker can be asked for.
import assert from "node:assert/strict";
import test from "node:test";

import { clockEndOf, tailWords } from "../../static/js/debugger/time/clock-end.js";
import { axisOf } from "../../static/js/debugger/time/axis.js";
import { clockWords, ratesWith, readingWords } from "../../static/js/debugger/live/live.js";
import { Fold } from "../../static/js/fold.js";

const words = (fields, expected) => readingWords({ head: 300, link: "open", status: "finished", expected, ...fields });

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
  const ends = clockEndOf({ clock_end: 900_000, until: null, status: "running" });
  assert.deepEqual(clockWords(fold, { at: 1, time: null }, ends), { now: "0:05.010", of: "of 15:00", stopped: "" });
  assert.deepEqual(clockWords(fold, { at: 0, time: 3000 }, ends), { now: "0:03.000", of: "of 15:00", stopped: "" });
});

test("the clock's total is where it was to end from the beginning on, and a run that stopped before says so", () => {
  const words = (run) => clockWords(foldOf(0, 933_370), { at: 0, time: null }, clockEndOf({ until: 1200, status: "finished", ...run }));
  const said = (run) => [words(run).of, words(run).stopped];
  const ended = (by, time = 933_370) => said({ clock_end: 1_200_000, outcome: { ended_by: by, time } });
  assert.deepEqual(said({ clock_end: 1_200_000, status: "running" }), ["of 20:00", ""]);
  assert.deepEqual(said({ clock_end: 1_200_000, status: "paused", outcome: { time: 5, ended_by: null } }), ["of 20:00", ""]);
  assert.deepEqual(said({ clock_end: null, until: null, status: "queued" }), ["", ""]);
  assert.deepEqual(ended("quiet"), ["of 20:00", "nothing happens after 15:33.370"]);
  assert.deepEqual(ended("until"), ["of 20:00", "nothing happens after 15:33.370"]);
  assert.deepEqual(ended("until", 1_200_000), ["of 20:00", ""]);
  assert.deepEqual(ended("limit"), ["of 20:00", "stopped by the limit of decisions at 15:33.370"]);
  const cancelled = { clock_end: 605_400, until: null, status: "cancelled", outcome: { time: 9000, ended_by: null } };
  assert.deepEqual(said(cancelled), ["of 10:05.400", "cancelled at 0:09.000"]);
  assert.deepEqual(said({ clock_end: null, outcome: { ended_by: "quiet", time: 933_370 } }), ["of 15:33.370", ""]);
});

test("the axis goes as far as the run was asked to", () => {
  const fold = foldOf(0, 5010);
  const axis = axisOf({ fold }, () => 1_200_000);
  assert.deepEqual([axis.low, axis.decided, axis.high], [0, 5010, 1_200_000]);
  assert.equal(axisOf({ fold }).high, 5010);
});

const NO_END = { end: null, last: null };

test("a run without a clock shows none, whatever one of its decisions says", () => {
  assert.equal(clockWords(foldOf(null, null), { at: 1, time: null }, NO_END), null);
  assert.equal(clockWords(foldOf(null, 90), { at: 1, time: 50 }, NO_END), null);
});

test("behind the last decision a run that has stopped is not said to be undecided", () => {
  const going = { end: 600_000, isAsked: false, last: null, how: null };
  assert.deepEqual(tailWords(going, 5000, true), { isKnown: false, words: "not decided yet" });
  const stopped = clockEndOf({ clock_end: 600_000, until: null, status: "cancelled", outcome: null });
  assert.deepEqual(tailWords(stopped, 5000, false), { isKnown: false, words: "not read yet" });
  assert.deepEqual(tailWords(stopped, 5000, true), { isKnown: true, words: "nothing more was decided" });
  const outcome = { ended_by: null, time: 5000 };
  const summed = clockEndOf({ clock_end: 600_000, until: null, status: "cancelled", outcome });
  assert.deepEqual(tailWords(summed, 5000, true), { isKnown: true, words: "cancelled at 0:05.000" });
});
