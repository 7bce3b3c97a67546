import assert from "node:assert/strict";
import test from "node:test";

import {
  addPlugin,
  argumentOf,
  isReadable,
  moveAction,
  movePlugin,
  removePlugin,
  tiersIn,
  variantsOf,
  withAction,
  withArgument,
  withFlag,
} from "../../static/js/schedulers/volcano/configuration-document.js";

const DOCUMENT = {
  actions: "enqueue, allocate, backfill",
  "schedule-period": "5s",
  tiers: [
    { plugins: [{ name: "priority" }, { name: "gang", enablePreemptable: false }] },
    { plugins: [{ name: "proportion", arguments: { odd: 1 } }, { name: "binpack" }, { name: "numaaware" }] },
  ],
};
const READY = { actions: ["reclaim", "preempt"], pairs: [["proportion", "capacity"]], weights: [["binpack", "binpack.weight", 10, "binpack weighs ten times"]] };
const names = (document) => tiersIn(document).map((plugins) => plugins.map(({ name }) => name));

test("an action comes before backfill, goes, and moves; everything else stays", () => {
  const reclaims = withAction(DOCUMENT, "reclaim", true);
  assert.deepEqual(reclaims, { ...DOCUMENT, actions: "enqueue, allocate, reclaim, backfill" });
  assert.deepEqual(withAction(reclaims, "reclaim", false), DOCUMENT);
  assert.equal(moveAction(reclaims, "reclaim", -1).actions, "enqueue, reclaim, allocate, backfill");
  assert.equal(moveAction(reclaims, "enqueue", -1), reclaims);
  assert.equal(withAction({ ...DOCUMENT, actions: "" }, "enqueue", true).actions, "enqueue");
});

test("a plugin moves within its tier, to the next one, and back to where it was", () => {
  const within = movePlugin(DOCUMENT, [0, 0], 1);
  assert.deepEqual(names(within), [["gang", "priority"], ["proportion", "binpack", "numaaware"]]);
  const over = movePlugin(within, [0, 1], 1);
  assert.deepEqual(names(over), [["gang"], ["priority", "proportion", "binpack", "numaaware"]]);
  assert.deepEqual(movePlugin(movePlugin(over, [1, 0], -1), [0, 1], -1), DOCUMENT);
  assert.deepEqual(names(movePlugin(DOCUMENT, [1, 2], 1)), [["priority", "gang"], ["proportion", "binpack"], ["numaaware"]]);
  assert.equal(movePlugin(DOCUMENT, [0, 0], -1), DOCUMENT);
});

test("a plugin comes and goes; a tier without any is gone", () => {
  assert.deepEqual(names(addPlugin(DOCUMENT, 0, "drf"))[0], ["priority", "gang", "drf"]);
  const alone = addPlugin(DOCUMENT, 2, "drf");
  assert.deepEqual(names(alone)[2], ["drf"]);
  assert.deepEqual(removePlugin(alone, [2, 0]), DOCUMENT);
});

test("arguments and functions are set and left to their defaults", () => {
  const set = withArgument(DOCUMENT, [1, 1], "binpack.weight", 10);
  assert.deepEqual(tiersIn(set)[1][1], { name: "binpack", arguments: { "binpack.weight": 10 } });
  assert.deepEqual(withArgument(set, [1, 1], "binpack.weight", undefined), DOCUMENT);
  const flagged = withFlag(DOCUMENT, [1, 1], "enableNodeOrder", false);
  assert.equal(tiersIn(flagged)[1][1].enableNodeOrder, false);
  assert.deepEqual(withFlag(flagged, [1, 1], "enableNodeOrder", undefined), DOCUMENT);
});

test("an argument is typed as YAML would read it", () => {
  assert.deepEqual(["1.2", "true", "false", " x ", "-3", "1.2.3"].map(argumentOf), [1.2, true, false, "x", -3, "1.2.3"]);
});

test("variants differ from what there is, and say in which way", () => {
  const found = Object.fromEntries(variantsOf(DOCUMENT, READY).map(({ title, document }) => [title, document]));
  assert.deepEqual(Object.keys(found), ["with reclaim", "with preempt", "capacity for proportion", "binpack weighs ten times"]);
  assert.deepEqual(tiersIn(found["capacity for proportion"])[1][0], { name: "capacity" });
  const swapped = variantsOf(found["capacity for proportion"], READY).map(({ title }) => title);
  assert.ok(swapped.includes("proportion for capacity") && !swapped.includes("capacity for proportion"));
  assert.ok(variantsOf(found["with reclaim"], READY).some(({ title }) => title === "without reclaim"));
});

test("a text of another shape is left to the text", () => {
  assert.equal(isReadable(DOCUMENT), true);
  for (const other of [null, [], "x", {}, { actions: ["a"] }, { actions: "a", tiers: [{ plugins: ["gang"] }] }, { actions: "a", tiers: {} }])
    assert.equal(isReadable(other), false, JSON.stringify(other));
});
