// Devices of claims: what nodes offer, who holds what, and what can't be given because of others.
import assert from "node:assert/strict";
import test from "node:test";

import { claimSentences } from "../../static/js/decisions/attempt-claims.js";
import { claimsHolding, deviceOf, devicesOn, hasDevices, podsHolding, takenBy } from "../../static/js/schedulers/devices/rows.js";
import { Cluster } from "../../static/js/cluster.js";
import { DevicesOnMap } from "../../static/js/schedulers/devices/devices-on-map.js";
import { node, pod, state } from "./events.js";

const DRIVER = "gpu.example.com";
const device = (name, consumes = {}) => ({ name, model: "A100", capacity: {}, tainted: false, consumes });
const slice = (name, fields) => ({ name, node: "a", driver: DRIVER, pool: "a", generation: 1, devices: [], counters: {}, ...fields });
const given = (name) => ({ request: "card", driver: DRIVER, pool: "a", device: name, admin: false, consumed: {} });
const key = (name) => `${DRIVER}/a/${name}`;
const free = { pods: [], allocated: false, devices: [] };

/** A card that can be given whole or in two parts; decision 1 gives a part of it to a claim. */
function fold() {
  const waiting = pod("waiting");
  const base = state([node("a")], [waiting]);
  base.tables.slices = {
    old: slice("old", { generation: 0, devices: [device("gone")] }),
    parts: slice("parts", { devices: [device("whole", { "card/parts": 2 }), device("part-0", { "card/parts": 1 }), device("part-1", { "card/parts": 1 })] }),
    shared: slice("shared", { counters: { "card/parts": 2 } }),
  };
  base.tables.claims = { "default/x": { namespace: "default", name: "x", owner: "", ...free } };
  const cluster = new Cluster(base);
  const held = { pods: [waiting.uid], allocated: true, devices: [given("part-0")] };
  cluster.apply({ seq: 1, time: null, changes: [{ verb: "set", table: "claims", id: "default/x", old: free, new: held }] });
  return cluster;
}

test("a node offers the devices of the newest slices, and a held part blocks the whole", () => {
  const cluster = fold();
  assert.ok(hasDevices(cluster));
  assert.deepEqual(devicesOn(cluster, "a").map(({ device: name, blocked }) => [name, blocked]), [["whole", true], ["part-0", false], ["part-1", false]]);
  assert.equal(deviceOf(cluster, key("gone")), null);
});

test("devices that overlap can't all be given, and the tile says at most", () => {
  const cluster = fold();
  const map = () => new DevicesOnMap({ fold: cluster, reading: {} });
  assert.equal(map().shareWords(0), "1 of 3 free", "one part is held, the other stands by itself");
  cluster.moveTo(0);
  assert.deepEqual(devicesOn(cluster, "a").map(({ overlaps }) => overlaps), [true, true, true]);
  assert.equal(map().shareWords(0), "≤ 3 of 3 free");
});

test("a decision gives a claim its device, and stepping back takes it away", () => {
  const cluster = fold();
  assert.deepEqual([...takenBy(cluster, 1).keys()], [key("part-0")]);
  assert.deepEqual(claimsHolding(cluster, key("part-0")).map(({ claim }) => claim), ["default/x"]);
  assert.equal(podsHolding(cluster, key("part-0")).length, 1);
  cluster.moveTo(0);
  assert.deepEqual(claimsHolding(cluster, key("part-0")), []);
  assert.deepEqual(devicesOn(cluster, "a").map(({ blocked }) => blocked), [false, false, false]);
});

test("an attempt says what each claim is given or has", () => {
  const claims = [{ claim: "x", new: true, devices: [given("part-0")] }, { claim: "y", new: false, devices: [] }];
  assert.deepEqual(claimSentences({ claims }), [`Claim x is given ${key("part-0")} (card).`, "Claim y already has no device."]);
  assert.deepEqual(claimSentences({}), []);
});
