// Two runs on one time line: where each of them stands, and what the address says of it.
import assert from "node:assert/strict";
import test from "node:test";

import { compareAddress, opening, Pair, standing, swapped } from "../../static/js/compare/pair.js";

test("a pair reaches as far as the longer of its logs", () => {
  const pair = new Pair([
    { first: 0, head: 4 },
    { first: 0, head: 3 },
  ]);
  assert.deepEqual([pair.first, pair.head, pair.common], [0, 4, 3]);
});

test("the shorter run stands at its end and says so, unless decisions may still come", () => {
  assert.deepEqual(standing(4, 3, false), { at: 3, ended: true, coming: false });
  assert.deepEqual(standing(4, 3, true), { at: 3, ended: false, coming: true });
  assert.deepEqual(standing(3, 3, false), { at: 3, ended: false, coming: false });
});

test("the page opens where the address says, else at the first difference, else at the end of what both have", () => {
  assert.equal(opening(0, 2, 4), 0);
  assert.equal(opening(null, 2, 4), 2);
  assert.equal(opening(null, null, 4), 4);
});

test("the address keeps both runs and the decision; swapping keeps the decision", () => {
  assert.equal(compareAddress("?a=3&b=4", 2), "?a=3&b=4&at=2");
  assert.equal(compareAddress("?a=3&b=4&at=2&pods=2", 0), "?a=3&b=4&at=0&pods=2");
  assert.equal(swapped("?a=3&b=4&at=2"), "?a=4&b=3&at=2");
});
