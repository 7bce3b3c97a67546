// Two runs on one time line: where each of them stands, and what the address says of it.
import assert from "node:assert/strict";
import test from "node:test";

import { beforeWords, compareAddress, lengthWords, opening, Pair, standing, swapped } from "../../static/js/compare/pair.js";
import { Passage } from "../../static/js/compare/passage.js";

const side = (head, expected = head) => ({ log: { first: 0, head }, expected, isRead: head >= expected });

test("a pair reaches as far as the longer of its logs", () => {
  const pair = new Pair([side(4), side(3)]);
  assert.deepEqual([pair.first, pair.head, pair.common], [0, 4, 3]);
});

test("a side that is to show a decision says so while its log is read", () => {
  assert.equal(beforeWords(true), "Its log is being read.");
  assert.equal(beforeWords(false), "Before the first decision.");
});

test("the shorter run stands at its end and says so, unless decisions may still come", () => {
  assert.deepEqual(standing(4, 3, false), { at: 3, ended: true, coming: false });
  assert.deepEqual(standing(4, 3, true), { at: 3, ended: false, coming: true });
  assert.deepEqual(standing(3, 3, false), { at: 3, ended: false, coming: false });
});

test("while a log is read the page says how far, and then only how long it is", () => {
  const pair = new Pair([side(8152), side(3000, 8150)]);
  assert.equal(lengthWords(pair, null), "of 8,152, loading: 3,000 read");
  assert.equal(lengthWords(pair, 8152), "of 8,152, loading: 3,000 read, then on to 8,152");
  assert.equal(lengthWords(new Pair([side(4), side(3)]), null), "of 4");
});

test("the end is the end of what there is, not of what has been read", () => {
  const reading = { at: 2, wanted: null, set: (values) => Object.assign(reading, values) };
  const sides = [side(10, 4000), side(500, 4100)];
  const log = new Pair(sides);
  const passage = new Passage({ log, reading });
  passage.last();
  assert.deepEqual([reading.at, reading.wanted], [2, 4100]);
  Object.assign(sides[0], side(4000));
  passage.advance();
  assert.deepEqual([reading.at, reading.wanted], [2, 4100]);
  Object.assign(sides[1], side(4100));
  passage.advance();
  assert.deepEqual([reading.at, reading.wanted], [4100, null]);
});

test("a decision is there once both sides can show it, or their log is shorter", () => {
  const pair = new Pair([side(700), side(151, 600)]);
  assert.deepEqual([pair.has(151), pair.has(152), pair.has(700)], [true, false, false]);
  assert.ok(new Pair([side(4), side(3)]).has(4));
});

test("whoever goes elsewhere meanwhile is not taken away again", () => {
  const reading = { at: 2, wanted: null, set: (values) => Object.assign(reading, values) };
  const log = new Pair([side(10, 4000), side(500, 4100)]);
  const passage = new Passage({ log, reading });
  passage.last();
  passage.first();
  passage.advance();
  assert.deepEqual([reading.at, reading.wanted], [0, null]);
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
