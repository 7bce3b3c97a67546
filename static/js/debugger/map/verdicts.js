// Each node's own verdict in the foot of its tile, where few nodes fill the map: at once what the log holds, and the rest
// when the server has worked it out.

import { kindOf } from "../../decisions/registry.js";

export class Verdicts {
  /** @type {import("../inspector/evidence.js").Evidence} */
  evidence;
  /** @type {import("../../cluster.js").Cluster} */
  fold;
  /** @type {import("./map.js").ClusterMap} */
  map;
  /** @type {import("../reading.js").Reading} */
  reading;
  /** @type {import("../words/scheduler.js").Scheduler} */
  scheduler;
  /** @type {import("../log/standing.js").Standing} */
  standing;

  /** `parts`: {fold, map, reading, scheduler, standing, evidence: null where only the log is told} */
  constructor(parts) {
    Object.assign(this, parts);
    const { reading, standing, map } = this;
    reading.derive([standing], () => this.#say());
    reading.derive([map], () => map.layout?.isTall !== this.isTall && this.#say());
  }

  get event() {
    return this.standing.event;
  }

  /** Say of the nodes what the log holds, and the rest when the server has said it. */
  #say() {
    const { event } = this;
    this.isTall = this.map.layout?.isTall;
    this.#tell(null);
    if (!this.#isAsked()) return;
    this.#find(event)
      .then((found) => this.event === event && this.#tell(found))
      .catch(() => {}); // The inspector asks the same, and says what went wrong.
  }

  #isAsked() {
    const { event, evidence, map } = this;
    return Boolean(evidence && event && map.layout?.isTall && kindOf(event).asksNodes(event));
  }

  #tell(found) {
    const { event, map } = this;
    map.showVerdicts(event && map.layout?.isTall ? kindOf(event).verdicts(event, this.#facts(found)) : new Map());
  }

  #facts(found) {
    const { fold, scheduler } = this;
    const nodes = fold.presentNodes().map((node) => fold.nodes[node]);
    const requestsOf = (uid) => fold.pods[fold.podIndex.get(uid)]?.requests ?? {};
    return { scheduler, nodes, requestsOf, found };
  }

  /** What the log doesn't hold: all verdicts, and how far the nodes are that no eviction helps. */
  async #find(event) {
    const { evidence } = this;
    const [rows, more] = await Promise.all([evidence.verdicts(event.seq), kindOf(event).moreFacts(event, evidence)]);
    return { rows, ...more, explained: await this.#explained(event) };
  }

  async #explained({ seq, preemption }) {
    const { evidence } = this;
    if (!preemption?.not_candidates?.length) return [];
    const { dryRun } = await evidence.cycle(seq);
    const names = Object.keys(dryRun?.not_candidates ?? {});
    return Promise.all(names.map((name) => evidence.node(seq, name)));
  }
}
