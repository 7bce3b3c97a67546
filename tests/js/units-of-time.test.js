// Instants and clocks of runs that last for hours, days and months.

import test from "node:test";
import assert from "node:assert/strict";

import { clock, instant, lasting } from "../../static/js/debugger/words/units.js";

const SECOND = 1000,
  HOUR = 3600 * SECOND,
  DAY = 24 * HOUR;
const TRACE = 12_902_960 * SECOND;

test("a clock counts days once there are two", () => {
  assert.equal(clock(2 * DAY - 1), "47:59:59.999");
  assert.equal(clock(2 * DAY), "2 d 0:00:00.000");
  assert.equal(clock(TRACE), "149 d 8:09:20.000");
  assert.equal(clock(1500 * DAY + 5), "1,500 d 0:00:00.005");
});

test("an instant in words does so too", () => {
  assert.equal(instant(26 * HOUR + SECOND), "26 h 0 min 1 s");
  assert.equal(instant(2 * DAY + SECOND), "2 d 0 h 0 min 1 s");
  assert.equal(instant(TRACE + 10), "149 d 8 h 9 min 20.01 s");
});

test("how long something lasts is told in days too", () => {
  assert.equal(lasting(3 * DAY), "3 d 0:00:00");
});
