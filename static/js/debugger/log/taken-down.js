// Which pods with a node controllers have deleted: the twin of dashboard/services/results/taken_down.py. A job that
// restarts or ends loses more than its evicted pods.

import { Column } from "../../columns.js";
import { PODS, effectsOf } from "../../effects.js";
import { kindOf } from "../../decisions/registry.js";

const NOWHERE = 0,
  ON_NODE = 1,
  LEAVING = 2;

export class TakenDown {
  #stages = new Column(Uint8Array);

  /** `fold` stands at the state before the first decision that is counted. */
  constructor(fold) {
    this.fold = fold;
    fold.pods.forEach((row, pod) => {
      if (!fold.hasPod(pod) || !row.node) return;
      this.#stages.set(pod, row.evicted || row.terminating ? LEAVING : ON_NODE);
    });
  }

  /** How many pods with a node a decision of a controller deletes, evicted ones aside; the next one in order. */
  count(decision) {
    const taken = kindOf(decision).isControllers ? decision.changes.filter((change) => this.#takes(change)).length : 0;
    for (const { effect, pod } of effectsOf(decision.changes)) {
      if (effect === "placed") this.#become(pod, ON_NODE);
      if (effect === "evicted") this.#become(pod, LEAVING);
      if (effect === "unplaced" || effect === "left") this.#become(pod, NOWHERE);
    }
    return taken;
  }

  #takes({ verb, table, id, new: values }) {
    if (table !== PODS || !(verb === "vanish" || (verb === "set" && values.terminating))) return false;
    if (this.#stages.get(this.fold.podIndex.get(id)) !== ON_NODE) return false;
    this.#become(id, LEAVING);
    return true;
  }

  #become(uid, stage) {
    this.#stages.set(this.fold.podIndex.get(uid), stage);
  }
}
