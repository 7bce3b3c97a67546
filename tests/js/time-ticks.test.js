// Which ticks of the time line have a label.
import assert from "node:assert/strict";
import test from "node:test";

import { Scale } from "../../static/js/debugger/time/span.js";
import { fitting } from "../../static/js/debugger/time/ticks.js";

const ticks = (...values) => values.map((value) => ({ value, label: `${value} d` }));
const shown = (values, wide, taken) =>
  fitting(ticks(...values), new Scale({ from: 0, to: 400 }, 400), () => wide, taken).map(({ label, left }) => [label, left]);

test("a label stands in the middle of its tick, and within the axis at its ends", () => {
  assert.deepEqual(shown([5, 200, 398], 40), [["5 d", 0], ["200 d", 180], ["398 d", 360]]);
});

test("no label stands on the one before, or on the reader's", () => {
  assert.deepEqual(shown([100, 130, 160], 50), [["100 d", 75], ["160 d", 135]]);
  assert.deepEqual(shown([100, 300, 390], 40, { left: 330, right: 400 }), [["100 d", 80], ["300 d", 280]]);
  assert.deepEqual(shown([100, 300], 40, { left: 60, right: 140 }), [["300 d", 280]]);
});
