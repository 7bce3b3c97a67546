// Logs by chance, of all six verbs on a few tables and lists, with the state after each decision as plain copies
// tell it: what a fold is compared with. The same seed gives the same log.

import { filled } from "./events.js";

const TABLES = ["nodes", "pods", "cards"];
const LISTS = { node_pods: ["n1", "n2"], "queue/one": ["active", "backoff"], gangs: ["g"] };
const FIELDS = {
  node: ["", "n1", "n2"],
  terminating: [true, false],
  labels: [{}, { app: "a" }, { app: "b", tier: "c" }],
  start_time: [null, "2026-06-01T00:00:00Z"],
};

/** {base, decisions, states by number}; each decision has up to six changes. */
export function randomLog(seed, length) {
  const world = new World(chance(seed));
  for (let i = 0; i < 12; i++) world.change();
  const base = world.state(0);
  const decisions = [];
  const states = { 0: base };
  for (let seq = 1; seq <= length; seq++) {
    const changes = Array.from({ length: world.below(7) }, () => world.change()).filter(Boolean);
    decisions.push({ seq, time: seq * 10, kind: "attempt", changes });
    states[seq] = world.state(seq);
  }
  return { base, decisions, states };
}

class World {
  constructor(random) {
    this.random = random;
    this.orders = 0;
    this.tables = Object.fromEntries(TABLES.map((name) => [name, {}]));
    this.lists = Object.fromEntries(Object.keys(LISTS).map((name) => [name, {}]));
  }

  below(number) {
    return Math.floor(this.random() * number);
  }

  pick(items) {
    return items[this.below(items.length)];
  }

  state(seq) {
    const lists = Object.entries(this.lists).map(([name, members]) => [name, filled(members)]);
    const { tables } = this;
    const now = { tables: filled(tables), lists: filled(Object.fromEntries(lists)) };
    return { at: seq, time: seq ? seq * 10 : null, ...structuredClone(now) };
  }

  /** One change, carried out; null where chance asks for what isn't possible. */
  change() {
    const make = this.pick(["set", "set", "appear", "appear", "vanish", "join", "join", "join", "leave", "move_all"]);
    return make === "move_all" ? this.moveAll() : this[make](this.pick(make === "join" || make === "leave" ? Object.keys(LISTS) : TABLES));
  }

  set(table) {
    const id = this.pick(Object.keys(this.tables[table]));
    if (!id) return null;
    const [old, values] = [{}, {}];
    for (const field of Object.keys(FIELDS).slice(this.below(3))) {
      old[field] = this.tables[table][id][field];
      values[field] = this.pick(FIELDS[field]);
    }
    Object.assign(this.tables[table][id], structuredClone(values));
    return { verb: "set", table, id, old: structuredClone(old), new: values };
  }

  /** Ids are few, so that what went comes again. */
  appear(table) {
    const id = `${table}-${this.below(6)}`;
    if (id in this.tables[table]) return null;
    const row = Object.fromEntries(Object.keys(FIELDS).map((field) => [field, this.pick(FIELDS[field])]));
    this.tables[table][id] = structuredClone(row);
    return { verb: "appear", table, id, row: structuredClone(row) };
  }

  vanish(table) {
    const id = this.pick(Object.keys(this.tables[table]));
    if (!id) return null;
    const row = structuredClone(this.tables[table][id]);
    delete this.tables[table][id];
    return { verb: "vanish", table, id, row };
  }

  join(list) {
    const of = this.pick(LISTS[list]);
    const id = `pods-${this.below(6)}`;
    const members = (this.lists[list][of] ??= {});
    if (id in members) return null;
    members[id] = this.orders++;
    return { verb: "join", list, of, id, order: members[id] };
  }

  /** The last member takes the place of one that left, or nobody does. */
  leave(list) {
    const of = this.pick(LISTS[list]);
    const members = this.lists[list][of] ?? {};
    const id = this.pick(Object.keys(members));
    if (!id) return null;
    const order = members[id];
    delete members[id];
    const last = Object.keys(members).sort((a, b) => members[b] - members[a])[0];
    const fills = last && members[last] > order && this.below(2);
    const change = { verb: "leave", list, of, id, order, filler: fills ? { id: last, order: members[last] } : null };
    if (fills) members[last] = order;
    return change;
  }

  moveAll() {
    const [list, from, to] = ["queue/one", ...this.pick([["active", "backoff"], ["backoff", "active"]])];
    const moved = Object.entries(this.lists[list][from] ?? {});
    const target = (this.lists[list][to] ??= {});
    if (moved.some(([id]) => id in target)) return null;
    const by = this.orders;
    for (const [id, order] of moved) target[id] = order + by;
    this.orders = Math.max(by, ...Object.values(target)) + 1;
    const first = Math.min(...moved.map(([, order]) => order + by), this.orders);
    this.lists[list][from] = {};
    return { verb: "move_all", list, of: from, to, by, first, count: moved.length };
  }
}

/** Numbers from 0 to 1 by a linear congruential generator. */
function chance(seed) {
  let number = seed;
  return () => {
    number = (Math.imul(number, 1664525) + 1013904223) >>> 0;
    return number / 2 ** 32;
  };
}
