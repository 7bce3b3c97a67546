// Large JSON that is read in turns is what JSON.parse makes of it.
import assert from "node:assert/strict";
import test from "node:test";

import { parsedByTurns } from "../../static/js/json-by-turns.js";

/** A value by chance, with all that could be mistaken: quotes, escapes, braces in strings, empty ones, odd keys. */
function valueOf(random, depth) {
  const texts = ["", "a", '"', "\\", '\\"', "},", '},"', "{[", "é\n\u2028", "__proto__", "constructor", "1"];
  const text = () => texts[Math.floor(random() * texts.length)] + (random() < 0.5 ? "" : texts[Math.floor(random() * texts.length)]);
  const kind = Math.floor(random() * (depth ? 7 : 5));
  if (kind === 0) return null;
  if (kind === 1) return random() < 0.5;
  if (kind === 2) return [0, -1.5, 1e21, 12345][Math.floor(random() * 4)];
  if (kind < 5) return text();
  const many = Array.from({ length: Math.floor(random() * 5) }, () => [text(), valueOf(random, depth - 1)]);
  return kind === 5 ? many.map(([, value]) => value) : Object.fromEntries(many);
}

function randomOf(seed) {
  let state = seed;
  return () => (state = (state * 1103515245 + 12345) % 2 ** 31) / 2 ** 31;
}

test("any object comes out as JSON.parse has it, however little is read at once and however it is spaced", async () => {
  for (let seed = 1; seed <= 400; seed++) {
    const random = randomOf(seed);
    const value = Object.fromEntries(Array.from({ length: 4 }, (_, i) => [`${i}${valueOf(random, 0)}`, valueOf(random, 5)]));
    for (const space of [undefined, 1]) {
      const text = JSON.stringify(value, null, space);
      for (const atOnce of [1, 40, 1e6]) {
        const found = await parsedByTurns(text, atOnce);
        assert.deepEqual(found, JSON.parse(text), text);
        assert.equal(JSON.stringify(found), JSON.stringify(JSON.parse(text)));
      }
    }
  }
});

test("what isn't an object is read whole, and what is broken throws as JSON.parse does", async () => {
  for (const text of ["[1,2]", '"a"', " 3 ", "null", " {} ", '{"a":{}}']) assert.deepEqual(await parsedByTurns(text, 1), JSON.parse(text));
  for (const text of ["", "{", '{"a":1}}', '{"a":1,}', '{"a":{"b":1,"c":tru}}', '{"a":"x}', '{"a":1}{"b":2}', '{"a":[1}', "{a:1}"])
    await assert.rejects(parsedByTurns(text, 1), SyntaxError, text);
});
