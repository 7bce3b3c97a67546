// At a decision at which a pod fits on no node, or a job is left to wait, the map shows why not, node by node. The server works that out; until it has,
// marks of the decision before stay, dimmed. A decision at which a pod finds a node has none.

import { kindOf } from "../../decisions/registry.js";
import { NodeMarks } from "./node-marks.js";

export class WhyNot {
  /** @type {import("../inspector/evidence.js").Evidence} */
  evidence;
  /** @type {import("../../cluster.js").Cluster} */
  fold;
  /** @type {import("./map.js").ClusterMap} */
  map;
  /** @type {import("../reading.js").Reading} */
  reading;
  /** @type {import("../log/standing.js").Standing} */
  standing;

  /** `parts`: {evidence, fold, map, reading, standing} */
  constructor(parts) {
    Object.assign(this, parts);
    const { reading, standing } = this;
    reading.derive([standing], () => this.#ask());
  }

  #ask() {
    const { event } = this.standing;
    // While a decision is being read, the marks of the last one stay.
    if (!event) return this.standing.isBefore && this.#show(null, false);
    const unplaced = kindOf(event).unplaced(event);
    if (unplaced === null) return this.#show(null, false);
    this.#show(this.map.whyNot, true);
    this.evidence
      .why(event.seq, unplaced)
      .then(({ marks }) => this.#answer(event, marks && new NodeMarks(marks, this.fold.nodeIndex)))
      .catch(() => this.#answer(event, null)); // The inspector asks the same.
  }

  #answer(event, marks) {
    if (this.standing.event === event) this.#show(marks, false);
  }

  #show(marks, isAwaited) {
    this.map.showWhyNot(marks, isAwaited);
  }
}
