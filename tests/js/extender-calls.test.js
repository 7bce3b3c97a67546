// What extenders were asked, in words.

import assert from "node:assert/strict";
import { test } from "node:test";

import { exchangeWords } from "../../static/js/debugger/inspector/tabs/extender-calls.js";

const FILTER = { extender: "http://x", verb: "filter", sent: 5 };

test("a filter says how many nodes it left, and why it refused the others", () => {
  assert.equal(exchangeWords(FILTER), "of 5 nodes 5 left");
  assert.equal(
    exchangeWords({ ...FILTER, gone: ["a", "b"], failed: { "no card": ["a", "b"] } }),
    "of 5 nodes 3 left; 2 no card",
  );
  const answer = { ...FILTER, fits: ["c"], failed: { "no card": ["a", "b"] }, unresolvable: { "no zone": ["b"] } };
  assert.equal(exchangeWords(answer), "of 5 nodes 1 left; 1 no card, 1 no zone");
});

test("the other verbs say what came of them, and an error what went wrong", () => {
  assert.equal(exchangeWords({ verb: "prioritize", sent: 2, scores: { a: 30 } }), "asked about 2 nodes; gave points to 1");
  assert.equal(exchangeWords({ verb: "preempt", sent: 1 }), "of 1 candidate 0 left");
  assert.equal(exchangeWords({ verb: "bind", sent: 1 }), "bound");
  assert.equal(exchangeWords({ ...FILTER, error: "EOF" }), "error: EOF");
});
