// Where the reader is: which decision, which node and pod, which tab, what is lit; and what is known of the run. It is also the one way
// by which parts of the page are drawn.
//
// A part sets what it changes, and declares what it reads: names of fields, or other parts that say by `tell` that they
// have changed. All changes within a frame are told at once: first to whoever works something out (`derive`), until nothing
// more changes, then, once, to whoever draws (`when`). So nothing is drawn twice in a frame, nor from what is half worked out.

export class Reading extends EventTarget {
  at = 0;
  /** @type {number | null} */
  time = null;
  stepBy = "decision";
  head = 0;
  end = 0;
  /** How many decisions there will be, as far as that is known. */
  expected = 0;
  /** Whether the page holds only a part of the run. */
  inParts = false;
  /** Pods that later decisions find gated (log.js). */
  gated = 0;
  /** The run, as REST gave it last. @type {any} */
  run = null;
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
    /** What has changed and isn't told yet. @type {Set<any> | null} */
    this.pending = null;
    this.isDue = false;
  }

  /** Whether decisions are still read that come before the one where the page opens: what it holds isn't what was asked for. */
  get isOpening() {
    return !this.loaded && this.expected > 0;
  }

  set(values) {
    for (const [name, value] of Object.entries(values)) {
      if (Object.is(this[name], value)) continue;
      this[name] = value;
      this.tell(name);
    }
  }

  /** Something has changed: the field of a name, or the part that is given. */
  tell(what) {
    this.pending ??= new Set();
    this.pending.add(what);
    if (this.isDue) return;
    this.isDue = true;
    requestAnimationFrame(() => {
      this.isDue = false;
      this.flush();
    });
  }

  /** Work something out by `work(changed)` after any of `reads` changed, and before anything is drawn. */
  derive(reads, work) {
    this.#listen("derive", reads, work);
  }

  /** Draw by `draw(changed)` after any of `reads` changed. */
  when(reads, draw) {
    this.#listen("draw", reads, draw);
  }

  /** Tell nothing before all begins: parts that are still being made aren't to be drawn one by one. */
  hold() {
    this.isDue = true;
  }

  /** Work out and draw everything, for the first time. */
  begin() {
    this.isDue = false;
    this.pending = new Everything();
    this.flush();
  }

  /** Tell what has changed now instead of with the next frame. */
  flush() {
    if (!this.pending) return;
    const changed = this.pending;
    for (let news = changed; news; news = this.pending) {
      this.pending = null;
      this.#dispatch("derive", news);
      for (const what of this.pending ?? []) changed.add(what);
    }
    this.#dispatch("draw", changed);
    this.flush();
  }

  #listen(phase, reads, act) {
    this.addEventListener(phase, (/** @type {any} */ { detail }) => {
      if (reads.some((what) => detail.has(what))) act(detail);
    });
  }

  #dispatch(phase, changed) {
    this.dispatchEvent(new CustomEvent(phase, { detail: changed }));
  }
}

/** As if all had changed. */
class Everything extends Set {
  has(_what) {
    return true;
  }
}
