// The sessions of the log as it comes: where each begins and ends, which decisions are about a job or a queue, and the
// jobs' dominant shares as each session left them. Pure.

export class Sessions {
  constructor() {
    /** [{number, actor, first, last}] in their order; `last` is the close, null as long as it is open. */
    this.all = [];
    this.jobs = new Map();
    this.queues = new Map();
    /** By job: [[place of the session in `all`, share]] whenever the share is another one. */
    this.shares = new Map();
  }

  /** Take in the next decisions of the log. */
  take(decisions) {
    for (const decision of decisions) {
      const { kind, seq, session: number, actor, job, queue } = decision;
      if (kind === "session") this.all.push({ number, actor, first: seq, last: null });
      else if (kind === "close") this.#close(decision);
      if (job) note(this.jobs, job, seq);
      if (queue) note(this.queues, queue, seq);
    }
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
