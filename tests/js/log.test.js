// The log as the page holds it, stops, the time line's columns, marks on the map, and the stream.
import assert from "node:assert/strict";
import test from "node:test";

import { marksOf, reprieveMarks } from "../../static/js/debugger/map/marks.js";
import { firstOf } from "../../static/js/debugger/map/legend.js";
import { notTakenWords, partsToShow } from "../../static/js/debugger/queue/queue.js";
import { first } from "../../static/js/debugger/queue/queue-folds.js";
import { DEFAULT_STOP, stopLabel } from "../../static/js/debugger/controls/stops.js";
import { stopTests } from "../../static/js/decisions/stops.js";
import { Stream } from "../../static/js/debugger/live/stream.js";
import {
  QUEUE,
  appear,
  attempt,
  bind,
  candidate,
  columnsOf,
  evict,
  figuresOf,
  join,
  leave,
  logOf,
  node,
  nominate,
  pod,
  preemption,
  ref,
  remove,
  set,
  state,
  vanish,
  victim,
} from "./events.js";

const nodes = [node("a"), node("b")];
const web = pod("web-1", { node: "a" }),
  cart = pod("cart-1", { node: "a" }),
  api = pod("api", { priority: 1000 });
const back = pod("web-1-x7", { replaces: web.uid }),
  again = pod("web-1-k2", { replaces: back.uid });
const pushesOut = attempt(api, {
  outcome: "nominated",
  chosen: null,
  best: [],
  feasible: 0,
  total: null,
  nominated_after: "a",
  preemption: preemption({
    nominated: "a",
    potential: 2,
    candidates: [candidate("a", [victim(web)]), candidate("b", [victim(cart)], "name")],
    victims: [ref(web)],
  }),
  changes: [...evict(web, 0, "a", [cart, 1]), nominate(api, "", "a"), appear(back)],
});
const takesA = attempt(api, {
  nominated_before: "a",
  visited: 1,
  feasible: 1,
  total: null,
  changes: [nominate(api, "a", ""), ...bind(api, "a", 1)],
});
const backOnB = attempt(back, {
  chosen: "b",
  best: ["b"],
  feasible: 1,
  total: null,
  changes: bind(back, "b"),
});
const outAgain = {
  kind: "eviction",
  pod: ref(back),
  outcome: "evicted",
  node: "b",
  message: null,
  changes: [...evict(back, 0, "b"), appear(again)],
};
const stuck = attempt(again, {
  outcome: "unschedulable",
  chosen: null,
  best: [],
  feasible: 0,
  total: null,
  rejections: [
    { plugin: "NodeResourcesFit", code: "Unschedulable", reasons: ["Insufficient cpu"], nodes: 2 },
  ],
});
const storyFigures = () => figuresOf(state(nodes, [web, cart, api]), [pushesOut, takesA, backOnB, outAgain, stuck]);
const story = () => storyFigures().log;

test("figures of every decision are kept in columns", () => {
  const log = story();
  assert.equal(log.head, 5);
  assert.deepEqual(
    [1, 2, 3, 4, 5].map((seq) => log.outcomeOf(seq)),
    ["nominated", "scheduled", "scheduled", "evicted", "unschedulable"],
  );
  assert.equal(log.placedSoFar.get(5), 2);
  assert.equal(log.evictedSoFar.get(5), 2);
  assert.equal(log.reasonOf(5), "Insufficient cpu");
});

test("an event that fell out of the window is read again", async () => {
  const log = story();
  log.blocks.clear();
  assert.equal(log.event(2), null);
  assert.equal((await log.fetch(2)).chosen, "a");
  assert.equal(log.event(3).chosen, "b");
});

test("a pod's life lists its attempts and what others did to it", () => {
  const log = story();
  const life = log.lifeOf(log.fold.podIndex.get(web.uid));
  assert.deepEqual(
    life.map(({ seq, what }) => [seq, what]),
    [[1, "lost"]],
  );
  assert.deepEqual(
    log.lifeOf(log.fold.podIndex.get(back.uid)).map(({ seq, what }) => [seq, what]),
    [
      [1, "created"],
      [3, "scheduled"],
      [4, "evicted"],
    ],
  );
});

