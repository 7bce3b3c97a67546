// The changes of a log as one run of integers: what is packed, and how it is read again.
//
// The first integer of a change is its verb and, above that, the number of its table or of its members; then come
//
//   SET      row, number of fields, and for each: field, old value, new value
//   APPEAR   row, its life, the life before that
//   VANISH   row                           (what it was at the end is what the fold has then)
//   JOIN     id, order
//   LEAVE    id, order
//   REPLACE  id, order, and who fills it: id, order before that      (a LEAVE with a filler)
//   MOVE_ALL members, by, first, count

import { Integers } from "./columns.js";

export const SET = 0,
  APPEAR = 1,
  VANISH = 2,
  JOIN = 3,
  LEAVE = 4,
  REPLACE = 5,
  MOVE_ALL = 6;
const NAMES = ["set", "appear", "vanish", "join", "leave", "leave", "move_all"];
const LENGTH = [3, 4, 2, 3, 3, 5, 5];
export const FIELDS = LENGTH[SET];
export const PER_FIELD = 3;
const VERB_BITS = 3,
  VERB = (1 << VERB_BITS) - 1;

export class OutOfStep extends Error {}

export class Packed {
  constructor(tables) {
    this.tables = tables;
    this.run = new Integers();
    /** The tables whose rows come or go. */
    this.turnovers = new Set();
  }

  get data() {
    return this.run.data;
  }

  /** Where the next change will be. */
  get end() {
    return this.run.length;
  }

  verbAt(i) {
    return this.run.data[i] & VERB;
  }

  tableAt(i) {
    return this.tables.all[this.run.data[i] >> VERB_BITS];
  }

  membersAt(i) {
    return this.tables.members[this.run.data[i] >> VERB_BITS];
  }

  /** Where the change after the one at `i` is. */
  after(i) {
    const verb = this.verbAt(i);
    return i + LENGTH[verb] + (verb === SET ? PER_FIELD * this.run.data[i + 2] : 0);
  }

  /** Whether the change at `i` is one of this row. */
  isOfRow(i, table, row) {
    return this.run.data[i + 1] === row && this.verbAt(i) <= VANISH && this.tableAt(i) === table;
  }

  push(change) {
    const { list, of, id, order } = change;
    switch (change.verb) {
      case "set":
        return this.#pushSet(change);
      case "appear": {
        this.turnovers.add(change.table);
        const { i, life, before } = this.tables.table(change.table).expect(id, change.row);
        return this.#push(APPEAR, this.tables.table(change.table), i, life, before);
      }
      case "vanish":
        this.turnovers.add(change.table);
        return this.#push(VANISH, this.tables.table(change.table), this.#row(change));
      case "join":
        return this.#push(JOIN, this.tables.membersOf(list, of), this.#number(id), order);
      case "leave":
        return this.#pushLeave(change);
      case "move_all": {
        const to = this.tables.membersOf(list, change.to).number;
        return this.#push(MOVE_ALL, this.tables.membersOf(list, of), to, change.by, change.first, change.count);
      }
      default:
        throw new OutOfStep(`there is no verb ${change.verb}`);
    }
  }

  #push(verb, { number }, ...rest) {
    this.run.push(verb | (number << VERB_BITS), ...rest);
  }

  #pushSet({ table, id, old, new: values }) {
    const fields = Object.keys(values);
    this.#push(SET, this.tables.table(table), this.#row({ table, id }), fields.length);
    for (const field of fields)
      this.run.push(this.#number(field), this.#number(old[field] ?? null), this.#number(values[field] ?? null));
  }

  #pushLeave({ list, of, id, order, filler }) {
    const members = this.tables.membersOf(list, of);
    if (!filler) this.#push(LEAVE, members, this.#number(id), order);
    else this.#push(REPLACE, members, this.#number(id), order, this.#number(filler.id), filler.order);
  }

  #row({ table, id }) {
    const i = this.tables.table(table).index.get(id);
    if (i === undefined) throw new OutOfStep(`${table} has no ${id}`);
    return i;
  }

  #number(value) {
    return this.tables.values.number(value);
  }

  /** The change at `i` as the log has it, but for the row of what appears or vanishes. */
  read(i) {
    const verb = this.verbAt(i);
    const [, first, second, third, fourth] = this.run.data.subarray(i, i + LENGTH[verb]);
    if (verb <= VANISH) {
      const table = this.tableAt(i);
      const change = { verb: NAMES[verb], table: table.name, id: table.ids[first] };
      return verb === SET ? { ...change, ...this.#fieldsAt(i) } : change;
    }
    const { list, of } = this.membersAt(i);
    const change = { verb: NAMES[verb], list, of };
    if (verb === MOVE_ALL)
      return { ...change, to: this.tables.members[first].of, by: second, first: third, count: fourth };
    const { list: ids } = this.tables.values;
    Object.assign(change, { id: ids[first], order: second });
    if (verb === REPLACE) change.filler = { id: ids[third], order: fourth };
    return change;
  }

  #fieldsAt(i) {
    const { list } = this.tables.values;
    const [old, values] = [{}, {}];
    for (let at = i + FIELDS, end = this.after(i); at < end; at += PER_FIELD) {
      const [field, was, is] = this.run.data.subarray(at, at + PER_FIELD);
      old[list[field]] = list[was];
      values[list[field]] = list[is];
    }
    return { old, new: values };
  }
}
