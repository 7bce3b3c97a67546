// The order of names for people, and what is left of a name on a tile: the same at every decision.

import assert from "node:assert/strict";
import test from "node:test";
import { byName } from "../../static/js/names.js";
import { matrixOf } from "../../static/js/schedulers/hami/matrix.js";
import { paintHeader, roomForLoad } from "../../static/js/debugger/map/tile-parts.js";

test("numbers in names count as numbers", () => {
  const names = ["worker-10", "worker-9", "worker-1", "a10-b", "a2-b", "worker-11", "worker", "worker-01"];
  const ordered = ["a2-b", "a10-b", "worker", "worker-01", "worker-1", "worker-9", "worker-10", "worker-11"];
  assert.deepEqual([...names].sort(byName), ordered);
});

test("nodes that are equally near stand by name", () => {
  const nodes = ["n10", "n9"].map((node) => ({ node, reason: "2/2 CardInsufficientMemory" }));
  assert.deepEqual(matrixOf(nodes).rows.map(({ node }) => node), ["n9", "n10"]);
});

/** What a tile's head shows, on a canvas on which a letter is one wide, and half as much again where it is bold. */
function headOf(load, { marked = false, failed = false, name: whole = "gpu-pool-eu-west-worker-12" } = {}) {
  const said = [];
  const context = {
    font: "11px x",
    measureText(text) {
      return { width: text.length * (this.font.startsWith("600") ? 1.5 : 1) };
    },
    fillText: (text) => said.push(text),
    save() {}, restore() {}, beginPath() {}, moveTo() {}, lineTo() {}, stroke() {},
  };
  const scene = {
    palette: { font: "x" },
    fold: { failed: new Set(failed ? [0] : []) },
    nodes: [{ name: whole }],
    names: { shown: (name) => name, short: (name) => name.replace("gpu-pool-", "") },
    isMarked: () => marked,
  };
  paintHeader(context, { x: 0, y: 0, w: 44 }, 0, scene, { load, room: roomForLoad(context) });
  return said.at(-1);
}

test("a node is called the same whatever its load and whether a decision marks it", () => {
  const name = headOf("100 %");
  assert.ok(name.includes("…"));
  for (const load of ["0 %", "9 %", "<1 %"]) assert.equal(headOf(load), name);
  assert.equal(headOf("9 %", { marked: true }), name);
  assert.equal(headOf("9 %", { failed: true }), name);
});

test("a name has all the room of a tile's head that its load leaves", () => {
  const name = "gpu-pool-west-1";
  assert.equal(headOf("9 %", { name }), name);
});
