// Fold the decision log in the browser: the twin of scheduler_core/events/fold.py, held to the same vectors.
//
// In goes the RunState before the first decision; decisions are first packed (packed.js) and then applied or
// reverted by number, so that 100,000 of them cost a few megabytes and a jump of thousands of decisions a few
// milliseconds. Only verbs are known here, on tables and lists of any name: what nodes and pods are says
// cluster.js, what happened to them effects.js.

import { Column, Integers, isSame } from "./columns.js";
import { APPEAR, FIELDS, JOIN, LEAVE, OutOfStep, Packed, PER_FIELD, REPLACE, SET, VANISH } from "./packed.js";
import { Tables } from "./tables.js";

export { OutOfStep };

const NONE = -1;

export class Fold {
  /** @param {LogRunState} runState */
  constructor(runState) {
    this.tables = new Tables(runState);
    this.#holdNothing(runState);
  }

  /** Stand at another state instead, with no decision behind it; tables and rows keep their numbers. */
  begin(runState) {
    this.tables.begin(runState);
    this.#holdNothing(runState);
  }

  #holdNothing({ at, time }) {
    this.at = this.base = at;
    this.changes = new Packed(this.tables);
    this.ends = new Integers();
    this.ends.push(0);
    this.times = new Column(Float64Array);
    this.times.set(0, time ?? NaN);
    /** Who went at each MOVE_ALL that is carried out now, by its place among the changes. */
    this.moved = new Map();
  }

  /** The number of the last packed decision. */
  get head() {
    return this.base + this.ends.length - 1;
  }

  /** The clock in milliseconds since the run's start, null where no clock moves. */
  get time() {
    return this.timeOf(this.at);
  }

  /** The clock after decision `seq`, in milliseconds since the run's start; null where no clock moves. */
  timeOf(seq) {
    const time = this.times.get(seq - this.base);
    return Number.isNaN(time) ? null : time;
  }

  /** The last decision known to be made at an instant or before it; the base where there is none. */
  seqAt(time) {
    let [low, high] = [this.base, this.head];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.timeOf(middle) <= time) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Whether a clock moves in this run. */
  get hasClock() {
    return this.timeOf(this.base) !== null;
  }

  /** Take in the next decision's changes without carrying them out. @param {LogDecision} decision */
  pack(decision) {
    if (decision.seq !== this.head + 1) {
      throw new OutOfStep(`decision ${decision.seq} doesn't follow decision ${this.head}`);
    }
    for (const change of decision.changes) this.changes.push(change);
    this.ends.push(this.changes.end);
    this.times.set(decision.seq - this.base, decision.time ?? NaN);
  }

  /** Move to the state after decision `seq`, in either direction. */
  moveTo(seq) {
    if (seq < this.base || seq > this.head) throw new OutOfStep(`there is no state ${seq} yet`);
    while (this.at < seq) this.#step();
    while (this.at > seq) this.#stepBack();
  }

  apply(decision) {
    if (decision.seq !== this.at + 1) {
      throw new OutOfStep(`decision ${decision.seq} doesn't follow decision ${this.at}`);
    }
    if (decision.seq > this.head) this.pack(decision);
    this.#step();
  }

  revert(decision) {
    if (decision.seq !== this.at) {
      throw new OutOfStep(`decision ${decision.seq} isn't the last one, ${this.at} is`);
    }
    this.#stepBack();
  }

  /**
   * What decision `seq` changed, as the log has it, but for the rows of what appeared or vanished: a table has
   * those, as they are at the decision where the fold stands.
   */
  changesOf(seq) {
    return this.#placesOf(seq).map((i) => this.changes.read(i));
  }

  /** Whether decision `seq` brings, takes or writes into a row: as changesOf, but a thousand of them at no cost. */
  touches(seq, table, row) {
    const { data } = this.ends;
    const end = data[seq - this.base];
    for (let i = data[seq - this.base - 1]; i < end; i = this.changes.after(i))
      if (this.changes.isOfRow(i, table, row)) return true;
    return false;
  }

  /** The present state as a RunState. */
  state() {
    return { at: this.at, time: this.time, ...this.tables.state() };
  }

  // For who keeps something beside the tables; called in whichever direction the fold moves.

  /** A row came. */
  appeared(_table, _i) {}
  /** A row went. */
  vanished(_table, _i) {}
  /** A field of a row was written. */
  wrote(_table, _i, _field) {}

  #placesOf(seq) {
    const { data } = this.ends;
    const end = data[seq - this.base];
    const places = [];
    for (let i = data[seq - this.base - 1]; i < end; i = this.changes.after(i)) places.push(i);
    return places;
  }

  #step() {
    const { data } = this.ends;
    const end = data[this.at - this.base + 1];
    for (let i = data[this.at - this.base]; i < end; i = this.changes.after(i)) this.#carryOut(i);
    this.at += 1;
  }

  #stepBack() {
    const places = this.#placesOf(this.at);
    while (places.length) this.#undo(places.pop());
    this.at -= 1;
  }

  #carryOut(i) {
    const { changes } = this;
    const { data } = changes;
    switch (changes.verbAt(i)) {
      case SET:
        return this.#write(i, 1, 2);
      case APPEAR:
        changes.tableAt(i).rows[data[i + 1]] = changes.tableAt(i).lives[data[i + 2]];
        return this.#bring(changes.tableAt(i), data[i + 1]);
      case VANISH:
        return this.#take(changes.tableAt(i), data[i + 1]);
      case JOIN:
        return this.#join(changes.membersAt(i), data[i + 1], data[i + 2]);
      case LEAVE:
        return this.#leave(changes.membersAt(i), data[i + 1], data[i + 2]);
      case REPLACE:
        this.#leave(changes.membersAt(i), data[i + 1], data[i + 2]);
        changes.membersAt(i).orders.set(data[i + 3], data[i + 2]);
        return;
      default:
        this.#moveAll(i);
    }
  }

  #undo(i) {
    const { changes } = this;
    const { data } = changes;
    switch (changes.verbAt(i)) {
      case SET:
        return this.#write(i, 2, 1);
      case APPEAR:
        this.#take(changes.tableAt(i), data[i + 1]);
        if (data[i + 3] !== NONE) changes.tableAt(i).rows[data[i + 1]] = changes.tableAt(i).lives[data[i + 3]];
        return;
      case VANISH:
        return this.#bring(changes.tableAt(i), data[i + 1]);
      case JOIN:
        return this.#leave(changes.membersAt(i), data[i + 1], data[i + 2]);
      case LEAVE:
        return this.#join(changes.membersAt(i), data[i + 1], data[i + 2]);
      case REPLACE:
        changes.membersAt(i).orders.set(data[i + 3], data[i + 4]);
        return this.#join(changes.membersAt(i), data[i + 1], data[i + 2]);
      default:
        this.#moveBack(i);
    }
  }

  // -- tables ------------------------------------------------------------------------------------------

  /** Write the fields of a row: what it was and what it becomes are `from` and `to` behind each field's name. */
  #write(i, from, to) {
    const { data } = this.changes;
    const { list } = this.tables.values;
    const table = this.changes.tableAt(i);
    const index = data[i + 1];
    if (!table.present[index]) throw isNotThere(table, index);
    const row = table.rows[index];
    for (let at = i + FIELDS, end = this.changes.after(i); at < end; at += PER_FIELD) {
      const field = list[data[at]];
      const was = list[data[at + from]];
      if (row[field] !== was && !isSame(row[field] ?? null, was))
        throw new OutOfStep(`${field} of ${table.ids[index]} in ${table.name} isn't ${JSON.stringify(was)}`);
      row[field] = list[data[at + to]];
      this.wrote(table, index, field);
    }
  }

  #bring(table, i) {
    if (table.present[i]) throw new OutOfStep(`${table.name} has ${table.ids[i]} already`);
    table.present[i] = 1;
    this.appeared(table, i);
  }

  #take(table, i) {
    if (!table.present[i]) throw isNotThere(table, i);
    table.present[i] = 0;
    this.vanished(table, i);
  }

  // -- lists -------------------------------------------------------------------------------------------

  #join(members, id, order) {
    if (members.orders.has(id)) throw this.#misplaced(members, id, "in already");
    members.orders.set(id, order);
    members.version++;
  }

  #leave(members, id, order) {
    if (members.orders.get(id) !== order) throw this.#misplaced(members, id, `not at ${order}`);
    members.orders.delete(id);
    members.version++;
  }

  #misplaced({ list, of }, id, how) {
    return new OutOfStep(`${this.tables.values.list[id]} is ${how}: ${list} of ${of}`);
  }

  #moveAll(i) {
    const { data } = this.changes;
    const [source, target, by, count] = [this.changes.membersAt(i), this.#target(i), data[i + 2], data[i + 4]];
    if (source.orders.size !== count)
      throw new OutOfStep(`${source.list} of ${source.of} has ${source.orders.size} members, not ${count}`);
    this.moved.set(i, [...source.orders.keys()]);
    for (const [id, order] of source.orders) target.orders.set(id, order + by);
    source.orders.clear();
    source.version++;
    target.version++;
  }

  #moveBack(i) {
    const [source, target, by] = [this.changes.membersAt(i), this.#target(i), this.changes.data[i + 2]];
    for (const id of this.moved.get(i)) {
      source.orders.set(id, target.orders.get(id) - by);
      target.orders.delete(id);
    }
    this.moved.delete(i);
    source.version++;
    target.version++;
  }

  #target(i) {
    return this.tables.members[this.changes.data[i + 1]];
  }
}

function isNotThere(table, i) {
  return new OutOfStep(`${table.name} has no ${table.ids[i]}`);
}
