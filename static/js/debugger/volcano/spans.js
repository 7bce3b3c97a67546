// The sessions of a log: which decisions each of them, its actions and its jobs' statements take up, and which pods
// were seen to belong to a job. Pure.
//
// A session's decisions follow on one another, since nobody else acts in it; so each part is a span of numbers.

/** What a step may go over beside a single decision, from small to large. */
export const UNITS = ["job", "action", "session"];
const TASKS = "tasks/";

export class SessionSpans {
  constructor() {
    this.spans = Object.fromEntries(UNITS.map((unit) => [unit, []]));
    this.members = new Map();
    this.sizes = new Map();
  }

  /** Whether the log, as far as it is read, has sessions. */
  get any() {
    return this.spans.session.length > 0;
  }

  /** Take in the next decision of the log. */
  take(event) {
    if (typeof event.session !== "number") return;
    const { actor, session, action, job, kind } = event;
    const of = `${actor} ${session}`;
    this.#extend("session", event, of);
    this.#extend("action", event, action ? `${of} ${action}` : null);
    const statement = this.#extend("job", event, job ? `${of} ${action} ${job}` : null);
    statement.job = job ?? "";
    if (kind === "gang") {
      Object.assign(statement, { key: null, settled: event.seq });
      this.sizes.set(job, event.pods);
    }
    this.#noteMembers(event);
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

  /** The pods that were seen to belong to a job, in the order in which they were named: [{uid, namespace, name}]. */
  membersOf(job) {
    return [...(this.members.get(job)?.values() ?? [])];
  }

  /** How many pods a job has, as its newest settled statement says; else as many as are known. */
  sizeOf(job) {
    return Math.max(this.sizes.get(job) ?? 0, this.members.get(job)?.size ?? 0);
  }

  /** A span goes on while its key stays the same; a decision without one is a span of its own. */
  #extend(unit, { seq }, key) {
    const spans = this.spans[unit];
    const last = spans.at(-1);
    if (key !== null && last?.key === key && last.to === seq - 1) last.to = seq;
    else spans.push({ key, from: seq, to: seq, settled: null });
    return spans.at(-1);
  }

  #noteMembers({ pod, job, victims = [], changes }) {
    if (job && pod) this.#note(job, pod);
    for (const { verb, table, row } of changes ?? []) {
      if (verb !== "appear" || !table.startsWith(TASKS)) continue;
      const victim = victims.find(({ uid }) => uid === row.pod);
      if (victim) this.#note(row.job, victim);
    }
  }

  #note(job, { uid, namespace, name }) {
    if (!this.members.has(job)) this.members.set(job, new Map());
    const of = this.members.get(job);
    if (!of.has(uid)) of.set(uid, { uid, namespace, name });
  }
}

/** The decisions of a span, oldest first; a promise where the log's window has lost some of them. */
export function eventsOf(log, { from, to }) {
  const numbers = Array.from({ length: to - from + 1 }, (_, i) => from + i);
  const known = numbers.map((seq) => log.event(seq));
  if (known.every(Boolean)) return known;
  return inTurn(log, numbers);
}

/** One block of the window after the other, not all at once. */
async function inTurn(log, numbers) {
  const events = [];
  for (const seq of numbers) events.push(await log.fetch(seq));
  return events;
}
