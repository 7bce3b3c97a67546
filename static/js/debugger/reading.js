// Where the reader is: which decision, which node and pod, which tab, what is lit. One object, one event.
//
// Parts set what they change and listen for what they show; changes within a frame come as one event.

export class Reading extends EventTarget {
  at = 0;
  /** @type {number | null} */
  time = null;
  stepBy = "decision";
  first = 0;
  head = 0;
  end = 0;
  follow = false;
  loaded = false;
  playing = false;
  speed = 4;
  /** @type {number | null} */
  pace = null;
  /** @type {any} */
  shown = "unchosen";
  /** @type {string[]} */
  pinned = [];
  /** @type {string | null} */
  node = null;
  /** @type {string | null} */
  pod = null;
  /** @type {string | null} */
  tab = null;
  /** @type {string | null} */
  card = null;
  /** @type {any} */
  mix = null;
  /** @type {any} */
  lit = null;
  litLabel = "";
  /** @type {any} */
  reprieve = null;
  /** @type {any} */
  siblings = null;
  group = "zone";
  resource = "cpu";
  sort = "name";
  colour = "priority";
  tiles = "pods";
  view = "map";
  wholeNames = false;
  status = "";
  /** @type {number | null} */
  rate = null;
  link = "connecting";
  /** @type {any} */
  stop = null;
  /** A decision that is asked for and not read yet, where two runs are compared. */
  wanted = null;

  constructor(initial) {
    super();
    Object.assign(this, initial);
    this.pending = null;
  }

  set(values) {
    for (const [name, value] of Object.entries(values)) {
      if (Object.is(this[name], value)) continue;
      this[name] = value;
      this.#changed(name);
    }
  }

  /** Call `listener(names)` after any of `names` changed; "*" is all. */
  when(names, listener) {
    const wanted = new Set(names);
    this.addEventListener("change", (/** @type {any} */ { detail }) => {
      if (wanted.has("*") || [...detail].some((name) => wanted.has(name))) listener(detail);
    });
  }

  /** Tell the listeners now instead of with the next frame. */
  flush() {
    if (!this.pending) return;
    const names = this.pending;
    this.pending = null;
    this.dispatchEvent(new CustomEvent("change", { detail: names }));
    this.flush();
  }

  #changed(name) {
    if (!this.pending) {
      this.pending = new Set();
      requestAnimationFrame(() => this.flush());
    }
    this.pending.add(name);
  }
}
