// Short names of nodes: what is cut from the names that clouds give, and what never is.
import assert from "node:assert/strict";
import test from "node:test";

import { commonParts, NodeNames, shortened } from "../../static/js/debugger/names/node-names.js";

const shorts = (...names) => {
  const common = commonParts(names);
  return names.map((name) => shortened(name, common));
};
const aws = (host, region = "eu-central-1") => `ip-10-${host}.${region}.compute.internal`;
const several = (many, name) => Array.from({ length: many }, (_, i) => name(i + 1));

test("of AWS names the address within the network is left", () => {
  assert.deepEqual(shorts(aws("0-12-34"), aws("0-12-35"), aws("0-13-34")), ["12-34", "12-35", "13-34"]);
  assert.deepEqual(shorts(aws("0-12-34"), aws("1-12-34")), ["0-12-34", "1-12-34"]);
  assert.deepEqual(commonParts([aws("0-12-34"), aws("0-13-34")]), {
    head: "ip-10-0-",
    tail: ".eu-central-1.compute.internal",
  });
});

test("at least two parts are left, also where only the last one differs", () => {
  assert.deepEqual(shorts(aws("0-12-34"), aws("0-12-35")), ["12-34", "12-35"]);
  assert.deepEqual(shorts("gke-prod-pool-1-2f3c4d5e-x7k2", "gke-prod-pool-1-2f3c4d5e-b9z1"), [
    "2f3c4d5e-x7k2",
    "2f3c4d5e-b9z1",
  ]);
  assert.deepEqual(shorts("aks-nodepool1-12345678-vmss000001", "aks-nodepool1-12345678-vmss00000a"), [
    "12345678-vmss000001",
    "12345678-vmss00000a",
  ]);
});

test("pools stay in the names that they tell apart", () => {
  assert.deepEqual(shorts("gke-prod-web-1-2f3c4d5e-x7k2", "gke-prod-gpu-9a8b7c6d-b9z1"), [
    "web-1-2f3c4d5e-x7k2",
    "gpu-9a8b7c6d-b9z1",
  ]);
});

test("short names stay whole", () => {
  for (const names of [several(8, (i) => `node-${i}`), ["a", "b"], ["worker01", "worker02"], [aws("0-1-2")], []])
    assert.deepEqual(shorts(...names), names);
});

test("of names that are prefixes of each other two parts are left in the shortest", () => {
  assert.deepEqual(shorts("node", "node-1", "node-1-1"), ["node", "node-1", "node-1-1"]);
  assert.deepEqual(shorts("eu-big-node", "eu-big-node-1"), ["big-node", "big-node-1"]);
});

test("regions stay whole where they tell nodes apart", () => {
  assert.deepEqual(shorts(aws("0-1-5"), aws("0-2-6", "us-east-1")), ["1-5.eu-central-1", "2-6.us-east-1"]);
});

test("a domain goes as a whole, whatever the hosts are called", () => {
  assert.deepEqual(shorts("worker01.prod.example.com", "db.prod.example.com"), ["worker01", "db"]);
  assert.deepEqual(shorts("node-1.local", "node-2.local"), ["node-1", "node-2"]);
});

test("an end that all share is cut before the beginning", () => {
  assert.deepEqual(shorts("web-1-eu-worker", "web-2-eu-worker"), ["web-1", "web-2"]);
});

test("a few odd names don't undo the cut", () => {
  const usual = several(9, (i) => aws(`0-12-${i}`));
  const added = ["gpu-new", `fargate-${aws("0-12-7")}`];
  assert.deepEqual(shorts(...usual, ...added).slice(-3), ["12-9", "gpu-new", "fargate-ip-10-0-12-7"]);
});

test("clones of a node read like the node with their number", () => {
  const clones = several(12, (i) => `${aws("0-12-34")}-${i}`);
  assert.deepEqual(shorts(aws("0-12-34"), aws("0-13-2"), ...clones).slice(0, 4), [
    "12-34",
    "13-2",
    "12-34-1",
    "12-34-2",
  ]);
});

test("nothing is cut if two nodes would be called the same", () => {
  const names = [...several(9, (i) => aws(`0-12-${i}`)), "12-3"];
  assert.deepEqual(shorts(...names), names);
});

test("1,523 names are cut alike and stay apart", () => {
  const names = several(1523, (i) => `openb-node-${String(i).padStart(4, "0")}`);
  const found = shorts(...names);
  assert.equal(found[0], "node-0001");
  assert.equal(new Set(found).size, 1523);
});

test("the reader has the whole names back, and finds nodes by either", () => {
  const reading = { wholeNames: false };
  const names = new NodeNames([aws("0-12-34"), aws("0-13-34")], reading);
  assert.equal(names.shown(aws("0-12-34")), "12-34");
  assert.equal(names.whole("12-34"), aws("0-12-34"));
  assert.equal(names.whole(aws("0-12-34")), aws("0-12-34"));
  assert.equal(names.whole("elsewhere"), "elsewhere");
  reading.wholeNames = true;
  assert.equal(names.shown(aws("0-12-34")), aws("0-12-34"));
  assert.equal(names.short(aws("0-12-34")), "12-34");
});

test("there is nothing to undo where nothing is cut", () => {
  assert.equal(new NodeNames(["node-1", "node-2"], {}).isCuttable, false);
  assert.equal(new NodeNames(["eu-node-1", "eu-node-2"], {}).isCuttable, true);
});

test("hosts of two clouds lose the domain that those with one share", () => {
  const aws = ["12-34", "12-35", "7-8"].map((end) => `ip-10-0-${end}.eu-west-1.compute.internal`);
  const gke = ["a1b2", "c3d4", "e5f6"].map((end) => `gke-prod-pool-1-${end}`);
  assert.deepEqual(commonParts([...aws, ...gke]), { head: "", tail: ".eu-west-1.compute.internal" });
  assert.equal(commonParts([...gke, ...gke.map((name) => `${name}x`), aws[0]]).tail, "");
});
