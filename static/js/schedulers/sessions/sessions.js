// The sessions of the log as it comes: where each, its actions and its jobs' statements begin and end, which decisions are
// about a job or a queue, and the jobs' dominant shares as each session left them. Pure.
//
// A session's decisions follow on one another, since nobody else acts in it; so each part is a span of numbers.

import { Sayings } from "./sayings.js";

/** What a step may go over beside a single decision, from small to large. */
export const UNITS = ["job", "action", "session"];

export class Sessions {
  constructor() {
    /** [{number, actor, first, last}] in their order; `last` is the close, null as long as it is open. */
    this.all = [];
    this.jobs = new Map();
    this.queues = new Map();
    /** By job: [[place of the session in `all`, share]] whenever the share is another one. */
    this.shares = new Map();
    this.sayings = new Sayings();
    this.spans = Object.fromEntries(UNITS.map((unit) => [unit, []]));
  }

  /** Whether the log, as far as it is read, has sessions. */
  get any() {
    return this.spans.session.length > 0;
  }

  /** Take in the next decision of the log. */
  take(event) {
    const { kind, seq, session, actor, job, queue } = event;
    if (typeof session !== "number") return;
    this.sayings.take(event);
    if (kind === "session") this.all.push({ number: session, actor, first: seq, last: null });
    else if (kind === "close") this.#close(event);
    if (job) note(this.jobs, job, seq);
    if (queue) note(this.queues, queue, seq);
    this.#span(event);
  }

  /** The place of the session that decision `seq` is in, or that was the last one before it; -1 before the first. */
  placeAt(seq) {
    return lastNotAfter(this.all, seq, ({ first }) => first);
  }

  /** The session that decision `seq` is in, or that was the last one before it; null before the first. */
  at(seq) {
    return this.all[this.placeAt(seq)] ?? null;
  }

  /** The numbers of the decisions about a job, oldest first. */
  aboutJob(job) {
    return this.jobs.get(job) ?? [];
  }

  /** The numbers of the decisions about a queue or one of its jobs, oldest first. */
  aboutQueue(queue) {
    return this.queues.get(queue) ?? [];
  }

  /** Decisions by the session that they are in: [{session, seqs}], oldest first. */
  grouped(seqs) {
    const found = [];
    for (const seq of seqs) {
      const session = this.at(seq);
      if (found.at(-1)?.session === session) found.at(-1).seqs.push(seq);
      else found.push({ session, seqs: [seq] });
    }
    return found;
  }

  /** The span {from, to} of a unit that a decision is part of, or null; a statement's also has `settled`. */
  spanOf(unit, seq) {
    const spans = this.spans[unit];
    let [low, high] = [0, spans.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const span = spans[middle];
      if (span.from > seq) high = middle - 1;
      else if (span.to < seq) low = middle + 1;
      else return span;
    }
    return null;
  }

  /** The last decision of the next (1) or previous (-1) span; what is in none is a step of its own. */
  beyond(unit, seq, by) {
    if (by > 0) return this.spanOf(unit, seq + 1)?.to ?? seq + 1;
    return (this.spanOf(unit, seq)?.from ?? seq) - 1;
  }

  /** The job that a decision is about, "" for none. */
  jobOf(seq) {
    return this.spanOf("job", seq)?.job ?? "";
  }

  #close({ seq, shares }) {
    const place = this.all.length - 1;
    if (place < 0) return;
    this.all[place].last = seq;
    for (const [job, { share }] of Object.entries(shares)) {
      const line = this.shares.get(job) ?? [];
      this.shares.set(job, line);
      if (line.at(-1)?.[1] !== share) line.push([place, share]);
    }
  }

  #span(event) {
    const { actor, session, action, job, kind, seq } = event;
    const of = `${actor} ${session}`;
    this.#extend("session", event, of);
    this.#extend("action", event, action ? `${of} ${action}` : null);
    const statement = this.#extend("job", event, job ? `${of} ${action} ${job}` : null);
    statement.job = job ?? "";
    if (kind === "gang") Object.assign(statement, { key: null, settled: seq });
  }

  /** A span goes on while its key stays the same; a decision without one is a span of its own. */
  #extend(unit, { seq }, key) {
    const spans = this.spans[unit];
    const last = spans.at(-1);
    if (key !== null && last?.key === key && last.to === seq - 1) last.to = seq;
    else spans.push({ key, from: seq, to: seq, settled: null });
    return spans.at(-1);
  }
}

/** The place of the last item whose number isn't after `seq`, or -1. */
export function lastNotAfter(items, seq, numberOf = (item) => item) {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numberOf(items[middle]) <= seq) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function note(map, key, seq) {
  if (!map.has(key)) map.set(key, []);
  map.get(key).push(seq);
}

/** The numbers of a span's decisions. */
export function numbersOf({ from, to }) {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

/** The decisions of these numbers; a promise where the log's window has lost some of them. */
export function eventsAt(log, numbers) {
  const known = numbers.map((seq) => log.event(seq));
  return known.every(Boolean) ? known : inTurn(log, numbers);
}

/** One block of the window after the other, not all at once. */
async function inTurn(log, numbers) {
  const events = [];
  for (const seq of numbers) events.push(await log.fetch(seq));
  return events;
}
