// Few nodes: how their tiles fill the map, how pods stand in a stack, and what a tile's foot says.
import assert from "node:assert/strict";
import test from "node:test";

import { footOf, freedWords, shortened } from "../../static/js/debugger/map/feet.js";
import { detailOf, layOut, readableHeight, TALL } from "../../static/js/debugger/map/layout.js";
import { marksOf } from "../../static/js/debugger/map/marks.js";
import { stackOf } from "../../static/js/debugger/map/stack.js";
import { attemptVerdicts } from "../../static/js/decisions/attempt-verdicts.js";
import {
  attempt, bind, candidate, logOf, node, pod, preemption, rejection, remove, schedulerOf, set, state, victim,
} from "./events.js";

/** Groups of so many nodes each. */
const groupsOf = (...sizes) => {
  let next = 0;
  return sizes.map((many, g) => ({ name: `zone-${g}`, nodes: Array.from({ length: many }, () => next++) }));
};

test("up to twelve nodes the tiles fill the map without overlapping, and none is too small for a stack", () => {
  for (const sizes of [[1], [2], [3, 3, 2], [6, 6], [4, 4, 4], [1, 1, 1], [12]]) {
    const { boxes, tile, isTall } = layOut(groupsOf(...sizes), 740, 640);
    assert.ok(isTall, `${sizes}`);
    assert.ok(tile.w >= TALL.w && tile.h >= TALL.h, `${sizes}: ${tile.w} × ${tile.h}`);
    const places = [...boxes.values()];
    const reaches = (side, size) => Math.max(...places.map((box) => box[side] + tile[size]));
    assert.ok(Math.abs(reaches("y", "h") - 640) < 1, `${sizes} reach to ${reaches("y", "h")}`);
    assert.ok(reaches("x", "w") <= 741);
    const apart = (a, b) => Math.abs(a.x - b.x) >= tile.w || Math.abs(a.y - b.y) >= tile.h;
    places.forEach((a, i) => places.slice(i + 1).forEach((b) => assert.ok(apart(a, b))));
  }
});

test("thirteen nodes, or a room too small for stacks, are drawn as ever", () => {
  assert.equal(layOut(groupsOf(13), 740, 640).isTall, false);
  assert.equal(layOut(groupsOf(3, 3, 2), 340, 220).isTall, false);
  assert.equal(detailOf(136, true), "tall");
});

test("a page that scrolls gives few nodes as much height as they need", () => {
  const groups = groupsOf(3, 3, 2);
  const height = readableHeight(groups, 350);
  const { isTall, tile } = layOut(groups, 350, height);
  assert.ok(isTall && tile.w > 160 && tile.h > 160, `${tile.w} × ${tile.h}`);
  assert.equal(readableHeight(groupsOf(13), 350), 0);
});

const AREA = { x: 10, y: 20, w: 104, h: 100 };
const asks = (amounts) => (which) => amounts[which];
const blocks = (...pods) => pods.map((which) => ({ pod: which }));

test("pods stand on one another from the bottom, as high as what they ask for; the rest is free", () => {
  const parts = { staying: blocks(0, 1), leaving: [], taking: [] };
  const { boxes, free } = stackOf(AREA, parts, asks([250, 500]), 1000);
  assert.deepEqual(boxes.map(({ box }) => [box.y, box.h]), [[95, 24], [45, 49]]);
  assert.deepEqual(free, { box: { ...AREA, h: 25 }, amount: 250 });
});

test("who leaves and who takes the room stand side by side upon those who stay", () => {
  const parts = { staying: blocks(0), leaving: blocks(1), taking: blocks(2) };
  const { boxes, free } = stackOf(AREA, parts, asks([200, 300, 400]), 1000);
  const [stays, leaves, takes] = boxes.map(({ box }) => box);
  assert.equal(stays.w, 104);
  assert.deepEqual([leaves.x, leaves.w, takes.x, takes.w], [10, 50, 64, 50]);
  assert.equal(leaves.y + leaves.h, takes.y + takes.h);
  assert.equal(free.amount, 400, "beside both of them");
});

