/* The states of the list of edits that can be brought back, the last first. Edits are never changed in place. */

const MOST = 100;

export class History {
  /** `edits`: the list as it is now. */
  constructor(edits) {
    this.present = [...edits];
    this.past = [];
    this.key = null;
  }

  get isEmpty() {
    return this.past.length === 0;
  }

  /** Note the list after a change. Changes one after another with the same key, as in typing, are one; null is none. */
  note(edits, key = null) {
    if (key === null || key !== this.key) {
      this.past.push(this.present);
      if (this.past.length > MOST) this.past.shift();
    }
    this.present = [...edits];
    this.key = key;
  }

  /** Let the next change be one of its own. */
  part() {
    this.key = null;
  }

  /** Go back by one change and return the list as it was. */
  back() {
    this.present = this.past.pop() ?? this.present;
    this.key = null;
    return this.present;
  }
}
