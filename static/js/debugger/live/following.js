// From the stream to the reader: take decisions in as they come, open where the address says or else at the first
// decision, follow the head of a live run for who wants that, and learn how the run ended and at what pace it goes. Of a
// run that is held in parts (window.js), begin anew where the reader goes.

import { isGoing } from "./live.js";
import { root, withFacts } from "../parts.js";
import { siblingsOf } from "../pod/pod-card.js";
import { Stream } from "./stream.js";
import { AT_ONCE, beginningFor, isFarAhead, isFull, isHeldInParts, isStillRead } from "../log/window.js";

/**
 * On the way to another part of the log: what is read of it so far. `how`: {follow, time, isKept: the reader stays where
 * they are}; `arrival`: a promise of whether the reader has come there, and has not gone elsewhere meanwhile.
 */
class Departure {
  at;
  first;
  how;
  read;

  constructor(at, how) {
    Object.assign(this, { at, how, first: beginningFor(at), base: null, read: [], ending: null });
    this.arrival = new Promise((resolve) => {
      this.arrive = resolve;
    });
  }

  get head() {
    return this.first + this.read.length;
  }

  /** Where its reader, who is at `at` now, is going to be. */
  goal(at) {
    return this.how.isKept ? at : this.at;
  }

  /** Whether a reader who has moved to `at` still goes there. */
  wants(at) {
    return this.how.isKept && at > this.first;
  }
}

export class Following {
  /** @type {import("../../decisions/figures.js").Figures} */
  figures;
  /** @type {import("../log/log.js").Log} */
  log;
  /** @type {import("../names/node-names.js").NodeNames} */
  names;
  /** @type {import("../reading.js").Reading} */
  reading;
  /** @type {import("../rest.js").Rest} */
  rest;
  scale;
  say;
  series;
  /** @type {import("../controls/transport.js").Transport} */
  transport;