test("a stack never grows out of its tile, however many ask for nothing or for more than there is", () => {
  const many = Array.from({ length: 150 }, (_, i) => i);
  for (const amountOf of [() => 0, () => 1, () => 900]) {
    const { boxes } = stackOf(AREA, { staying: blocks(...many), leaving: [], taking: [] }, amountOf, 1000);
    for (const { box } of boxes) assert.ok(box.y >= AREA.y - 1e-6 && box.y + box.h <= AREA.y + AREA.h + 1e-6);
  }
  const none = stackOf(AREA, { staying: blocks(0), leaving: [], taking: [] }, asks([5]), 0);
  assert.equal(none.free, null, "a node without the resource has nothing free");
});

const change = (changes, time, fields = {}) => ({
  seq: 1, time, actor: "cluster", cause: null, kind: "change", pod: null, node: null, object: "Node a", edit: 0, outcome: "updated",
  wakes: [], changes, ...fields,
});
const job = pod("job", { node: "a", requests: { cpu: 400, "nvidia.com/gpu": 1 } });
const nodes = [node("a", { ready: true }), node("b", { ready: true })];
const timed = (decisions) => logOf({ ...state(nodes, [job]), time: 0 }, decisions);
const notReady = (is) => [set("nodes", "a", { ready: !is }, { ready: is })];

test("a node that fails says since when, in both directions, until it is ready again", () => {
  const { fold } = timed([change(notReady(false), 5000), change(notReady(true), 9000), change(notReady(false), 60_000)]);
  const foot = (now) => footOf(fold, 0, { now, resource: "cpu" })?.words;
  fold.moveTo(3);
  assert.equal(foot(114_900), "NotReady 0:54");
  fold.moveTo(2);
  assert.deepEqual([fold.failed.size, foot(9000)], [0, undefined]);
  fold.moveTo(1);
  assert.equal(foot(6000), "NotReady 0:01");
});

test("a node that was never ready, or where no clock moves, says only that", () => {
  const { fold } = logOf(state([node("a", { ready: false })], []), []);
  assert.equal(footOf(fold, 0, { now: null, resource: "cpu" }).words, "NotReady");
  const old = logOf(state([node("a")], []), []).fold;
  assert.equal(old.failed.size, 0, "a log of an earlier engine doesn't say");
});

test("room is freed by the decision at which a pod is gone, and shown as long as it is what led to another", () => {
  const wakes = attempt(pod("late"), { cause: 1, chosen: "", time: 5000 });
  const { fold } = timed([change(remove(job, 0), 5000, { pod: job }), wakes, change([], 6000)]);
  const freedAt = (seq, cause) => {
    fold.moveTo(seq);
    return marksOf(fold, seq, cause).freed;
  };
  assert.deepEqual([...freedAt(1, null)], [[0, { cpu: 400, "nvidia.com/gpu": 1 }]]);
  assert.deepEqual([...freedAt(2, 1).keys()], [0]);
  assert.equal(freedAt(3, null).size, 0);
  assert.equal(freedWords({ cpu: 400, "nvidia.com/gpu": 1 }, "cpu"), "1 GPU freed");
  assert.equal(freedWords({ cpu: 400, memory: 2 ** 30 }, "memory"), "1 GiB memory freed");
  assert.equal(freedWords({}, "cpu"), "a place freed");
});

test("what doesn't fit into a foot loses its last parts first, then its beginning", () => {
  const said = { mark: "✕", parts: ["candidate, lost: highest victim 500", "more"] };
  const within = (most) => shortened(said, (words) => words.length <= most);
  assert.equal(within(60), "✕ candidate, lost: highest victim 500 · more");
  assert.equal(within(40), "✕ candidate, lost: highest victim 500");
  assert.equal(within(25), "✕ highest victim 500");
});

