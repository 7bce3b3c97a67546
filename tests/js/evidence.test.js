// Why a pod fits nowhere is asked one question at a time, and of a reader who goes on only the last.
import assert from "node:assert/strict";
import test from "node:test";

import { Evidence, Superseded } from "../../static/js/debugger/inspector/evidence.js";

const MOMENT = 100;
const later = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

test("while an answer is awaited the reader's last question waits, and those between are not asked", async () => {
  const asked = [];
  const rest = { why: (seq) => new Promise((answer) => asked.push({ seq, answer })) };
  const reading = { at: 5, playing: false };
  const evidence = new Evidence(rest, reading);
  const first = evidence.why(5, { pod: "uid", at: 4 });
  await later(MOMENT);
  assert.deepEqual(asked.map(({ seq }) => seq), [4], "it is asked as after the decision that is named");
  const settled = [];
  for (const seq of [6, 7]) {
    reading.at = seq;
    settled.push(evidence.why(seq, { pod: "uid", at: seq - 1 }).catch((problem) => problem));
    await later(MOMENT);
  }
  assert.equal(asked.length, 1);
  asked[0].answer("the first");
  assert.equal(await first, "the first");
  await later(MOMENT);
  assert.deepEqual(asked.map(({ seq }) => seq), [4, 6]);
  asked[1].answer("the last");
  const [passed, last] = await Promise.all(settled);
  assert.ok(passed instanceof Superseded);
  assert.equal(last, "the last");
  assert.equal(await evidence.why(7, { pod: "uid", at: 6 }), "the last", "and is kept");
});
