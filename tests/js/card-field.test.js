import assert from "node:assert/strict";
import { test } from "node:test";

import { cardInWords } from "../../static/js/scenario/card-field.js";

test("a card says its index, its model, that it is unhealthy, and how many pods hold it", () => {
  const card = { index: 0, model: "NVIDIA A100", healthy: true, pods: [] };
  assert.equal(cardInWords(card), "0 · NVIDIA A100 · no pod");
  assert.equal(cardInWords({ ...card, index: 3, healthy: false, pods: ["a/b"] }), "3 · NVIDIA A100 · unhealthy · 1 pod");
});
