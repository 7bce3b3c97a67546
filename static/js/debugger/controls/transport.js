// The passage of decisions: step, back, first, last, next and previous stop, and playing at a pace.

import { clockAt } from "../time/clock-axis.js";
import { isStillRead } from "../log/window.js";
import { UNITS } from "../../schedulers/sessions/sessions.js";

const SECOND = 1000;
/** While the clock plays, it is shown to move so often, in milliseconds. */
const MOVES = 50;

export class Transport {
  askForStop;
  beginAt;
  isEvent;
  /** A log, or what two of them hold (compare/pair.js). @type {any} */
  log;
  /** @type {import("../reading.js").Reading} */
  reading;
  say;
  sessions;
  stopTest;

  /**
   * `parts`: {log, reading, say(text), stopTest(log, stop): makes a test of one decision by number, for where to pause,
   * isEvent(seq): whether who steps by event goes to it, sessions: where the parts of sessions end, beginAt(seq, how):
   * goes to a decision that the log doesn't hold, a promise of whether the reader came there, askForStop(by, seq): the
   * number of the next or previous stop from a decision on, null for none, undefined if the server can't tell}
   */
  constructor(parts) {
    Object.assign(this, parts);
  }

  /** Go to a decision, where a clock moves also to a `time` behind it. Who goes elsewhere stops following the head; only who asks for the head begins to. */
  seek(seq, { follow = this.reading.follow, time = null } = {}) {
    const { log, reading } = this;
    const at = Math.max(log.start, Math.min(log.end, Math.round(seq)));
    this.pause();
    const follows = follow && at === log.end && (reading.status === "running" || isStillRead(reading, log));
    if (log.holds(at)) reading.set({ at, time, follow: follows });
    else this.beginAt(at, { time, follow: follows });
  }

  /** Forwards (1) or back (-1) by what the reader steps by. */
  step(by) {
    const { stepBy } = this.reading;
    if (stepBy === "second") this.#stepSecond(by);
    else if (stepBy === "event") this.#search(by, this.isEvent, ["No further event in the decisions so far.", "No earlier event."], () => undefined);
    else if (UNITS.includes(stepBy)) this.seek(this.sessions.beyond(stepBy, this.reading.at, by));
    else this.seek(this.reading.at + by);
  }

  /** To the next or the previous whole second of the clock. */
  async #stepSecond(by) {
    const { log, reading } = this;
    const now = clockAt(log.fold, reading) / SECOND;
    const time = (by > 0 ? Math.floor(now) + 1 : Math.ceil(now) - 1) * SECOND;
    const isEarlier = !log.isFromStart && log.fold.timeOf(log.first) >= time;
    if (isEarlier && !(await this.beginAt(log.first))) return;
    this.seek(log.fold.seqAt(time), { time });
  }

  first() {
    this.seek(this.log.start);
  }

  last() {
    this.seek(this.log.end, { follow: true });
  }

  nextStop(by) {
    const { log, reading } = this;
    const words = ["No further stop in the decisions so far.", "No earlier stop."];
    this.#search(by, this.stopTest(log, reading.stop), words, (seq) => this.askForStop(by, seq));
  }

  /**
   * To the next or the previous decision that is wanted; `words`: what is said where there is none. Beyond what the log
   * holds `ask` says where it is; what can't be asked for is looked for in one part of the run after the other.
   */
  async #search(by, isWanted, words, ask) {
    const { log, reading } = this;
    for (let seq = reading.at + by; seq > log.first && seq <= log.head; seq += by)
      if (isWanted(seq)) return this.seek(seq);
    const edge = by > 0 ? log.head + 1 : log.first;
    const found = edge > log.start && edge <= log.end ? await ask(edge) : null;
    if (found === null) return this.say(words[by > 0 ? 0 : 1]);
    if (found !== undefined) return this.seek(found);
    if ((await this.beginAt(edge)) && !isWanted(edge)) return this.#search(by, isWanted, words, ask);
  }

  toggle() {
    if (this.reading.playing) this.pause();
    else this.play();
  }

  play() {
    const { log, reading } = this;
    if (reading.at >= log.end) {
      if (reading.status === "running") return reading.set({ follow: true });
      if (!log.isFromStart) return this.first();
      reading.set({ at: log.first, time: null });
    }
    this.owed = 0;
    this.then = performance.now();
    this.now = reading.pace === null ? null : clockAt(log.fold, reading);
    this.shown = this.then;
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
    // A busy page's first frame counts from before the press.
    const seconds = Math.max(0, now - this.then) / 1000;
    this.then = now;
    const target = reading.pace === null ? this.#byDecisions(seconds) : this.#byClock(seconds);
    const stop = this.#firstStop(target);
    if (stop) {
      reading.set({ at: stop, time: null });
      return this.pause();
    }
    const isDue = now - this.shown >= MOVES;
    if (target !== reading.at) reading.set({ at: target, time: this.#between() });
    else if (isDue) reading.set({ time: this.#between() });
    if (isDue) this.shown = now;
    if (target >= log.end) {
      this.pause();
      if (reading.status === "running") reading.set({ follow: true });
      return;
    }
    this.frame = requestAnimationFrame((then) => this.#tick(then));
  }

  /** So many decisions further, at the reader's speed. */
  #byDecisions(seconds) {
    const { log, reading } = this;
    this.owed += seconds * reading.speed;
    const due = Math.floor(this.owed);
    this.owed -= due;
    return Math.min(log.head, reading.at + due);
  }

  /** As far as the clock comes, at the reader's pace: milliseconds of the run a second. */
  #byClock(seconds) {
    const { log, reading } = this;
    this.now = (this.now ?? clockAt(log.fold, reading)) + seconds * reading.pace;
    return Math.max(reading.at, log.fold.seqAt(this.now));
  }

  /** The instant behind the reader's decision at which the playing clock stands; null where decisions are played. */
  #between() {
    return this.reading.pace === null ? null : Math.floor(this.now);
  }

  /** The first stop behind the reader up to a decision, or 0. */
  #firstStop(target) {
    for (let seq = this.reading.at + 1; seq <= target; seq++) if (this.isStop(seq)) return seq;
    return 0;
  }
}
