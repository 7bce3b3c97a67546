import assert from "node:assert/strict";
import test from "node:test";

import { readWhole, Unread } from "../../static/js/scenario/unread.js";

const REPLICAS = { min: 0, max: 100_000 };

test("a whole number within its bounds is taken", () => {
  assert.deepEqual(readWhole(" 12 ", REPLICAS), { value: 12 });
  assert.deepEqual(readWhole("0", REPLICAS), { value: 0 });
});

for (const text of ["", "-1", "2.5", "100001", "1e3", "three"]) {
  test(`"${text}" is no number of replicas, and nothing is taken in its place`, () => {
    assert.deepEqual(readWhole(text, REPLICAS), { message: "Give a whole number from 0 to 100,000." });
  });
}

test("an optional number may be empty, but not unreadable", () => {
  const optional = { ...REPLICAS, optional: true };
  assert.deepEqual(readWhole("", optional), { value: null });
  assert.match(readWhole("", { ...optional, unreadable: true }).message, /, or nothing\.$/);
});

test("a number that would be rounded is refused", () => {
  const seeds = { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER };
  assert.ok(readWhole("9007199254740993", seeds).message);
});

test("text is held until it has been read, and taken once", async () => {
  const taken = [];
  const unread = new Unread(() => {});
  const ask = async (text) => (text === "good" ? { value: text.length } : { message: "no" });
  unread.read("patch", "bad", ask, (value) => taken.push(value));
  assert.equal(unread.size, 1);
  assert.deepEqual(unread.faults, []);
  await unread.settle();
  assert.deepEqual(unread.faults, [["patch", "no"]]);
  assert.equal(unread.text("patch"), "bad");
  unread.read("patch", "good", ask, (value) => taken.push(value));
  await unread.settle();
  assert.deepEqual([unread.size, taken], [0, [4]]);
});

test("an answer about an older text is not taken", async () => {
  const taken = [];
  const unread = new Unread(() => {});
  const answers = [];
  const ask = (text) => new Promise((resolve) => answers.push(() => resolve({ value: text })));
  unread.read("patch", "old", ask, (value) => taken.push(value));
  const first = unread.settle();
  unread.read("patch", "new", ask, (value) => taken.push(value));
  const second = unread.settle();
  answers.forEach((answer) => answer());
  await Promise.all([first, second]);
  assert.deepEqual(taken, ["new"]);
});
