// Why a pod fits on no node, node by node: what is said of nodes and groups, in which order they come, which heads have room.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { decidingFirst } from "../../static/js/debugger/map/deciding-first.js";
import { grouped } from "../../static/js/debugger/map/groups.js";
import { fitting } from "../../static/js/debugger/map/heads.js";
import { paintMark } from "../../static/js/debugger/map/mark-shapes.js";
import { countedParts, NodeMarks, ofOne } from "../../static/js/debugger/map/node-marks.js";

const VECTORS = JSON.parse(readFileSync(new URL("../vectors/node_marks.json", import.meta.url), "utf8"));

test("nodes and groups are worded as the server words them", () => {
  for (const [[title, number], told] of VECTORS.of_one) assert.equal(ofOne(title, number), told);
  for (const [titles, told] of VECTORS.counted) assert.equal(countedParts(titles).join(", "), told);
});

const NAMES = ["a", "b", "c", "d", "e"];
const marks = new NodeMarks(
  {
    nodes: ["a", "b", "c", "d", "gone"],
    kinds: ["far", "near", "closed-full", "fits", "near"],
    titles: ["insufficient cpu", "untolerated taint"],
    first: [0, 0, 1, -1, 0],
    number: [1, 1, 2, 0, 1],
    short: [715, 95, 715, 0, 10],
    rank: [3, 2, 4, 0, 1],
    nearest: "b",
    legend: [["near", "short by up to 10 % of what it asks"]],
  },
  new Map(NAMES.map((name, i) => [name, i])),
);

test("a node says what rejects the pod first there, and how much is short", () => {
  assert.deepEqual([0, 1, 2, 3, 4].map((node) => marks.kindOf(node)), ["far", "near", "closed-full", "fits", undefined]);
  assert.equal(marks.saysExactly(1), "insufficient cpu, 10 % short");
  assert.deepEqual([0, 2, 3].map((node) => marks.briefly(node)), ["72 % short", "untolerated taint", "fits"]);
  assert.equal(marks.saysExactly(2), "untolerated taint, and 1 other reason");
  assert.equal(marks.says(4), "");
  assert.equal(marks.nearest, 1);
});

test("a group counts what its nodes say; of nodes that nobody asked about nothing is said", () => {
  assert.deepEqual(marks.counted([0, 1, 2, 4]), ["insufficient cpu on 2", "untolerated taint on 1"]);
  assert.deepEqual(marks.counted([4]), []);
});

test("by shortfall the nearest node of a group comes first, and by name where every pod finds a node", () => {
  const nodes = NAMES.map((name) => ({ name, labels: {} }));
  const shown = [0, 1, 2, 3, 4];
  assert.deepEqual(grouped(nodes, "none", "shortfall", null, shown, marks.compare)[0].nodes, [3, 1, 0, 2, 4]);
  assert.deepEqual(grouped(nodes, "none", "shortfall", null, shown)[0].nodes, shown);
  assert.deepEqual(grouped(nodes, "none", "name", null, shown, marks.compare)[0].nodes, shown);
});

test("the table has first what the decision is about", () => {
  const decided = { chosen: 3, best: new Set([1]), candidates: new Set([4]) };
  assert.deepEqual(decidingFirst([0, 1, 2, 3, 4], decided, null), [3, 1, 4, 0, 2]);
  const nothing = { chosen: null, best: new Set(), candidates: new Set() };
  assert.deepEqual(decidingFirst([2, 1, 0], nothing, null), [2, 1, 0]);
  assert.deepEqual(decidingFirst([0, 1, 2, 3, 4], nothing, marks), [3, 1, 0, 2, 4]);
});

test("a head says as many parts as there is room for", () => {
  const parts = ["insufficient cpu on 887", "cordoned on 13"];
  const within = (width) => fitting(parts, (words) => words.length <= width);
  assert.deepEqual([40, 25, 5].map(within), ["insufficient cpu on 887, cordoned on 13", "insufficient cpu on 887", ""]);
});

test("each kind of mark has a shape of its own, whatever its colour", () => {
  const shapeOf = (kind) => {
    const drawn = [];
    const context = new Proxy({}, {
      get: (values, name) => values[name] ?? ((...numbers) => drawn.push([name, ...numbers.flat().map((one) => Number(one).toFixed(1))])),
    });
    paintMark(context, { x: 0, y: 0, w: 11, h: 11 }, kind, {});
    return JSON.stringify(drawn);
  };
  const kinds = ["near", "middle", "far", "closed", "closed-full", "cordoned"];
  assert.equal(new Set(kinds.map(shapeOf)).size, kinds.length);
});
