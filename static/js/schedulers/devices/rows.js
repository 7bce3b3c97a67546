// What a fold holds of devices that ResourceClaims are given: those that drivers offer on nodes, and which claims and pods hold
// them. The only place that knows these tables by name. Pure.

export const CLAIMS = "claims",
  SLICES = "slices";
const offeredIn = new WeakMap(),
  heldIn = new WeakMap();

/** Whether a run plays claims and some driver offers devices. */
export function hasDevices(fold) {
  return fold.tables.table(SLICES).ids.length > 0;
}

/** The key of a device: driver, pool and its name, as kube-scheduler writes it. */
export function deviceKey({ driver, pool, device }) {
  return `${driver}/${pool}/${device}`;
}

/** The devices of a node, by name: rows with `key`, in the order of their pools. Of a pool the newest slices count. */
export function devicesOn(fold, node) {
  return offered(fold).get(node) ?? [];
}

/** The device of a key, or null for one that no slice offers now. */
export function deviceOf(fold, key) {
  for (const devices of offered(fold).values()) {
    const found = devices.find((one) => one.key === key);
    if (found) return found;
  }
  return null;
}

/** The claims that hold a device now: [{claim, pods: uids, admin}]. */
export function claimsHolding(fold, key) {
  return held(fold).get(key) ?? [];
}

/** The pods, by their index, that a device is reserved for now. */
export function podsHolding(fold, key) {
  const uids = claimsHolding(fold, key).flatMap(({ pods }) => pods);
  return [...new Set(uids)].map((uid) => fold.podIndex.get(uid)).filter((pod) => pod !== undefined);
}

/** The keys of the devices that claims got with decision `seq`, at which the fold is: Map(key -> claim). */
export function takenBy(fold, seq) {
  const taken = new Map();
  if (seq <= fold.base) return taken;
  const { index, rows, present } = fold.tables.table(CLAIMS);
  for (const { verb, table, id, old } of fold.changesOf(seq)) {
    if (table !== CLAIMS || verb === "vanish" || !present[index.get(id)]) continue;
    if (verb === "set" && old.allocated !== false) continue;
    for (const device of rows[index.get(id)].devices) taken.set(deviceKey(device), id);
  }
  return taken;
}

function now(fold, name) {
  const { ids, rows, present } = fold.tables.table(name);
  return ids.map((id, i) => ({ id, row: rows[i], isThere: present[i] })).filter(({ isThere }) => isThere);
}

/** The devices of each node at the reader's decision. */
function offered(fold) {
  const kept = offeredIn.get(fold);
  if (kept?.at === fold.at) return kept.byNode;
  const slices = now(fold, SLICES).map(({ row }) => row);
  const newest = new Map();
  for (const { driver, pool, generation } of slices) newest.set(`${driver}/${pool}`, Math.max(generation, newest.get(`${driver}/${pool}`) ?? 0));
  const byNode = new Map();
  for (const { node, driver, pool, generation, devices } of slices) {
    if (!node || generation < newest.get(`${driver}/${pool}`)) continue;
    if (!byNode.has(node)) byNode.set(node, []);
    const on = byNode.get(node);
    for (const { name, ...said } of devices) on.push({ node, driver, pool, device: name, index: on.length, key: deviceKey({ driver, pool, device: name }), ...said });
  }
  block(fold, slices.filter(({ driver, pool, generation }) => generation === newest.get(`${driver}/${pool}`)), [...byNode.values()].flat());
  offeredIn.set(fold, { at: fold.at, byNode });
  return byNode;
}

/**
 * Note of free devices whether too little is left of the counters that they share with others of their pool (`blocked`), and
 * whether too little is left for all of those together that can still be given (`overlaps`).
 */
function block(fold, slices, devices) {
  const left = new Map();
  for (const { driver, pool, counters } of slices)
    for (const [name, amount] of Object.entries(counters)) left.set(`${driver}/${pool}/${name}`, amount);
  const each = ({ driver, pool, consumes }) => Object.entries(consumes).map(([name, amount]) => [`${driver}/${pool}/${name}`, amount]);
  const isHeld = ({ key }) => claimsHolding(fold, key).some(({ admin }) => !admin);
  for (const device of devices.filter(isHeld)) for (const [name, amount] of each(device)) left.set(name, (left.get(name) ?? 0) - amount);
  for (const device of devices) device.blocked = !isHeld(device) && each(device).some(([name, amount]) => (left.get(name) ?? 0) < amount);
  const open = devices.filter((device) => !device.blocked && !device.tainted && !isHeld(device));
  const wanted = new Map();
  for (const device of open) for (const [name, amount] of each(device)) wanted.set(name, (wanted.get(name) ?? 0) + amount);
  for (const device of devices) device.overlaps = open.includes(device) && each(device).some(([name]) => wanted.get(name) > (left.get(name) ?? 0));
}

/** Which claims hold which device at the reader's decision. */
function held(fold) {
  const kept = heldIn.get(fold);
  if (kept?.at === fold.at) return kept.byDevice;
  const byDevice = new Map();
  for (const { id, row } of now(fold, CLAIMS))
    for (const device of row.devices) {
      const key = deviceKey(device);
      if (!byDevice.has(key)) byDevice.set(key, []);
      byDevice.get(key).push({ claim: id, pods: row.pods, admin: device.admin });
    }
  heldIn.set(fold, { at: fold.at, byDevice });
  return byDevice;
}
