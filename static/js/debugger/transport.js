// The passage of decisions: step, back, first, last, next and previous stop, and playing at a pace.

export class Transport {
  /** `parts`: {log, reading, say(text), stopTest(log, stop): makes a test of one decision by number, for where to pause} */
  constructor(parts) {
    Object.assign(this, parts);
  }

  /** Go to a decision. Who goes elsewhere stops following the head; only who asks for the head begins to. */
  seek(seq, { follow = this.reading.follow } = {}) {
    const { log, reading } = this;
    const at = Math.max(log.first, Math.min(log.head, Math.round(seq)));
    this.pause();
    reading.set({ at, follow: follow && reading.status === "running" && at === log.head });
  }

  step(by) {
    this.seek(this.reading.at + by);
  }

  first() {
    this.seek(this.log.first);
  }

  last() {
    this.seek(this.log.head, { follow: true });
  }

  nextStop(by) {
    const { log, reading } = this;
    const isStop = this.stopTest(log, reading.stop);
    for (let seq = reading.at + by; seq > log.first && seq <= log.head; seq += by)
      if (isStop(seq)) return this.seek(seq);
    this.say(by > 0 ? "No further stop in the decisions so far." : "No earlier stop.");
  }

  toggle() {
    if (this.reading.playing) this.pause();
    else this.play();
  }

  play() {
    const { log, reading } = this;
    if (reading.at >= log.head) {
      if (reading.status === "running") return reading.set({ follow: true });
      reading.set({ at: log.first });
    }
    this.owed = 0;
    this.then = performance.now();
    this.isStop = this.stopTest(log, reading.stop);
    reading.set({ playing: true, follow: false });
    this.frame = requestAnimationFrame((now) => this.#tick(now));
  }

  pause() {
    if (!this.reading.playing) return;
    cancelAnimationFrame(this.frame);
    this.reading.set({ playing: false });
  }

  #tick(now) {
    const { log, reading } = this;
    if (!reading.playing) return;
    this.owed += ((now - this.then) / 1000) * reading.speed;
    this.then = now;
    let at = reading.at;
    while (this.owed >= 1 && at < log.head) {
      this.owed -= 1;
      at += 1;
      if (this.isStop(at)) {
        reading.set({ at });
        return this.pause();
      }
    }
    if (at !== reading.at) reading.set({ at });
    if (at >= log.head) {
      this.pause();
      if (reading.status === "running") reading.set({ follow: true });
      return;
    }
    this.frame = requestAnimationFrame((then) => this.#tick(then));
  }
}
