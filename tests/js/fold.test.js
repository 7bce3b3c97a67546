// The browser's fold against the vectors that scheduler_core/events/fold.py is held to, and by itself.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";

import { Fold, OutOfStep } from "../../static/js/fold.js";

const VECTORS = new URL("../vectors/fold/", import.meta.url);

const pod = (uid, fields = {}) => ({
  uid,
  namespace: "shop",
  name: uid,
  priority: 0,
  labels: {},
  workload: "",
  requests: { cpu: 100 },
  scheduler: "default-scheduler",
  node: "",
  nominated: "",
  queue: null,
  start_time: null,
  terminating: false,
  comes_back: false,
  ...fields,
});
const started = "2026-06-01T00:00:00Z";
const base = () => ({
  at: 0,
  nodes: [{ name: "full" }, { name: "free" }],
  pods: [..."abc"]
    .map((uid) => pod(uid, { node: "full", start_time: started }))
    .concat(pod("d", { queue: { part: "active", order: 1 } })),
  node_pods: { full: ["a", "b", "c"], free: [] },
});
const decision = (seq, ...changes) => ({ seq, kind: "attempt", changes });
const evict = (uid, position) => ({ type: "evict", pod: uid, node: "full", position, start_time: started });
const bind = { type: "bind", pod: "d", node: "free", start_time: "2026-06-01T00:00:01Z" };
const leave = { type: "move", pod: "d", old: { part: "active", order: 1 }, new: null };

function thereAndBack(...changes) {
  const fold = new Fold(base());
  const step = decision(1, ...changes);
  fold.apply(step);
  const between = fold.state();
  fold.revert(step);
  assert.deepEqual(fold.state(), base());
  return between;
}

test("a bound pod joins the end of its node's list and leaves the queue", () => {
  const state = thereAndBack(bind, leave);
  assert.deepEqual(state.node_pods.free, ["d"]);
  assert.equal(state.pods[3].node, "free");
  assert.equal(state.pods[3].queue, null);
});

test("a terminating pod stays on its node, at the end of the list, until it is deleted", () => {
  const terminate = { type: "terminate", pod: "a", node: "full", position: 0, was: false };
  const state = thereAndBack(terminate);
  assert.deepEqual(state.node_pods.full, ["c", "b", "a"]);
  assert.equal(state.pods[0].terminating, true);
  const gone = thereAndBack(terminate, { ...evict("a", 2), type: "delete" });
  assert.deepEqual(gone.node_pods.full, ["c", "b"]);
  assert.deepEqual(
    gone.pods.map(({ uid }) => uid),
    ["b", "c", "d"],
  );
});

test("the last pod of the list takes the place of an evicted one", () => {
  assert.deepEqual(thereAndBack(evict("a", 0)).node_pods.full, ["c", "b"]);
});

test("two evictions from one node revert in the opposite order", () => {
  assert.deepEqual(thereAndBack(evict("a", 0), evict("c", 0)).node_pods.full, ["b"]);
});

test("a copy of an evicted pod stands behind all others", () => {
  const state = thereAndBack(evict("a", 0), { type: "create", pod: pod("a-r1") });
  assert.deepEqual(
    state.pods.map((card) => card.uid),
    ["b", "c", "d", "a-r1"],
  );
});

test("a nomination to a node that is not in the cluster is kept by its name", () => {
  const state = thereAndBack({ type: "nominate", pod: "d", old: "", new: "gone" });
  assert.equal(state.pods[3].nominated, "gone");
  assert.deepEqual(Object.keys(state.node_pods), ["full", "free"]);
});

test("decisions are packed ahead of the state and any of them can be moved to", () => {
  const fold = new Fold(base());
  fold.pack(decision(1, evict("a", 0)));
  fold.pack(decision(2, bind, leave));
  fold.moveTo(2);
  assert.deepEqual(fold.state().node_pods, { full: ["c", "b"], free: ["d"] });
  assert.equal(fold.waiting.size, 0);
  fold.moveTo(0);
  assert.deepEqual(fold.state(), base());
  assert.throws(() => fold.moveTo(3), OutOfStep);
});

test("a decision that does not follow is refused", () => {
  assert.throws(() => new Fold(base()).pack(decision(2)), OutOfStep);
  assert.throws(() => new Fold(base()).revert(decision(1)), OutOfStep);
});

for (const file of readdirSync(VECTORS).filter((name) => name.endsWith(".json"))) {
  test(`the shared vector ${file} holds in both directions`, () => {
    const vector = JSON.parse(readFileSync(new URL(file, VECTORS)));
    const fold = new Fold(vector.base);
    const check = (seq) => {
      if (vector.states[seq]) assert.deepEqual(fold.state(), vector.states[seq], `state ${seq}`);
    };
    for (const step of vector.decisions) {
      fold.apply(step);
      check(step.seq);
    }
    for (const step of [...vector.decisions].reverse()) {
      check(step.seq);
      fold.revert(step);
    }
    assert.deepEqual(fold.state(), vector.base);
  });
}
