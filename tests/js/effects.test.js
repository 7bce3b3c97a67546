// What changes mean for pods, and what the log counts and follows of it.
import assert from "node:assert/strict";
import test from "node:test";

import { effectsOf } from "../../static/js/effects.js";
import {
  appear,
  attempt,
  bind,
  evict,
  join,
  leave,
  logOf,
  node,
  nominate,
  pod,
  QUEUE,
  remove,
  set,
  STARTED,
  state,
  terminate,
  vanish,
} from "./events.js";
import { reconciled } from "./session-events.js";

const web = pod("web");
const brief = (changes) => effectsOf(changes).map(({ effect, pod: _, ...rest }) => [effect, ...Object.values(rest)]);

test("a pod that is bound was placed, out of a part of its scheduler's queue", () => {
  const changes = [leave(QUEUE, "active", web, 4), ...bind(web, "a")];
  assert.deepEqual(effectsOf(changes), [
    { effect: "dequeued", pod: web.uid, actor: "default-scheduler", part: "active" },
    { effect: "placed", pod: web.uid, node: "a", startTime: STARTED },
  ]);
});

test("a pod whose binding fails loses its node again", () => {
  const changes = [set("pods", web.uid, { node: "a" }, { node: "" })];
  assert.deepEqual(effectsOf(changes), [{ effect: "unplaced", pod: web.uid, node: "a" }]);
});

test("an eviction is told once, whether the pod goes at once or stays for a while", () => {
  assert.deepEqual(brief(evict({ ...web, node: "a" }, 0)), [["evicted", false], ["left"]]);
  assert.deepEqual(brief(terminate({ ...web, node: "a" }, 0, 0)), [["evicted", false]]);
  const leaving = { ...web, node: "a", terminating: true };
  assert.deepEqual(brief(terminate(leaving, 0, 0)), [["evicted", true]]);
  assert.deepEqual(brief([set("pods", web.uid, { evicted: true }, { evicted: true })]), []);
});

test("a pod that goes of itself isn't evicted", () => {
  assert.deepEqual(brief([vanish({ ...web, node: "a" })]), [["left"]]);
});

test("arrivals, nominations and entries are told in the order of the changes", () => {
  const changes = [appear(web), join("queue/batch", "gated", web, 7), nominate(web, "", "a"), nominate(web, "a", "")];
  assert.deepEqual(brief(changes), [["arrived"], ["entered", "batch", "gated"], ["nominated", "", "a"], ["nominated", "a", ""]]);
});

test("other tables and lists, other fields and whole wake-ups mean nothing for single pods", () => {
  const changes = [
    set("nodes", "a", { unschedulable: false }, { unschedulable: true }),
    appear(node("b"), "nodes"),
    set("pods", web.uid, { start_time: null }, { start_time: STARTED }),
    join("gangs", "g", web, 1),
    { verb: "move_all", list: QUEUE, of: "unschedulable", to: "active", by: 1, first: 2, count: 3 },
  ];
  assert.deepEqual(effectsOf(changes), []);
});

test("the same comes out of the packed log", () => {
  const changes = [...evict({ ...web, node: "a" }, 0), appear(pod("web-2", { replaces: web.uid }))];
  const log = logOf(state([node("a")], [{ ...web, node: "a" }]), [attempt(web, { changes })]);
  assert.deepEqual(log.effectsOf(1), effectsOf(changes));
});

/** A pod that is evicted again and again: its copies have names of their own, as a StatefulSet's or a Deployment's. */
function evictedTwice() {
  const first = pod("web-7c9d-x1", { node: "a" });
  const copies = [pod("web-7c9d-p2", { replaces: first.uid }), pod("web-7c9d-q3", { replaces: "uid-web-7c9d-p2" })];
  const stranger = pod("web-7c9d-x1-r2", { node: "b" });
  return {
    first,
    copies,
    stranger,
    log: logOf(state([node("a"), node("b")], [first, stranger]), [
      attempt(stranger, { changes: [...evict(first, 0), appear(copies[0])] }),
      attempt(copies[0], { changes: bind(copies[0]) }),
      attempt(stranger, { changes: evict(stranger, 0, "b") }),
      attempt(stranger, { changes: [...evict({ ...copies[0], node: "a" }, 0), appear(copies[1])] }),
    ]),
  };
}

test("a pod is evicted a second time if what it replaces was, whatever it is called", () => {
  const { log } = evictedTwice();
  assert.deepEqual(
    [1, 2, 3, 4].map((seq) => log.repeated.get(seq)),
    [0, 0, 0, 1],
  );
  assert.deepEqual([log.evictedSoFar.get(4), log.placedSoFar.get(4)], [3, 1]);
});

test("copies know one another by what they replace, and when one of them last lost its place", () => {
  const { log, first, copies, stranger } = evictedTwice();
  const [one, two, three, other] = [first, ...copies, stranger].map(({ uid }) => log.fold.podIndex.get(uid));
  assert.deepEqual(log.copiesOf(three), [one, two]);
  assert.deepEqual(log.copiesOf(other), []);
  assert.deepEqual([log.lastEviction(three, 4), log.lastEviction(three, 5), log.lastEviction(three, 1)], [1, 4, 0]);
  assert.equal(log.root(three), one);
});

test("a decision that is about no pod takes its place in the log all the same", () => {
  const tick = { kind: "tick", outcome: "ticked", time: 5000, actor: "clock", cause: null, changes: [appear(web)] };
  const log = logOf(state([node("a")], []), [tick]);
  assert.deepEqual([log.head, log.pod.get(1), log.chosen.get(1), log.outcomeOf(1)], [1, -1, -1, "other"]);
  assert.deepEqual(log.lifeOf(log.fold.podIndex.get(web.uid)), [{ seq: 1, what: "created" }]);
});

test("pods with a node that controllers delete are counted once, evicted ones aside", () => {
  const [evicted, running, leaving, waiting, late] = [1, 2, 3, 4, 5].map((number) =>
    pod(`sum-${number}`, number < 4 ? { node: "a" } : {}),
  );
  const log = logOf(state([node("a")], [evicted, running, leaving, waiting, late]), [
    attempt(late, { changes: [...bind(late, "a", 3), ...evict(evicted, 0)] }),
    reconciled({
      changes: [
        ...remove(running, 0),
        set("pods", leaving.uid, { terminating: false }, { terminating: true }),
        vanish(waiting),
      ],
    }),
    reconciled({ changes: [vanish({ ...leaving, terminating: true }), vanish({ ...late, node: "a" })] }),
    attempt(late, { changes: [] }),
  ]);
  assert.deepEqual([1, 2, 3, 4].map((seq) => log.deletedSoFar.get(seq)), [0, 2, 3, 3]);
  assert.equal(log.evictedSoFar.get(4), 1);
});
