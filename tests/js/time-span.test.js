// What the time line shows of a run: its axes, the shown part and what a reader does to it.
import assert from "node:assert/strict";
import test from "node:test";

import { axisOf } from "../../static/js/debugger/time/axis.js";
import { binsOf } from "../../static/js/debugger/time/buckets.js";
import {
  around,
  begun,
  between,
  ended,
  including,
  isWhole,
  lengthsFor,
  moved,
  Scale,
  wholeOf,
  zoomed,
} from "../../static/js/debugger/time/span.js";
import { attempt, logOf, node, pod, state } from "./events.js";

const api = pod("api");
const base = state([node("a")], [api]);
const numbered = (length) => axisOf(logOf(base, Array.from({ length }, () => attempt(api))));
const timed = (...times) => axisOf(logOf({ ...base, time: 0 }, times.map((time) => attempt(api, { time }))));
const bins = (axis, span, columns) => binsOf(axis, span, columns).map(({ place, from, to }) => [place, from, to]);

test("every decision is in one column, whatever is shown", () => {
  for (const axis of [numbered(137), timed(...Array.from({ length: 137 }, (_, i) => Math.floor(i / 3) * 7))]) {
    for (const columns of [1, 7, 64, 500]) {
      const seqs = binsOf(axis, wholeOf(axis), columns).flatMap(({ from, to }) =>
        Array.from({ length: to - from + 1 }, (_, i) => from + i),
      );
      assert.deepEqual(seqs, Array.from({ length: 137 }, (_, i) => i + 1));
    }
  }
});

test("a shown part has its own decisions only", () => {
  assert.deepEqual(bins(numbered(20), { from: 4, to: 8 }, 4), [[0, 5, 5], [1, 6, 6], [2, 7, 7], [3, 8, 8]]);
  const axis = timed(0, 100, 100, 250, 300, 400);
  assert.deepEqual(bins(axis, { from: 100, to: 300 }, 2), [[0, 2, 3], [1, 4, 5]]);
  assert.deepEqual(bins(axis, { from: 301, to: 399 }, 2), []);
});

test("a span is moved, resized and drawn within the run", () => {
  const axis = numbered(1000);
  assert.deepEqual(moved({ from: 100, to: 200 }, axis, 950), { from: 900, to: 1000 });
  assert.deepEqual(moved({ from: 100, to: 200 }, axis, -950), { from: 0, to: 100 });
  assert.deepEqual(begun({ from: 100, to: 200 }, axis, 199), { from: 192, to: 200 });
  assert.deepEqual(begun({ from: 100, to: 200 }, axis, -5), { from: 0, to: 200 });
  assert.deepEqual(ended({ from: 100, to: 200 }, axis, 50), { from: 100, to: 108 });
  assert.deepEqual(ended({ from: 100, to: 200 }, axis, 5000), { from: 100, to: 1000 });
  assert.deepEqual(between(axis, 300.4, 250.2), { from: 250, to: 300 });
  assert.deepEqual(around(axis, 990, 160), { from: 840, to: 1000 });
  assert.ok(isWhole(around(axis, 500, 4000), axis));
});

test("zooming keeps what is below the pointer where it is", () => {
  const axis = timed(0, 100_000);
  assert.deepEqual(zoomed({ from: 0, to: 100_000 }, axis, 0.5, 25_000), { from: 12_500, to: 62_500 });
  assert.deepEqual(zoomed({ from: 12_500, to: 62_500 }, axis, 2, 25_000), { from: 0, to: 100_000 });
  const least = zoomed({ from: 0, to: 40 }, axis, 0.001, 10);
  assert.equal(least.to - least.from, axis.least);
});

test("who leaves what is shown turns a page, and who jumps is in the middle of the next one", () => {
  const axis = numbered(1000);
  const shown = { from: 100, to: 200 };
  assert.equal(including(shown, axis, 150), shown);
  assert.deepEqual(including(shown, axis, 200.5), { from: 191, to: 291 });
  assert.deepEqual(including(shown, axis, 99.5), { from: 10, to: 110 });
  assert.deepEqual(including(shown, axis, 700), { from: 650, to: 750 });
});

test("the lengths to choose from are shorter than the run", () => {
  assert.deepEqual(lengthsFor(numbered(1500), 4), [1000, 160, 40]);
  assert.deepEqual(lengthsFor(numbered(40), 4), []);
  const lengths = (end) => lengthsFor(timed(0, end), 3);
  assert.deepEqual(lengths(30 * 60_000), [600_000, 120_000, 10_000]);
  assert.deepEqual(lengths(149 * 86_400_000), [864_000_000, 86_400_000, 7_200_000]);
});

test("a place in pixels is a value, and back", () => {
  const scale = new Scale({ from: 100, to: 300 }, 50);
  assert.deepEqual([scale.x(200), scale.value(25), scale.value(-9), scale.value(99)], [25, 200, 100, 300]);
  assert.equal(new Scale({ from: 5, to: 5 }, 50).x(5), 0);
});

test("round numbers stand at the middle of their decision", () => {
  const ticks = numbered(100).ticks({ from: 20, to: 60 }, 4);
  assert.deepEqual(ticks, [30, 40, 50, 60].map((value) => ({ value: value - 0.5, label: String(value) })));
  assert.deepEqual(numbered(3).ticks({ from: 0, to: 3 }, 40).map(({ label }) => label), ["1", "2", "3"]);
});
