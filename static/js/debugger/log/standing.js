// Where the page stands: moves the fold to the reader's decision, before anything is drawn, and has that decision's event.

export class Standing {
  announce;
  /** @type {import("./log.js").Log} */
  log;
  /** @type {import("../reading.js").Reading} */
  reading;

  /** `parts`: {log, reading, announce(text)} */
  constructor(parts) {
    Object.assign(this, parts);
    /** The decision; null before the first one, and while it is being read. */
    this.event = null;
    /** Whether the reader stands before the first decision that is held. */
    this.isBefore = true;
    /** Whether a step forwards led here. */
    this.isStepOn = false;
    const { log, reading } = this;
    reading.derive(["at", "loaded", log], () => this.#move());
    reading.derive(["head", this], () => reading.set({ gated: log.gatedLater().size }));
  }

  #move() {
    const { log, reading } = this;
    const { fold } = log;
    const { at } = reading;
    this.isStepOn = at === fold.at + 1;
    fold.moveTo(Math.min(at, log.head));
    reading.set({ lit: null, reprieve: null });
    this.isBefore = at <= log.first;
    this.event = this.isBefore ? null : log.event(at);
    reading.tell(this);
    if (!this.isBefore && !this.event) this.#read(at);
  }

  async #read(at) {
    const { log, reading } = this;
    try {
      const event = await log.fetch(at);
      if (reading.at !== at || !event) return;
      Object.assign(this, { event, isStepOn: false });
      reading.tell(this);
    } catch (problem) {
      this.announce(problem.message);
    }
  }
}
