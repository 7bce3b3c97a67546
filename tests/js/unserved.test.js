import assert from "node:assert/strict";
import test from "node:test";

import { podsOf, unservedWords } from "../../static/js/scenario/unserved.js";

const named = (scheduler, pods) => ({ scheduler, pods });

test("pods are told by the scheduler that they name, the most first", () => {
  assert.equal(podsOf([named("yunikorn", 1), named("volcano", 1776)]), 1777);
  assert.equal(unservedWords([named("yunikorn", 1), named("volcano", 1776)]), "1,776 pods name volcano, 1 pod names yunikorn.");
});

test("of many schedulers the rest is counted", () => {
  const many = ["a", "b", "c", "d", "e"].map((name) => named(name, 2));
  assert.equal(unservedWords(many), "2 pods name a, 2 pods name b, 2 pods name c, 4 pods name others.");
});

test("nobody is told of where all are served", () => {
  assert.equal(podsOf([]), 0);
  assert.equal(unservedWords([]), "");
});
