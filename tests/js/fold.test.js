// The browser's fold against the vectors that scheduler_core/events/fold.py is held to, and by itself.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";

import { Fold, OutOfStep } from "../../static/js/fold.js";
import { appear, bind, evict, join, leave, NODE_PODS, node, pod, QUEUE, set, state, vanish } from "./events.js";
import { randomLog } from "./random-log.js";

const VECTORS = new URL("../vectors/fold/", import.meta.url);

const [a, b, c] = ["a", "b", "c"].map((name) => pod(name, { node: "full", start_time: "2026-06-01T00:00:00Z" }));
const [d, e] = [pod("d"), pod("e")];
const WAITING = { active: { [d.uid]: 1 }, unschedulable: { [e.uid]: 2 } };
const base = () => state([node("full"), node("free")], [a, b, c, d, e], WAITING);
const decision = (seq, ...changes) => ({ seq, time: null, kind: "attempt", changes: changes.flat() });
const moveAll = (of, to, fields) => ({ verb: "move_all", list: QUEUE, of, to, ...fields });

/** The state after a decision of these changes; taking it back gives the first state again. */
function thereAndBack(...changes) {
  const fold = new Fold(base());
  const step = decision(1, ...changes);
  fold.apply(step);
  const between = fold.state();
  fold.revert(step);
  assert.deepEqual(fold.state(), base());
  return between;
}

const namesOn = (between, on) => Object.keys(between.lists[NODE_PODS][on]).map((uid) => between.tables.pods[uid].name);

test("a bound pod is at the end of its node's list and no longer in the queue", () => {
  const between = thereAndBack(leave(QUEUE, "active", d, 1), bind(d, "full", 3));
  assert.deepEqual(namesOn(between, "full"), ["a", "b", "c", "d"]);
  assert.equal(between.tables.pods[d.uid].node, "full");
  assert.deepEqual(Object.keys(between.lists[QUEUE]), ["unschedulable"]);
});

test("whoever fills the place of a pod that left has its order", () => {
  const between = thereAndBack(evict(a, 0, "full", [c, 2]));
  assert.deepEqual(namesOn(between, "full"), ["c", "b"]);
  assert.ok(!(a.uid in between.tables.pods));
});

test("two evictions from one node revert in the opposite order", () => {
  const between = thereAndBack(evict(a, 0, "full", [c, 2]), evict(c, 0, "full", [b, 1]));
  assert.deepEqual(namesOn(between, "full"), ["b"]);
});

test("a wake-up of many is one change, behind those who were there", () => {
  const between = thereAndBack(moveAll("unschedulable", "active", { by: 5, first: 7, count: 1 }));
  assert.deepEqual(between.lists[QUEUE], { active: { [d.uid]: 1, [e.uid]: 7 } });
});

test("what came before a wake-up stays where it is when that is taken back", () => {
  const fold = new Fold(base());
  const wakeUp = decision(1, moveAll("unschedulable", "active", { by: 0, first: 2, count: 1 }));
  const later = decision(2, leave(QUEUE, "active", d, 1), join(QUEUE, "active", d, 9));
  fold.apply(wakeUp);
  fold.apply(later);
  fold.revert(later);
  fold.revert(wakeUp);
  assert.deepEqual(fold.state(), base());
});

test("a node that goes and comes back as another one goes back as what it was", () => {
  const free = node("free");
  const other = node("free", { labels: { zone: "b" } });
  const cordoned = { ...free, unschedulable: true };
  const steps = [
    decision(1, set("nodes", "free", { unschedulable: false }, { unschedulable: true })),
    decision(2, vanish(cordoned, "nodes")),
    decision(3, appear(other, "nodes")),
    decision(4, set("nodes", "free", { labels: { zone: "b" } }, { labels: {} })),
  ];
  const fold = new Fold(base());
  const rows = [fold.state().tables.nodes.free];
  for (const step of steps) {
    fold.apply(step);
    rows.push(fold.state().tables.nodes.free);
  }
  assert.deepEqual(rows, [free, cordoned, undefined, other, { ...other, labels: {} }]);
  for (const step of [...steps].reverse()) {
    assert.deepEqual(fold.state().tables.nodes.free, rows.pop());
    fold.revert(step);
  }
  assert.deepEqual(fold.state(), base());
});