test("pods that later decisions find gated are pending from the start, and pods that are left out never", () => {
  const [one, two, free, leftOut] = ["gated-1", "gated-2", "free", "left-out"].map((name) => pod(name));
  const held = (of, order) =>
    attempt(of, { outcome: "gated", attempt: 0, chosen: null, best: [], feasible: 0, total: null, changes: [join(QUEUE, "gated", of, order)] });
  const placed = attempt(free, { changes: [leave(QUEUE, "active", free, 0), ...bind(free, "a")] });
  const base = state(nodes, [one, two, free, leftOut], { active: { [free.uid]: 0 } });
  const log = logOf(base, [held(one, 1), held(two, 2), placed]);
  const told = [0, 1, 2, 3].map((at) => {
    log.fold.moveTo(at);
    return [log.pending, log.gatedLater().size];
  });
  assert.deepEqual(told, [[3, 2], [3, 1], [3, 0], [2, 0]]);
});

const stop = (fields) => ({ ...DEFAULT_STOP, kinds: [], ...fields });

/** The decisions at which play pauses. */
const pauses = (figures, fields) => {
  const isStop = stopTests(figures)(figures.log, stop(fields));
  return Array.from({ length: figures.log.head }, (_, i) => i + 1).filter(isStop);
};

test("stops: by kind, pod, node, priority and a second eviction of the same pod", () => {
  const figures = storyFigures();
  assert.deepEqual(pauses(figures, DEFAULT_STOP), [1]);
  assert.deepEqual(pauses(figures, { kinds: ["unschedulable"] }), [5]);
  assert.deepEqual(pauses(figures, { kinds: ["again"] }), [4]);
  assert.deepEqual(pauses(figures, { node: "b" }), [3, 4]);
  assert.deepEqual(pauses(figures, { node: "no such node" }), []);
  assert.deepEqual(pauses(figures, { pod: "shop/web-1" }), [1, 3, 4, 5]);
  assert.deepEqual(pauses(figures, { priority: 500 }), [1, 2]);
  assert.deepEqual(pauses(figures, {}), []);
});

test("a stop at a node or a pod sees whatever changes it, but no place in a queue", () => {
  const queue = (verb) => ({ verb, list: QUEUE, of: "active", id: api.uid, order: 1 });
  const figures = figuresOf(state(nodes, [web, api]), [
    attempt(cart, { changes: [queue("join")] }),
    attempt(cart, { changes: [set("nodes", "b", { unschedulable: false }, { unschedulable: true })] }),
    attempt(cart, { changes: [nominate(api, "", "b")] }),
    attempt(cart, { changes: [queue("leave"), ...bind(api, "b")] }),
    attempt(cart, { changes: evict({ ...api, node: "b" }, 0, "b") }),
  ]);
  assert.deepEqual(pauses(figures, { node: "b" }), [2, 3, 4, 5]);
  assert.deepEqual(pauses(figures, { pod: "shop/api" }), [3, 4, 5]);
  assert.deepEqual(pauses(figures, { pod: api.uid }), [3, 4, 5]);
});

test("a stop may count only one scheduler's decisions: all of them, or those that it names", () => {
  const figures = figuresOf(state(nodes, [web, api]), [
    attempt(cart, { actor: "packer" }),
    attempt(cart, { outcome: "unschedulable", chosen: null }),
    attempt(cart, { actor: "packer", outcome: "unschedulable", chosen: null }),
  ]);
  assert.deepEqual(pauses(figures, { actor: "packer" }), [1, 3]);
  assert.deepEqual(pauses(figures, { actor: "packer", kinds: ["unschedulable"] }), [3]);
  assert.deepEqual(pauses(figures, { actor: "nobody" }), []);
  assert.equal(stopLabel(stop({ actor: "packer" })), "decisions by packer");
  assert.equal(stopLabel(stop({ actor: "packer", kinds: ["placed"] })), "placed by packer");
});

