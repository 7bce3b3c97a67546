// The run's REST addresses. Errors carry what the problem document says.

import { ask, complaint } from "../rest.js";

const PAGE = 1000;

export class Problem extends Error {
  constructor(answer) {
    super(complaint(answer));
    this.status = answer.status;
  }
}

export class Rest {
  constructor(root) {
    this.root = root;
  }

  run() {
    return this.#get("");
  }

  /** The run's scheduler in its own words. */
  scheduler() {
    return this.#get("scheduler/");
  }

  state(at) {
    return this.#get(`state/?at=${at}`);
  }

  decisions(after, limit) {
    return this.#get(`decisions/?after=${after}&limit=${limit}`).then((page) => page.results);
  }

  /** The number of the nearest decision from `seq` on (1) or back (-1) that passes the filter, or null. */
  stop(by, seq, filter) {
    const from = by > 0 ? { after: seq - 1 } : { before: seq + 1 };
    return this.#get(`stops/?${new URLSearchParams({ ...from, ...filter })}`).then((answer) => answer.seq);
  }

  /** A decision whole; its verdicts and scores are put together from all pages. */
  async decision(seq) {
    let whole = null;
    for await (const page of this.#pages(`decisions/${seq}/?limit=${PAGE}`)) {
      if (!whole) whole = page;
      else for (const part of ["filter", "scores"]) Object.assign(whole[part] ?? {}, page[part]);
    }
    delete whole.next;
    return whole;
  }

  node(seq, name) {
    return this.#get(`decisions/${seq}/nodes/${encodeURIComponent(name)}/`);
  }

  /** The first verdicts that `query` (plugin, reason, status, sort, limit) chooses. */
  nodesPage(seq, query) {
    return this.#get(`decisions/${seq}/nodes/?${new URLSearchParams(query)}`).then((page) => page.results);
  }

  /** All verdicts that `query` (plugin, reason, status) chooses, however many pages they fill. */
  async nodes(seq, query) {
    const rows = [];
    for await (const page of this.#pages(`decisions/${seq}/nodes/?${new URLSearchParams(query)}`))
      rows.push(...page.results);
    return rows;
  }

  /** What the run's pods ask of HAMi's cards. */
  cardShapes() {
    return this.#get("card-shapes/");
  }

  /** Why a pod, by uid, waits after a decision, and which events it heard. */
  waiting(seq, uid) {
    return this.#get(`waiting/?${new URLSearchParams({ pod: uid, at: seq })}`);
  }

  /** Why one, {pod: its uid} or {job}, has no node after a decision: {cause, says, marks: every node's part in it, or null}. */
  why(at, one) {
    return this.#get(`why/?${new URLSearchParams({ ...one, at, marks: "1" })}`);
  }

  /** Why one of two comes before the other in a session; `pair`: {of, first, second}. */
  order(seq, pair) {
    return this.#get(`decisions/${seq}/order/?${new URLSearchParams(pair)}`);
  }

  command(name) {
    return this.#send("POST", `${name}/`);
  }

  rate(decisionsASecond) {
    return this.#send("PATCH", "", { rate: decisionsASecond });
  }

  decisionAddress(seq) {
    return new URL(`${this.root}decisions/${seq}/`, location.href).href;
  }

  async *#pages(path) {
    let page = await this.#get(path);
    yield page;
    while (page.next) {
      page = await this.#get(page.next, "");
      yield page;
    }
  }

  #get(path, root = this.root) {
    return answered("GET", root + path);
  }

  #send(method, path, body) {
    return answered(method, this.root + path, body);
  }
}

async function answered(...question) {
  const answer = await ask(...question);
  if (!answer.ok) throw new Problem(answer);
  return answer.body;
}
