// Names on tiles: what is left of them where there is little room.
import assert from "node:assert/strict";
import test from "node:test";

import { clipText } from "../../static/js/debugger/map/strokes.js";

/** A canvas on which every letter is one wide. */
const canvas = { measureText: (text) => ({ width: text.length }) };

test("a text that fits stays as it is", () => {
  assert.equal(clipText(canvas, "12-34", 5), "12-34");
});

test("a text that doesn't fit is cut in the middle", () => {
  assert.equal(clipText(canvas, "payments-api-7c9d", 9), "paym…7c9d");
});

test("the end that tells nodes apart stays whole as long as it fits", () => {
  const cut = (width) => clipText(canvas, "web-pool-2f3c4d5e-x7k2", width, 4);
  assert.deepEqual([8, 7, 6, 5].map(cut), ["web…x7k2", "we…x7k2", "w…x7k2", "…x7k2"]);
  assert.equal(cut(4), "…7k2");
});
