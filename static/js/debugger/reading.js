// Where the reader is: which decision, which node and pod, which tab, what is lit. One object, one event.
//
// Parts set what they change and listen for what they show; changes within a frame come as one event.

export class Reading extends EventTarget {
  /** `unpressed(tell)` tells the listeners once nothing is pressed that they would draw anew. */
  constructor(initial, unpressed = (tell) => tell()) {
    super();
    this.unpressed = unpressed;
    Object.assign(
      this,
      {
        at: 0,
        time: null,
        stepBy: "decision",
        first: 0,
        head: 0,
        end: 0,
        follow: false,
        loaded: false,
        playing: false,
        speed: 4,
        pace: null,
        shown: "unchosen",
        pinned: [],
        node: null,
        pod: null,
        tab: null,
        card: null,
        mix: null,
        lit: null,
        litLabel: "",
        reprieve: null,
        siblings: null,
        group: "zone",
        resource: "cpu",
        sort: "name",
        colour: "priority",
        tiles: "pods",
        view: "map",
        wholeNames: false,
        status: "",
        rate: null,
        link: "connecting",
        stop: null,
      },
      initial,
    );
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
    this.addEventListener("change", ({ detail }) => {
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
      requestAnimationFrame(() => this.unpressed(() => this.flush()));
    }
    this.pending.add(name);
  }
}
