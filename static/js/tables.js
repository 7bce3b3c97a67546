// What a fold keeps: tables of rows and lists of members, of any name, everything in them by number. Who reads a
// table or list that isn't there gets an empty one.

import { Values } from "./columns.js";

const NONE = -1;

/** Rows by index, in the order in which the log names them; one whose `present` is 0 isn't there now. */
export class Table {
  constructor(name, number) {
    Object.assign(this, { name, number });
    this.ids = [];
    this.index = new Map();
    this.rows = [];
    this.present = [];
    /** Every row that an id has had: one that comes again may come as another. */
    this.lives = [];
    this.lastLife = [];
  }

  /** Note a row that comes sooner or later: {i, life, before: the life that the id had until then, or -1}. */
  expect(id, row) {
    const life = this.lives.push({ ...row }) - 1;
    if (!this.index.has(id)) this.#know(id, this.lives[life]);
    const i = this.index.get(id);
    const before = this.lastLife[i];
    this.lastLife[i] = life;
    return { i, life, before };
  }

  /** Have a row now. */
  bring(id, row) {
    const { i, life } = this.expect(id, row);
    this.rows[i] = this.lives[life];
    this.present[i] = 1;
  }

  /** Have no rows; each id keeps its index, and the last row that it had. */
  clear() {
    this.present.fill(0);
    this.lives = [];
    this.lastLife.fill(NONE);
  }

  #know(id, row) {
    this.index.set(id, this.ids.push(id) - 1);
    this.rows.push(row);
    this.present.push(0);
    this.lastLife.push(NONE);
  }

  /** The rows that are there now, by id. */
  state() {
    const there = [...this.index].filter(([, i]) => this.present[i]).sort(byName);
    return Object.fromEntries(there.map(([id, i]) => [id, { ...this.rows[i] }]));
  }
}

/** The members of one list: orders by the number of the id. `version` grows whenever they change. */
export class Members {
  constructor(list, of, number) {
    Object.assign(this, { list, of, number, orders: new Map(), version: 0 });
  }
}

export class Tables {
  constructor({ tables, lists }) {
    this.values = new Values();
    this.all = [];
    this.numbers = new Map();
    this.members = [];
    this.lists = new Map();
    this.#fillAll({ tables, lists });
  }

  /** Hold another state instead; what has a number keeps it, values that nothing holds any more are forgotten. */
  begin(runState) {
    for (const table of this.all) table.clear();
    this.values = new Values();
    for (const members of this.members) {
      members.orders.clear();
      members.version++;
    }
    this.#fillAll(runState);
  }

  /** The table of a name. */
  table(name) {
    let number = this.numbers.get(name);
    if (number === undefined) {
      number = this.all.push(new Table(name, this.all.length)) - 1;
      this.numbers.set(name, number);
    }
    return this.all[number];
  }

  /** The members of the list of a name that is of something. */
  membersOf(list, of) {
    if (!this.lists.has(list)) this.lists.set(list, new Map());
    const lists = this.lists.get(list);
    if (!lists.has(of)) {
      lists.set(of, new Members(list, of, this.members.length));
      this.members.push(lists.get(of));
    }
    return lists.get(of);
  }

  /** The ids in a list with their orders, in no order: [[id, order]]. */
  entries({ orders }) {
    return Array.from(orders, ([number, order]) => [this.values.list[number], order]);
  }

  /** The ids in a list, in no order. */
  *ids({ orders }) {
    for (const number of orders.keys()) yield this.values.list[number];
  }

  /** What there is now, as in a RunState: no empty tables, no empty lists. */
  state() {
    const tables = this.all.filter(({ present }) => present.includes(1));
    const lists = [...this.lists].map(([name, members]) => [name, this.#filled(members)]);
    const filled = lists.filter(([, members]) => members.length);
    return {
      tables: Object.fromEntries(tables.map((table) => [table.name, table.state()]).sort(byName)),
      lists: Object.fromEntries(filled.map(([name, members]) => [name, Object.fromEntries(members)]).sort(byName)),
    };
  }

  #filled(members) {
    const filled = [...members.values()].filter(({ orders }) => orders.size);
    return filled.map((one) => [one.of, Object.fromEntries(this.entries(one).sort(byOrder))]).sort(byName);
  }

  #fillAll({ tables, lists }) {
    for (const name in tables) this.#begin(this.table(name), tables[name]);
    for (const name in lists) for (const of in lists[name]) this.#fill(this.membersOf(name, of), lists[name][of]);
  }

  #begin(table, rows) {
    for (const id in rows) table.bring(id, rows[id]);
  }

  #fill(members, orders) {
    for (const id in orders) members.orders.set(this.values.number(id), orders[id]);
  }
}

/** @type {(one: any[], other: any[]) => number} */
function byName([a], [b]) {
  return a < b ? -1 : 1;
}

/** Members in the order of their numbers. @type {(one: any[], other: any[]) => number} */
export function byOrder([, a], [, b]) {
  return a - b;
}
