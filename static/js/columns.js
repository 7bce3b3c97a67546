// What a log is kept in: typed columns that grow, and values by number, so that each is there only once.

/** A growing typed column: one figure for each decision, by sequence number, from `origin` on. */
export class Column {
  constructor(Type, origin = 0) {
    this.data = new Type(1024);
    this.origin = origin;
  }

  set(index, value) {
    const place = index - this.origin;
    if (place >= this.data.length) {
      const larger = new this.data.constructor(Math.max(this.data.length * 2, place + 1));
      larger.set(this.data);
      this.data = larger;
    }
    this.data[place] = value;
  }

  get(index) {
    return this.data[index - this.origin];
  }
}

/** A growing row of 32-bit integers. */
export class Integers {
  constructor(size = 1024) {
    this.data = new Int32Array(size);
    this.length = 0;
  }

  push(...values) {
    if (this.length + values.length > this.data.length) {
      const larger = new Int32Array(Math.max(this.data.length * 2, this.length + values.length));
      larger.set(this.data);
      this.data = larger;
    }
    for (const value of values) this.data[this.length++] = value;
  }
}

/** Plain values of JSON by number; equal ones have the same. */
export class Values {
  constructor() {
    this.list = [];
    this.numbers = new Map();
    this.texts = new Map();
  }

  number(value) {
    const isObject = typeof value === "object" && value !== null;
    const known = isObject ? this.texts : this.numbers;
    const key = isObject ? JSON.stringify(value) : value;
    let number = known.get(key);
    if (number === undefined) {
      number = this.list.push(value) - 1;
      known.set(key, number);
    }
    return number;
  }
}

/** Whether two plain values of JSON are equal; the order of an object's keys is of no matter. */
export function isSame(a, b) {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  const keys = Object.keys(a);
  if (Array.isArray(a) !== Array.isArray(b) || keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key]));
}
