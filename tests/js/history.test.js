// What the editor brings back: one change after another, with typing in one edit as one change.
import assert from "node:assert/strict";
import test from "node:test";

import { History } from "../../static/js/scenario/history.js";

test("each change is brought back by itself, the last first", () => {
  const history = new History([]);
  history.note(["a"]);
  history.note(["a", "b"]);
  assert.deepEqual(history.back(), ["a"]);
  assert.deepEqual(history.back(), []);
  assert.equal(history.isEmpty, true);
  assert.deepEqual(history.back(), []);
});

test("typing in one edit is one change until something else comes between", () => {
  const [one, other] = [{}, {}];
  const history = new History(["a"]);
  for (const text of ["ab", "abc"]) history.note([text], one);
  history.note(["x"], other);
  history.part();
  history.note(["xy"], other);
  assert.deepEqual([history.back(), history.back(), history.back()], [["x"], ["abc"], ["a"]]);
});
