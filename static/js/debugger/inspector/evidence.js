// What a decision rests on and the log doesn't hold: each node's verdict, each score, the reprieve sequence.
// The server computes it again on demand; the last few answers are kept.

//
// A question is asked a moment later and only if the reader still stands at its decision, so that running
// through a thousand decisions doesn't ask a thousand times.

const KEPT = 48;
const PAGE = 1000;
const BEST = 60,
  FIRST = 60;
const MOMENT = 60,
  WHILE_PLAYING = 400;

/** The reader went on before the question was asked. */
export class Superseded extends Error {}

export class Evidence {
  constructor(rest, reading) {
    this.rest = rest;
    this.reading = reading;
    this.kept = new Map();
    /** Of `why`: when the question that is being answered is. @type {Promise<any> | null} */
    this.asked = null;
  }

  /** A decision whole: {document, filter, dryRun}. */
  cycle(seq) {
    return this.#once(seq, `cycle ${seq}`, async () => {
      const document = await this.rest.decision(seq);
      return { document, filter: document.filter ?? {}, dryRun: document.dry_run };
    });
  }

  /** The verdicts on the first nodes, rejected or not. */
  verdicts(seq) {
    return this.#once(seq, `verdicts ${seq}`, () => this.rest.nodesPage(seq, { limit: FIRST }));
  }

  /**
   * What a scheduler's own module makes of a decision: `judge(event, ask)` is asked once, and asks the server by
   * {rows(), node(name), whole()}, promises of REST's answers; `name` is what it tells.
   */
  judged(event, name, judge) {
    const { seq } = event;
    return this.#once(seq, `${name} ${seq}`, () =>
      judge(event, {
        rows: () => this.rest.nodes(seq, { limit: PAGE, cards: true }),
        node: (name) => this.rest.node(seq, name),
        whole: () => this.rest.decision(seq),
      }),
    );
  }

  /** A node's explanation. */
  node(seq, name) {
    return this.#once(seq, `node ${seq} ${name}`, () => this.rest.node(seq, name));
  }

  /**
   * All nodes of a band, {node, status, numbers}: those that `plugin` rejected with `reasons`, those rejected
   * with `reason` among others, or those that fit.
   */
  band(seq, band) {
    return this.#once(seq, `band ${seq} ${band.key}`, async () => {
      if (band.reason) return this.rest.nodes(seq, { limit: PAGE, status: "rejected", reason: band.reason });
      const query = { limit: PAGE };
      if (band.fits) query.status = "fits";
      else Object.assign(query, { status: "rejected", plugin: band.plugin, reason: band.reasons[0] ?? "" });
      const rows = await this.rest.nodes(seq, query);
      const same = (status) =>
        (status?.reasons ?? []).join("\n") === band.reasons.join("\n") &&
        (!band.code || status.code === band.code);
      return rows.filter((row) =>
        band.fits ? !row.status : row.status?.plugin === band.plugin && same(row.status),
      );
    });
  }

  /** Why a pod waits after a decision: which events it heard, and what they meant for it. */
  waiting(seq, uid) {
    return this.#once(seq, `waiting ${seq} ${uid}`, () => this.rest.waiting(seq, uid));
  }

  /**
   * Why what a decision's kind says to be `unplaced` waits (rest.js). One such question is asked at a time.
   * @param {number} seq
   * @param {{ pod?: string, job?: string, at: number }} unplaced
   */
  why(seq, { pod, job, at }) {
    return this.#once(seq, `why ${seq} ${pod ?? job}`, () => this.#inTurn(seq, () => this.rest.why(at, pod ? { pod } : { job })));
  }

  /** Why one of two queues, jobs or pods comes before the other. */
  order(seq, of, first, second) {
    return this.#once(seq, `order ${seq} ${of} ${first} ${second}`, () => this.rest.order(seq, { of, first, second }));
  }

  /** The scored nodes with the highest totals, best first: [{node, total, plugins: {name: weighted}}]. */
  scores(seq) {
    return this.#once(seq, `scores ${seq}`, async () => {
      const page = await this.rest.nodesPage(seq, { status: "fits", sort: "-total", limit: BEST });
      return page
        .filter((row) => row.scores)
        .map(({ node, total, scores: { total: _, ...plugins } }) => ({ node, total, plugins }));
    });
  }

  #once(seq, key, ask) {
    let answer = this.kept.get(key);
    if (answer) this.kept.delete(key);
    else {
      answer = this.#stillThere(seq).then(ask);
      const asked = answer;
      asked.catch(() => {
        if (this.kept.get(key) === asked) this.kept.delete(key);
      });
    }
    this.kept.set(key, answer);
    if (this.kept.size > KEPT) this.kept.delete(this.kept.keys().next().value);
    return answer;
  }

  /** Ask after the question that is being answered; of those that wait meanwhile only the reader's last. */
  async #inTurn(seq, ask) {
    while (this.asked) await this.asked;
    if (this.reading.at !== seq) throw new Superseded();
    const answer = ask();
    this.asked = answer.then(() => {}, () => {}).then(() => (this.asked = null));
    return answer;
  }

  async #stillThere(seq) {
    await new Promise((resolve) => setTimeout(resolve, this.reading.playing ? WHILE_PLAYING : MOMENT));
    if (this.reading.at !== seq) throw new Superseded();
  }
}
