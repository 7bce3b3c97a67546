// What the screens read of a fold: nodes and pods that come and go, who is on which node, who waits where.
import assert from "node:assert/strict";
import test from "node:test";

import { Cluster } from "../../static/js/cluster.js";
import { Loads } from "../../static/js/debugger/map/loads.js";
import { NodeNames } from "../../static/js/debugger/names/node-names.js";
import {
  appear,
  bind,
  evict,
  join,
  leave,
  node,
  nominate,
  pod,
  QUEUE,
  remove,
  set,
  state,
  terminate,
  vanish,
} from "./events.js";

const [web, cart, db] = ["web", "cart", "db"].map((name) => pod(name, { node: "a" }));
const [api, job] = [pod("api", { priority: 10 }), pod("job")];

/** A cluster of two nodes after each of some decisions. */
function clusterOf(...decisions) {
  const queue = { active: { [api.uid]: 1 } };
  const cluster = new Cluster(state([node("a"), node("b")], [web, cart, db, api, job], queue));
  decisions.forEach((changes, i) => cluster.pack({ seq: i + 1, time: null, changes: [changes].flat() }));
  return cluster;
}

const names = (cluster, pods) => [...pods].map((i) => cluster.pods[i].name);
const podsOn = (cluster, name) => names(cluster, cluster.podsOn(cluster.nodeIndex.get(name)));
const index = (cluster, { uid }) => cluster.podIndex.get(uid);

/** What `read` says at every decision, forwards and backwards alike. */
function atEach(cluster, read) {
  const seen = [];
  for (let seq = 0; seq <= cluster.head; seq++) {
    cluster.moveTo(seq);
    seen.push(read(cluster));
  }
  for (let seq = cluster.head; seq >= 0; seq--) {
    cluster.moveTo(seq);
    assert.deepEqual(read(cluster), seen[seq], `back at ${seq}`);
  }
  return seen;
}

test("who is on a node follows the scheduler's own order", () => {
  const cluster = clusterOf(bind(api, "a", 3), evict(web, 0, "a", [{ ...api }, 3]), bind(job, "b"));
  assert.deepEqual(
    atEach(cluster, (now) => [podsOn(now, "a"), podsOn(now, "b")]),
    [
      [["web", "cart", "db"], []],
      [["web", "cart", "db", "api"], []],
      [["api", "cart", "db"], []],
      [["api", "cart", "db"], ["job"]],
    ],
  );
});

test("who waits, who is on the way out, and who is promised what", () => {
  const marked = { ...cart, terminating: true, evicted: true };
  const cluster = clusterOf(
    [...terminate(cart, 1, 3), nominate(api, "", "b")],
    [nominate(api, "b", ""), ...bind(api, "b"), ...remove(marked, 3)],
    [appear(pod("cart-2", { replaces: cart.uid }))],
  );
  assert.deepEqual(
    atEach(cluster, (now) => [names(now, now.waiting).sort(), names(now, now.terminating), now.nominatedTo(index(now, api))]),
    [
      [["api", "job"], [], -1],
      [["api", "job"], ["cart"], 1],
      [["job"], [], -1],
      [["cart-2", "job"], [], -1],
    ],
  );
});

test("pending is who waits in a queue or for a session, as in the outcome of the run", () => {
  const gang = pod("gang-0", { scheduler: "volcano" });
  const queue = { active: { [api.uid]: 1 }, in_flight: { [web.uid]: 2 } };
  const base = state([node("a"), node("b")], [web, api, job, gang, pod("other", { scheduler: "another" })], queue);
  const cluster = new Cluster(base);
  cluster.pack({ seq: 1, time: null, changes: [bind(api, "b"), leave(QUEUE, "active", api, 1)].flat() });
  assert.deepEqual(atEach(cluster, (now) => [now.waiting.size, now.pending]), [[4, 1], [3, 0]], "job is in no queue");
  base.tables.actors = { volcano: { name: "volcano", engine: "volcano-1.16", profiles: ["volcano"] } };
  assert.equal(new Cluster(base).pending, 2);
  assert.equal(cluster.unserved, 0, "a log that names no schedulers doesn't tell");
  assert.equal(new Cluster(base).unserved, 3, "all that wait but for volcano's");
});