test("a stop has a short name", () => {
  assert.equal(stopLabel(DEFAULT_STOP), "preemption");
  assert.equal(stopLabel(stop({ kinds: ["placed", "again"], node: "a" })), "3 conditions");
});

test("columns of the time line count outcomes and say how many nodes fitted", () => {
  const told = storyFigures();
  const [all] = columnsOf(told, 1);
  assert.deepEqual([all.from, all.to, all.preemptions], [1, 5, 2]);
  assert.deepEqual(all.tones, [2, 2, 1, 0, 0]);
  assert.equal(all.fitting, 0.25);
  assert.equal(columnsOf(told, 100).length, 5);
});

test("victims stay marked in the places that they had", () => {
  const log = story();
  log.fold.moveTo(1);
  const marks = marksOf(log.fold, 1);
  const number = (name) => log.fold.nodeIndex.get(name);
  const named = (pods) => pods.map((i) => log.fold.pods[i].name);
  assert.deepEqual(named(marks.before.get(number("a"))), ["web-1", "cart-1"]);
  assert.deepEqual(named([...marks.victims]), ["web-1"]);
});

test("a node that comes and one that goes are marked at their decision, the one that goes with its pods", () => {
  const tick = (...changes) => ({ kind: "tick", outcome: "ticked", changes: changes.flat() });
  const log = logOf(state(nodes, [web]), [
    tick(appear(node("c"), "nodes")),
    tick(remove(web, 0), vanish(node("a"), "nodes")),
    tick(set("nodes", "b", { unschedulable: false }, { unschedulable: true })),
  ]);
  const { fold } = log;
  const marksAt = (seq) => {
    fold.moveTo(seq);
    const { came, went, before, gone } = marksOf(fold, seq);
    const named = (indices) => [...indices].map((i) => fold.nodes[i].name);
    const pods = [...before].map(([i, on]) => [fold.nodes[i].name, on.map((p) => fold.pods[p].name)]);
    return { present: named(fold.presentNodes()), came: named(came), went: named(went), pods, gone: gone.size };
  };
  assert.deepEqual(marksAt(1), { present: ["a", "b", "c"], came: ["c"], went: [], pods: [], gone: 0 });
  assert.deepEqual(marksAt(2), { present: ["b", "c"], came: [], went: ["a"], pods: [["a", ["web-1"]]], gone: 1 });
  assert.deepEqual(marksAt(3), { present: ["b", "c"], came: [], went: [], pods: [], gone: 0 });
  assert.deepEqual(marksAt(0).present, ["a", "b"]);
});

test("pods that leave one node together are put back each in its place", () => {
  const third = pod("third", { node: "a" });
  const both = [...evict(web, 0, "a", [third, 2]), ...evict(third, 0, "a", [cart, 1])];
  const log = logOf(state(nodes, [web, cart, third, api]), [attempt(api, { changes: [...both, ...bind(api, "a", 1)] })]);
  log.fold.moveTo(1);
  const { before } = marksOf(log.fold, 1);
  const [on] = [...before.values()].map((pods) => pods.map((i) => log.fold.pods[i].name));
  assert.deepEqual([on[0], on.at(-1), [...on].sort()], ["web-1", "third", ["api", "cart-1", "third", "web-1"]]);
});

test("a reprieve sequence says who is out, back or a victim at each step", () => {
  const log = story();
  const reprieve = {
    removed: [ref(web), ref(cart)],
    steps: [
      { pod: ref(cart), outcome: "reprieved" },
      { pod: ref(web), outcome: "victim" },
    ],
  };
  const at = (step) =>
    [...reprieveMarks(log.fold, reprieve, step)].map(([i, mark]) => [log.fold.pods[i].name, mark]).sort();
  assert.deepEqual(at(0), [
    ["cart-1", "out"],
    ["web-1", "out"],
  ]);
  assert.deepEqual(at(1), [
    ["cart-1", "back-now"],
    ["web-1", "out"],
  ]);
  assert.deepEqual(at(2), [
    ["cart-1", "back"],
    ["web-1", "victim-now"],
  ]);
});

