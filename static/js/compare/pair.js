// Both logs as one, for whoever moves through them: it begins where both begin and ends where the longer one
// does. A decision number beyond the shorter log leaves that run at its end. Pure.

import { count } from "../debugger/words/units.js";

export class Pair {
  /** `sides`: {log: {first, head}, expected: how many decisions there are, once known, isRead} */
  constructor(sides) {
    this.sides = sides;
  }

  get logs() {
    return this.sides.map(({ log }) => log);
  }

  get first() {
    return Math.min(...this.logs.map((log) => log.first));
  }

  /** The last decision that both have. */
  get common() {
    return Math.min(...this.logs.map((log) => log.head));
  }

  get head() {
    return Math.max(...this.logs.map((log) => log.head));
  }

  /** Both are held whole. */
  get start() {
    return this.first;
  }

  get end() {
    return this.head;
  }

  get isFromStart() {
    return true;
  }

  holds(seq) {
    return seq >= this.first && seq <= this.head;
  }

  /** The last decision that there will be once both logs are read. */
  get expected() {
    return Math.max(this.head, ...this.sides.map(({ expected }) => expected ?? 0));
  }

  /** Whether both sides can show a decision: its number is read, or their log is shorter. */
  has(seq) {
    return this.sides.every(({ log, isRead }) => isRead || seq <= log.head);
  }

  /** Whether both logs are here, up to where they reached when the page was opened. */
  get isRead() {
    return this.sides.every(({ isRead }) => isRead);
  }
}

/** How many decisions there are, how many of them are read, and where the reader goes once they are. */
export function lengthWords({ sides, expected, isRead }, wanted) {
  const all = `of ${count(expected)}`;
  if (isRead) return all;
  const least = Math.min(...sides.filter((side) => !side.isRead).map(({ log }) => log.head));
  const then = wanted === null ? "" : `, then on to ${count(wanted)}`;
  return `${all}, loading: ${count(least)} read${then}`;
}

/** Where one run stands while both are at `at`: {at, ended, coming}; `going`: decisions may still come. */
export function standing(at, head, going) {
  return { at: Math.min(at, head), ended: at > head && !going, coming: at > head && going };
}

/** What a side without a decision says; `awaits`: whether it is to show a later one that is not read yet. */
export function beforeWords(awaits) {
  return awaits ? "Its log is being read." : "Before the first decision.";
}

/** Where to open: as the address says, else at the first difference, else at the last decision of both. */
export function opening(asked, firstDifference, common) {
  if (asked !== null) return asked;
  return firstDifference ?? common;
}

/** The query of both runs at a decision: shared, it shows the same. */
export function compareAddress(search, at) {
  const query = new URLSearchParams(search);
  query.set("at", at);
  return `?${query}`;
}

/** The same with the sides swapped. */
export function swapped(search) {
  const query = new URLSearchParams(search);
  const [a, b] = [query.get("a"), query.get("b")];
  query.set("a", b);
  query.set("b", a);
  return `?${query}`;
}