test("queues are those of each scheduler, and members are pods by index", () => {
  const cluster = clusterOf([
    leave(QUEUE, "active", api, 1),
    join(QUEUE, "in_flight", api, 2),
    join("queue/batch", "gated", job, 7),
    join("gangs", "g", web, 1),
  ]);
  cluster.moveTo(1);
  const told = cluster.queues().map(({ actor, parts }) => [
    actor,
    [...parts].filter(([, members]) => members.length).map(([part, [[i, order]]]) => [part, cluster.pods[i].name, order]),
  ]);
  assert.deepEqual(told, [
    ["batch", [["gated", "job", 7]]],
    ["default-scheduler", [["in_flight", "api", 2]]],
  ]);
});

test("nodes come and go and keep their index", () => {
  const other = node("c", { labels: { pool: "spot" } });
  const cluster = clusterOf(
    appear(other, "nodes"),
    bind(api, "c"),
    [...remove({ ...api, node: "c" }, 0, "c"), vanish(other, "nodes")],
    appear(other, "nodes"),
  );
  assert.ok(cluster.nodesComeAndGo);
  assert.ok(!clusterOf(bind(api, "b")).nodesComeAndGo);
  assert.deepEqual(
    atEach(cluster, (now) => now.presentNodes()),
    [[0, 1], [0, 1, 2], [0, 1, 2], [0, 1], [0, 1, 2]],
  );
});

test("the map learns by a number that nodes came, went or changed, in both directions", () => {
  const cluster = clusterOf(bind(api, "b"), set("nodes", "a", { labels: {} }, { labels: { pool: "x" } }));
  const before = cluster.nodesVersion;
  cluster.moveTo(1);
  assert.equal(cluster.nodesVersion, before);
  cluster.moveTo(2);
  const changed = cluster.nodesVersion;
  assert.notEqual(changed, before);
  cluster.moveTo(1);
  assert.notEqual(cluster.nodesVersion, changed);
});

test("what a node's pods ask for follows those who come and go, and a pod that is resized", () => {
  const cluster = clusterOf(
    bind(api, "a", 3),
    set("pods", web.uid, { requests: { cpu: 100 } }, { requests: { cpu: 700 } }),
    evict({ ...web, requests: { cpu: 700 } }, 0, "a", [api, 3]),
    set("nodes", "a", { allocatable: { cpu: 1000 } }, { allocatable: { cpu: 2000 } }),
  );
  const loads = new Loads(cluster);
  assert.deepEqual(
    atEach(cluster, () => [loads.requested(0).cpu, loads.share(0, "cpu")]),
    [
      [300, 0.3],
      [400, 0.4],
      [1000, 1],
      [300, 0.3],
      [300, 0.15],
    ],
  );
});

test("a pod's row has the values of the decision, also of a pod that has gone or is still to come", () => {
  const copy = pod("web-2", { replaces: web.uid });
  const cluster = clusterOf([...evict(web, 0, "a", [db, 2]), appear(copy)], bind(copy, "b"));
  const told = ({ pods }, { uid }) => [cluster.hasPod(cluster.podIndex.get(uid)), pods[cluster.podIndex.get(uid)].node];
  assert.deepEqual(
    atEach(cluster, (now) => [told(now, web), told(now, copy)]),
    [
      [[true, "a"], [false, ""]],
      [[false, "a"], [true, ""]],
      [[false, "a"], [true, "b"]],
    ],
  );
});

test("a node that comes later can be named by its short name", () => {
  const whole = ["ip-10-0-1-1.eu.internal", "ip-10-0-1-2.eu.internal"];
  const known = new NodeNames(whole, { wholeNames: false });
  const short = known.short("ip-10-0-7-9.eu.internal");
  known.learn(["ip-10-0-7-9.eu.internal"]);
  assert.equal(known.whole(short), "ip-10-0-7-9.eu.internal");
});
