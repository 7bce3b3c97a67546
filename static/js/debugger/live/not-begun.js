// A run whose cluster no worker has built yet: how far it is, of which snapshot it is, and a way to cancel it.

import { fill, h } from "../../drawing/dom.js";
import { part, root } from "../parts.js";

/** By stage: what the page's head says, and the sentence. */
const STAGES = {
  queued: ["queued", "The run waits for a worker; none has taken it yet."],
  building: ["building the cluster", "A worker has taken the run and builds its cluster from the snapshot and the edits."],
  paused: ["paused", "The run was paused before a worker had built its cluster."],
};
/** The stages that every run passes through. */
const STEPS = [
  ["queued", "waits for a worker"],
  ["building", "a worker builds the cluster"],
  ["deciding", "decisions"],
];

/** Where a run stands that says nothing of what it rests on yet. */
export function stageOf({ status }) {
  return status === "running" ? "building" : status;
}

export class NotBegun {
  constructor(rest) {
    this.rest = rest;
    this.asked = false;
    this.problem = "";
  }

  /** Show how far the run is. */
  show(run) {
    const stage = stageOf(run);
    const [word, sentence] = STAGES[stage];
    root.classList.add("not-begun", "inspecting");
    Object.assign(part("live"), { className: `live-state ${run.status}`, textContent: word });
    const { cluster, operate } = root.dataset;
    fill(
      part("inspector"),
      h("h2", {}, this.asked ? "The run is being cancelled" : sentence),
      h("ol", { class: "run-steps" }, STEPS.map(([key, words]) => h("li", { aria: { current: key === stage ? "step" : null } }, words))),
      h("p", { class: "muted" }, cluster),
      operate === "yes" && h("p", { class: "actions" }, this.#button()),
      h("p", { class: "error-text", role: "alert" }, this.problem),
    );
  }

  /** The run has begun, or never will. */
  leave() {
    root.classList.remove("not-begun", "inspecting");
  }

  #button() {
    const onclick = ({ currentTarget }) => this.#cancel(currentTarget);
    return h("button", { type: "button", class: "danger", data: { key: "cancel" }, disabled: this.asked, onclick }, "Cancel the run");
  }

  async #cancel(button) {
    button.disabled = true;
    this.asked = true;
    this.problem = "";
    try {
      await this.rest.command("cancel");
    } catch (problem) {
      this.asked = false;
      this.problem = problem.message;
    }
  }
}
