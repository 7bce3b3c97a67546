// How changes are told: first to whoever works something out, then, once, to whoever draws.
import assert from "node:assert/strict";
import test, { beforeEach } from "node:test";

import { Reading } from "../../static/js/debugger/reading.js";

let frames;
globalThis.requestAnimationFrame = (act) => frames.push(act);

beforeEach(() => {
  frames = [];
});

function drawFrame() {
  for (const act of frames.splice(0)) act();
}

/** A reading, and what is written down by whoever listens. */
function told() {
  const [reading, said] = [new Reading({ at: 0 }), []];
  return { reading, said, say: (what) => said.push(what) };
}

test("all that changes within a frame is drawn once, with the next frame", () => {
  const { reading, said, say } = told();
  reading.when(["at", "node"], () => say(`at ${reading.at}, ${reading.node}`));
  reading.set({ at: 1 });
  reading.set({ at: 2, node: "a" });
  assert.deepEqual([said, frames.length], [[], 1]);
  drawFrame();
  assert.deepEqual(said, ["at 2, a"]);
  drawFrame();
  reading.set({ at: 2 });
  assert.deepEqual([said.length, frames.length], [1, 0]);
});

test("what is worked out, whoever does it, is so before anything is drawn", () => {
  const { reading, said, say } = told();
  const map = {};
  reading.when([map, "lit", "at"], (changed) => say(["draw", changed.has(map), changed.has("lit")]));
  reading.derive([map], () => say("verdicts"));
  reading.derive(["at"], () => {
    reading.set({ lit: "none" });
    reading.tell(map);
  });
  reading.set({ at: 1 });
  drawFrame();
  assert.deepEqual(said, ["verdicts", ["draw", true, true]]);
});

test("what a drawing changes is drawn in the same frame too", () => {
  const { reading, said, say } = told();
  reading.when(["at"], () => reading.set({ shown: "all" }));
  reading.when(["shown"], () => say(reading.shown));
  reading.set({ at: 1 });
  drawFrame();
  assert.deepEqual(said, ["all"]);
  drawFrame();
  assert.deepEqual(said, ["all"]);
});

test("at first all is worked out and drawn, each part once", () => {
  const { reading, said, say } = told();
  const standing = {};
  reading.derive(["at"], () => reading.tell(standing));
  reading.when([standing, "at"], () => say("queue"));
  reading.when(["node"], () => say("table"));
  reading.begin();
  assert.deepEqual(said, ["queue", "table"]);
});
