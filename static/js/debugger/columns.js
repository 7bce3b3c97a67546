// A growing typed column: one figure for each decision, by sequence number.

export class Column {
  constructor(Type, size = 1024) {
    this.data = new Type(size);
  }

  set(index, value) {
    if (index >= this.data.length) {
      const larger = new this.data.constructor(Math.max(this.data.length * 2, index + 1));
      larger.set(this.data);
      this.data = larger;
    }
    this.data[index] = value;
  }

  get(index) {
    return this.data[index];
  }
}