test("the decision that placed a pod is known of each pod that was placed in the run", () => {
  const web = pod("web");
  const log = logOf(state([node("a")], [web, pod("old", { node: "a" })]), [attempt(web, { changes: bind(web, "a", 1) })]);
  const { podIndex } = log.fold;
  assert.deepEqual([log.placedBy(podIndex.get("uid-web")), log.placedBy(podIndex.get("uid-old"))], [1, 0]);
});

const scheduler = schedulerOf();
const low = pod("low", { priority: 300 });
const high = pod("high", { priority: 500 });
const urgent = pod("urgent", { priority: 1000 });
const told = (event, found = null, rows = ["a", "b", "c", "d"].map((name) => node(name))) =>
  Object.fromEntries(
    [...attemptVerdicts(event, { scheduler, nodes: rows, requestsOf: () => ({ cpu: 1100 }), found })].map(
      ([name, { mark, words }]) => [name, `${mark} ${words}`.trim()],
    ),
  );
const row = (name, status, numbers = []) => ({ node: name, status, numbers, scores: null, total: null });
const short = { what: "cpu", asked: 2000, free: 800, size: 4000, unit: "m" };

test("at a preemption each node says by what it lost, and how far it is from helping", () => {
  const event = attempt(urgent, {
    outcome: "nominated", chosen: "", total: null, best: [], rejections: [rejection("NodeResourcesFit", "Insufficient cpu", 3)],
    preemption: preemption({
      candidates: [candidate("a", [victim(low)]), candidate("b", [victim(high)], "highest_priority")],
      best: ["a"], nominated: "a", victims: [victim(low)],
    }),
  });
  assert.deepEqual(told(event), { a: "✓ chosen: highest victim 300", b: "✕ candidate, lost: highest victim 500" });
  const status = { plugin: "NodeResourcesFit", code: "Unschedulable", reasons: ["Insufficient cpu"] };
  const taints = [{ key: "nvidia.com/gpu", value: "", effect: "NoSchedule" }];
  const tainted = { plugin: "TaintToleration", code: "UnschedulableAndUnresolvable", reasons: ["node(s) had untolerated taint(s)"] };
  const found = {
    rows: [row("a", status, [short]), row("b", status, [short]), row("c", status, [short]), row("d", tainted)],
    explained: [{ node: "c", filters: [{ code: "Unschedulable", numbers: [short] }], reprieve: { removed: [{ uid: "x" }], status } }],
  };
  const all = told(event, found, [...["a", "b", "c"].map((name) => node(name)), node("d", { taints })]);
  assert.equal(all.a, "✓ chosen: highest victim 300");
  assert.equal(all.c, "✕ no help: still 100m cpu short");
  assert.equal(all.d, "⊘ taint nvidia.com/gpu not tolerated");
});

test("where nodes fit, each says how many points it is behind", () => {
  const scored = (name, total) => ({ node: name, status: null, numbers: [], scores: { Fit: total }, total });
  const event = attempt(low, { chosen: "a", total: 616, best: ["a", "b"], best_count: 2, visited: 3 });
  const found = { rows: [scored("a", 616), scored("b", 616), scored("c", 602)], explained: [] };
  assert.deepEqual(told(event, found), {
    a: "✓ chosen: 616 points, one of 2 equal",
    b: "= equally good, not taken",
    c: "✕ 14 points behind",
    d: "not asked",
  });
  const cordoned = { plugin: "NodeUnschedulable", code: "UnschedulableAndUnresolvable", reasons: ["node(s) were unschedulable"] };
  const one = attempt(low, { chosen: "a", total: null, feasible: 1 });
  const seen = told(one, { rows: [row("a", null), row("b", cordoned), row("c", { ...cordoned, code: "Unschedulable", reasons: ["Insufficient cpu"] }, [short])], explained: [] }, [
    node("a"), node("b", { unschedulable: true }), node("c"),
  ]);
  assert.deepEqual(seen, { a: "✓ chosen: the only one that fits", b: "⊘ cordoned: unschedulable", c: "✕ 1.2 cpu short" });
});