test("tables and lists that nobody here knows are kept all the same", () => {
  const cards = appear({ uid: "gpu-0", used: 0.5 }, "cards");
  const between = thereAndBack(cards, join("gangs", "g", d, 3), set("cards", "gpu-0", { used: 0.5 }, { used: 1 }));
  assert.deepEqual(between.tables.cards, { "gpu-0": { uid: "gpu-0", used: 1 } });
  assert.deepEqual(between.lists.gangs, { g: { [d.uid]: 3 } });
});

test("the clock is that of the decision, and of the start before the first", () => {
  const fold = new Fold({ ...base(), time: 0 });
  fold.apply({ ...decision(1), time: 1500 });
  assert.equal(fold.state().time, 1500);
  fold.revert({ ...decision(1), time: 1500 });
  assert.equal(fold.state().time, 0);
  fold.apply(decision(1));
  assert.equal(fold.state().time, 1500);
});

test("a decision's changes are read again as they were, but for rows", () => {
  const changes = [
    ...evict(a, 0, "full", [c, 2]),
    moveAll("unschedulable", "active", { by: 5, first: 7, count: 1 }),
    ...bind(d, "free"),
    leave(QUEUE, "active", d, 1),
    appear(pod("a-2", { replaces: a.uid })),
  ];
  const fold = new Fold(base());
  fold.pack(decision(1, changes));
  const bare = ({ row, filler, ...change }) => (filler ? { ...change, filler } : change);
  assert.deepEqual(fold.changesOf(1), changes.map(bare));
});

test("decisions are packed ahead of the state and any of them can be moved to", () => {
  const fold = new Fold(base());
  fold.pack(decision(1, evict(a, 0, "full", [c, 2])));
  fold.pack(decision(2, bind(d, "free"), leave(QUEUE, "active", d, 1)));
  assert.equal(fold.head, 2);
  fold.moveTo(2);
  assert.deepEqual(namesOn(fold.state(), "full"), ["c", "b"]);
  assert.deepEqual(namesOn(fold.state(), "free"), ["d"]);
  fold.moveTo(0);
  assert.deepEqual(fold.state(), base());
  assert.throws(() => fold.moveTo(3), OutOfStep);
});

test("neither the first state nor a decision is written into", () => {
  const first = base();
  const step = decision(1, appear(pod("f")), set("pods", "uid-f", { node: "" }, { node: "free" }));
  const fold = new Fold(first);
  fold.apply(step);
  fold.apply(decision(2, set("nodes", "free", { unschedulable: false }, { unschedulable: true })));
  assert.deepEqual(first, base());
  assert.equal(step.changes[0].row.node, "");
});

test("a decision that doesn't follow is refused", () => {
  assert.throws(() => new Fold(base()).pack(decision(2)), OutOfStep);
  assert.throws(() => new Fold(base()).revert(decision(1)), OutOfStep);
});

for (const [what, ...changes] of [
  ["an unknown verb", { verb: "explode", table: "pods", id: a.uid }],
  ["a field of a row that nobody ever saw", set("pods", "nobody", { node: "" }, { node: "free" })],
  ["a field that has another value", set("pods", d.uid, { node: "full" }, { node: "free" })],
  ["a row that is there already", appear(d)],
  ["a row that has gone", vanish(d), vanish(d)],
  ["a field of a row that has gone", vanish(d), set("pods", d.uid, { node: "" }, { node: "free" })],
  ["who is in the list already", join(QUEUE, "active", d, 2)],
  ["who is at another place", leave(QUEUE, "active", d, 2)],
  ["another number of those who wake up", moveAll("active", "backoff", { by: 0, first: 0, count: 2 })],
]) {
  test(`refused: ${what}`, () => {
    assert.throws(() => new Fold(base()).apply(decision(1, changes)), OutOfStep);
  });
}

for (const seed of [1, 2, 3, 4, 5, 6, 7, 8]) {
  test(`a random log of all verbs takes itself back, seed ${seed}`, () => {
    const { base: first, decisions, states } = randomLog(seed, 60);
    const fold = new Fold(first);
    for (const step of decisions) {
      fold.apply(step);
      assert.deepEqual(fold.state(), states[step.seq], `forwards, state ${step.seq}`);
    }
    for (let seq = decisions.length; seq > 0; seq--) {
      assert.deepEqual(fold.state(), states[seq], `backwards, state ${seq}`);
      fold.revert(decisions[seq - 1]);
    }
    assert.deepEqual(fold.state(), first);
    for (const seq of [40, 7, 60, 21]) {
      fold.moveTo(seq);
      assert.deepEqual(fold.state(), states[seq], `jumped to, state ${seq}`);
    }
  });
}

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