test("the legend says of how many equal nodes only the first are marked", () => {
  assert.equal(firstOf(100, 5000), " (the first 100 of 5,000)");
  assert.equal(firstOf(3, 3), "");
  assert.equal(firstOf(undefined, undefined), "");
});

test("parts of a queue come in the scheduler's order, those unknown here last, empty ones not at all", () => {
  const parts = new Map([["stuck", [1]], ["in_flight", [1]], ["gated", []], ["backoff", [1]]]);
  assert.deepEqual(partsToShow(parts), ["active", "backoff", "unschedulable", "in_flight", "stuck"]);
  assert.deepEqual(partsToShow(new Map()), ["active", "unschedulable"]);
});

test("the first few of many come in order without sorting all", () => {
  const many = Array.from({ length: 1000 }, (_, i) => (i * 7919) % 1000);
  assert.deepEqual(
    first(many, 4, (a, b) => a - b),
    [0, 1, 2, 3],
  );
});

/** A socket that a test plays the server of. */
class FakeSocket {
  static OPEN = 1;
  static all = [];

  constructor(url) {
    Object.assign(this, { url: String(url), readyState: 1, sent: [] });
    FakeSocket.all.push(this);
  }

  send(text) {
    this.sent.push(JSON.parse(text));
  }
  close() {
    this.drop(1000);
  }
  say(message) {
    this.onmessage({ data: JSON.stringify(message) });
  }
  drop(code) {
    this.readyState = 3;
    this.onclose({ code });
  }
}

test("pods that never enter the queue are told with what the run says of such pods", () => {
  assert.equal(notTakenWords(1200, []), "1,200 not in the queue");
  const said = notTakenWords(3, ["2 pods with a refusal: exceeding resource quota", "1 pod with devices"]);
  assert.equal(said, "3 not in the queue: 2 pods with a refusal: exceeding resource quota; 1 pod with devices");
  const search = "preemption's search, which ends at 100 candidates of 300 nodes, from a random one on";
  assert.equal(notTakenWords(16, [search]), "16 not in the queue");
  assert.equal(notTakenWords(17, ["1 pod with devices", search]), "17 not in the queue: 1 pod with devices");
});

test("the stream hands on every decision once, in order, over repeats, gaps and breaks", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  globalThis.WebSocket = FakeSocket;
  globalThis.location = { href: "http://here/runs/1/", protocol: "http:" };
  FakeSocket.all = [];
  const seen = [],
    links = [];
  const nothing = () => {};
  const stream = new Stream("/ws/runs/1/", 0, {
    decisions: (items) => seen.push(...items.map(({ seq }) => seq)),
    hello: nothing,
    status: nothing,
    end: nothing,
    link: (link) => links.push(link),
  });
  const items = (...numbers) => ({
    type: "decisions",
    from: numbers[0],
    items: numbers.map((seq) => ({ seq })),
  });
  stream.open();
  FakeSocket.all[0].say({ type: "hello", run: 1, status: "running", decisions: 2 });
  FakeSocket.all[0].say(items(1, 2));
  FakeSocket.all[0].say(items(2, 3));
  FakeSocket.all[0].drop(1006);
  context.mock.timers.tick(500);
  assert.match(FakeSocket.all[1].url, /^ws:\/\/here\/ws\/runs\/1\/\?after=3$/);
  FakeSocket.all[1].say(items(5));
  context.mock.timers.tick(20000);
  FakeSocket.all[2].say(items(4, 5));
  FakeSocket.all[2].say({ type: "end", status: "finished", decisions: 5 });
  FakeSocket.all[2].drop(1000);
  context.mock.timers.tick(60000);
  assert.deepEqual(seen, [1, 2, 3, 4, 5]);
  assert.deepEqual(FakeSocket.all[0].sent.at(-1), { type: "ack", seq: 3 });
  assert.equal(FakeSocket.all.length, 3);
  assert.equal(links.at(-1), "ended");
});
