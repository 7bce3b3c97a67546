// The passage of decisions: step, back, first, last, next and previous stop, and playing at a pace.

import { clockAt } from "./clock-axis.js";

const SECOND = 1000;

export class Transport {
  /**
   * `parts`: {log, reading, say(text), stopTest(log, stop): makes a test of one decision by number, for where to pause,
   * isEvent(seq): whether who steps by event goes to it}
   */
  constructor(parts) {
    Object.assign(this, parts);
  }

  /** Go to a decision, where a clock moves also to a `time` behind it. Who goes elsewhere stops following the head; only who asks for the head begins to. */
  seek(seq, { follow = this.reading.follow, time = null } = {}) {
    const { log, reading } = this;
    const at = Math.max(log.first, Math.min(log.head, Math.round(seq)));
    this.pause();
    reading.set({ at, time, follow: follow && reading.status === "running" && at === log.head });
  }

  /** Forwards (1) or back (-1) by what the reader steps by. */
  step(by) {
    const { stepBy } = this.reading;
    if (stepBy === "second") this.#stepSecond(by);
    else if (stepBy === "event") this.#search(by, this.isEvent, ["No further event in the decisions so far.", "No earlier event."]);
    else this.seek(this.reading.at + by);
  }

  /** To the next or the previous whole second of the clock. */
  #stepSecond(by) {
    const { log, reading } = this;
    const now = clockAt(log.fold, reading) / SECOND;
    const time = (by > 0 ? Math.floor(now) + 1 : Math.ceil(now) - 1) * SECOND;
    this.seek(log.fold.seqAt(time), { time });
  }

  first() {
    this.seek(this.log.first);
  }

  last() {
    this.seek(this.log.head, { follow: true });
  }

  nextStop(by) {
    const { log, reading } = this;
    this.#search(by, this.stopTest(log, reading.stop), ["No further stop in the decisions so far.", "No earlier stop."]);
  }

  /** To the next or the previous decision that is wanted; `none`: what is said where there is none. */
  #search(by, isWanted, [noFurther, noEarlier]) {
    const { log, reading } = this;
    for (let seq = reading.at + by; seq > log.first && seq <= log.head; seq += by)
      if (isWanted(seq)) return this.seek(seq);
    this.say(by > 0 ? noFurther : noEarlier);
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
