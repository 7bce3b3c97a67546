// In which order the lanes of the time line stand and which are folded, remembered from visit to visit. Pure but for
// the storage that it is given.

const KEY = "sandtable-lanes";
export const LANES = ["events", "sessions", "decisions", "pods", "queue", "used"];

export class LaneOrder {
  /** `storage`: localStorage, or what is like it; what can't be kept there is forgotten with the page. */
  constructor(storage) {
    this.storage = storage;
    const { order, folded } = read(storage);
    this.order = [...order, ...LANES.filter((name) => !order.includes(name))];
    this.folded = new Set(folded);
  }

  isFolded(name) {
    return this.folded.has(name);
  }

  toggle(name) {
    if (!this.folded.delete(name)) this.folded.add(name);
    this.#write();
  }

  /** Before the lane above it, of those that are `shown` now. */
  raise(name, shown) {
    const above = this.order.filter((one) => one === name || shown.includes(one));
    const before = above[above.indexOf(name) - 1];
    if (before === undefined) return;
    this.order = this.order.filter((one) => one !== name);
    this.order.splice(this.order.indexOf(before), 0, name);
    this.#write();
  }

  #write() {
    try {
      this.storage.setItem(KEY, JSON.stringify({ order: this.order, folded: [...this.folded] }));
    } catch {
      // Storage can be forbidden or full.
    }
  }
}

/** What is remembered, without what isn't a lane. */
function read(storage) {
  try {
    const { order, folded } = JSON.parse(storage.getItem(KEY)) ?? {};
    const known = (names) => [...new Set(names ?? [])].filter((name) => LANES.includes(name));
    return { order: known(order), folded: known(folded) };
  } catch {
    return { order: [], folded: [] };
  }
}
