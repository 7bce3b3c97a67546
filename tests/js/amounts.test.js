// Amounts are written by one rule, here and in Python: the vectors hold both to it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { amount, bytes, cores, count, number, percent, wholePercent } from "../../static/js/amounts.js";

const VECTORS = JSON.parse(readFileSync(new URL("../vectors/amounts.json", import.meta.url)));
const PERCENTS = JSON.parse(readFileSync(new URL("../vectors/percents.json", import.meta.url)));

for (const [resource, value, text] of VECTORS) {
  test(`${value} of ${resource} is ${text}`, () => assert.equal(amount(resource, value), text));
}

for (const [share, text, whole] of PERCENTS) {
  test(`a share of ${share} is ${text}, or ${whole}`, () => assert.deepEqual([percent(share), wholePercent(share)], [text, whole]));
}

test("what a resource's name decides can be asked for by itself", () => {
  assert.deepEqual([cores(1500), bytes(1536), number(1.5), count(12345)], ["1.5", "1.5 KiB", "1.5", "12,345"]);
});