  /**
   * `parts`: {log, figures, series: null where no clock moves, names, scale, reading, rest, transport, say(text)}; `wanted` is the decision of
   * the address, or null; `time` its clock, which counts where it names no decision.
   */
  constructor(parts, wanted, time) {
    Object.assign(this, parts);
    this.wanted = wanted;
    this.time = time;
    const { log, reading } = this;
    this.announce(reading.run.decisions);
    reading.when(["at"], () => this.#moved());
    this.heard = { decisions: (items) => this.#take(items), hello: (message) => this.#begin(message) };
    this.stream = this.#connect(log.head, this.heard);
  }

  /** How many decisions there are, as far as the server has said. */
  announce(decisions) {
    const { log, reading } = this;
    const inParts = isHeldInParts(log.fold, Math.max(decisions, log.head));
    reading.set({ expected: decisions, inParts });
    if (inParts) log.announce(decisions);
  }

  /** Follow the head of the run, or go to its last decision where that isn't held. */
  follow() {
    const { log, reading } = this;
    // A run may have ended while its last decisions are still on their way.
    const follow = isGoing(reading.status) || isStillRead(reading, log);
    this.transport.pause();
    if (log.holds(log.end)) reading.set({ at: log.end, follow });
    else this.beginAt(log.end, { follow });
  }

  /** Go to a decision that isn't held: begin anew before it. What is held now stays on the screen until then. */
  beginAt(at, how = {}) {
    // Moves of before this one, which listeners are yet to be told of, don't call it off.
    this.reading.flush();
    if (this.going?.at === at) this.going.how = how;
    else this.#depart(new Departure(at, how));
    return this.going.arrival;
  }

  #depart(going) {
    this.#leave();
    this.going = going;
    this.stream = this.#connect(going.first, {
      decisions: (items) => {
        if (this.going !== going) return this.#take(items);
        going.read.push(...items);
        this.#settle(going);
      },
      hello: (message) => {
        this.#hear(message);
        this.#settle(going);
      },
    }, AT_ONCE);
    this.#readBase(going);
  }

  async #readBase(going) {
    try {
      going.base = await this.rest.state(going.first);
      this.#settle(going);
    } catch (problem) {
      if (this.going === going) this.#stay();
      this.say(problem.message);
    }
  }

  /** Stand where the reader goes, if all that they are to see there has come: the state, and the log up to the decision or the end. */
  #settle(going) {
    const { log, reading } = this;
    const goal = going.goal(reading.at);
    if (this.going !== going || !going.base || going.head < Math.min(goal, log.end)) return;
    this.going = null;
    this.#beginOn(going.base);
    this.#pack(going.read);
    const { head, end } = log;
    const { follow = false, time = null, isKept } = going.how;
    reading.set({ at: Math.min(head, goal), follow, head, end, time: isKept ? reading.time : time });
    if (reading.follow) this.#goOn();
    if (going.ending) this.#end(going.ending);
    else if (!this.#hasEnough()) this.stream.goOn();
    going.arrive(true);
  }

  /** Hold what follows on another state of the run (window.js). */
  #beginOn(base) {
    const { log, figures, series, reading } = this;
    log.begin(base);
    figures.begin();
    series?.begin();
    reading.tell(log);
  }

  /** The reader does not leave after all: read on where the log ends. */
  #stay() {
    this.#leave();
    this.stream = this.#connect(this.log.head, this.heard);
  }

  #leave() {
    this.stream.close();
    this.going?.arrive(false);
    this.going = null;
  }

  #connect(after, on, window = null) {
    const stream = new Stream(root.dataset.socket, after, {
      ...on,
      status: (message) => this.#hear(message),
      end: (message) => this.#end(message),
      link: (state) => this.#linked(state),
      hasEnough: () => this.#hasEnough(),
    }, window);
    stream.open();
    return stream;
  }

  /** Whether the server may wait until the reader has gone on. */
  #hasEnough() {
    const { reading, log } = this;
    // What isn't needed to stand there waits until the reader does.
    if (this.going) return this.going.head >= Math.min(this.going.goal(reading.at), log.end);
    return reading.loaded && !reading.follow && reading.inParts && isFarAhead(log, reading.at);
  }

  /** The reader stands elsewhere: read on, or let go of what is far behind. */
  #moved() {
    const { reading, log } = this;
    if (this.going && !this.going.wants(reading.at)) this.#stay();
    if (!reading.inParts) return;
    if (!this.going && isFull(log, reading.at)) this.beginAt(reading.at, { follow: reading.follow, isKept: true });
    else if (!this.#hasEnough()) this.stream.goOn();
  }

  #begin(message) {
    this.#hear(message);
    this.#advance();
  }

  /** What the server says of the run. */
  #hear({ decisions, status, rate }) {
    const { reading, log } = this;
    this.announce(decisions);
    reading.set({ status, rate, end: log.end });
    if (!isGoing(status) && this.stream?.waits) this.#readEnding();
  }

  #take(items) {
    this.#pack(items);
    // Whoever follows is told how far the run is by its decisions alone.
    this.announce(Math.max(this.reading.expected, this.log.head));
    this.#advance();
  }

  #pack(items) {
    const { log, figures, series, scale, names } = this;
    const { fold } = log;
    const [pods, nodes] = [fold.pods.length, fold.nodes.length];
    log.take(items);
    figures.take(items);
    series?.take(items);
    scale.learn(fold.pods, pods);
    names.learn(fold.nodes.slice(nodes).map(({ name }) => name));
  }

  #end(message) {
    const { status, rate } = message;
    if (this.going) {
      this.going.ending = message;
      return;
    }
    this.announce(this.log.head);
    this.reading.set({ status, rate, follow: false });
    this.#advance();
    this.#readEnding();
    this.#moved();
  }

  #advance() {
    const { reading, log } = this;
    if (!reading.loaded) this.#open(this.wanted ?? this.#byTime() ?? log.start + 1);
    reading.set({ head: log.head, end: log.end });
    if (reading.follow) this.#goOn();
  }

  /** The decision at the address's clock, one beyond the head until the clock has come so far; null without one. */
  #byTime() {
    const { fold, head } = this.log;
    if (this.time === null || !fold.hasClock) return null;
    return fold.timeOf(head) > this.time ? fold.seqAt(this.time) : head + 1;
  }

  /**
   * Open at a decision as soon as it is there, whether the run is live or not. One that a live run has still to
   * take is waited for; if the address names it, among the decisions before it.
   */
  #open(target) {
    const { reading, log } = this;
    if (log.head >= target) return this.#arrive(Math.max(log.first, target), false);
    const going = isGoing(reading.status);
    if (log.head < reading.expected || (going && this.wanted === null)) return;
    this.#arrive(log.head, going);
  }

  /** Follow the head, but not beyond the decision that the address asked for. */
  #goOn() {
    const { reading, log } = this;
    const isAhead = this.wanted !== null && reading.at < this.wanted;
    const at = isAhead ? Math.min(log.head, this.wanted) : log.head;
    reading.set({ at, follow: !isAhead || at < this.wanted });
  }

  #arrive(at, follow) {
    const { reading, log } = this;
    const { fold } = log;
    const pod = reading.pod ? fold.podIndex.get(reading.pod) : undefined;
    const siblings = pod === undefined ? null : siblingsOf(fold, pod);
    reading.set({ loaded: true, head: log.head, end: log.end, at, follow, siblings });
  }

  /** The run has ended while the page was open: how, the run itself says. */
  async #readEnding() {
    const { reading, rest } = this;
    if (isGoing(reading.run.status)) reading.set({ run: withFacts(await rest.run()) });
  }

  #linked(state) {
    this.reading.set({ link: state });
    if (state === "signed-out") this.say("You are signed out. Sign in again to go on reading.");
    else if (state === "not-found") this.say("This run is no longer there.");
  }
}
