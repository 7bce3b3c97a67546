/* What the engine foresees of a draft: which sums differ at the run's start, and what an answer would rest on. */

import { amount, count } from "../amounts.js";
import { h } from "../drawing/dom.js";
import { unservedLine } from "./unserved-notice.js";

/** What amounts of resources count by which cards are shared. */
const COUNTED = { slots: ", in slots of shared cards", "one card": ", for one card of each container" };
/** What the row of pods that wait is called. */
const PENDING = "pending pods";

export class Foreseen {
  /** `ended`: other pods than these rows count are in the cluster too, those that have ended. */
  constructor(root, { ended }) {
    this.root = root;
    this.names = ended ? { pods: "pods that have not ended" } : {};
  }

  /** What the answers of a run would rest on, as far as it is less than everything. */
  showTrust(trust) {
    const lines = [
      ...(trust?.release ? [trust.release] : []),
      ...(trust?.not_modelled ?? []).map((phrase) => `not modelled: ${phrase}`),
      ...(trust?.unknown ?? []).map((phrase) => `not known to this version: ${phrase}`),
      ...(trust?.missing ?? []),
      ...(trust?.without_effect?.length ? [`not played, without effect here: ${trust.without_effect.join(", ")}`] : []),
    ];
    this.root.querySelector("[data-trust]").replaceChildren(...lines.map((line) => h("li", {}, line)));
  }

  /** Show what differs; what stays the same is folded under its number. `later`: so many edits happen later. */
  showFigures(figures, verdict, { unserved, later }) {
    const same = this.root.querySelector("[data-same]");
    same.hidden = true;
    if (!figures.length) return this.#showNone(verdict);
    const isShown = (row) => row.before !== row.after || (row.what === PENDING && unserved > 0);
    const [changed, equal] = [figures.filter(isShown), figures.filter((row) => !isShown(row))];
    const lines = changed.flatMap((row) => (row.what === PENDING && unserved ? [this.#line(row), unservedLine(unserved)] : [this.#line(row)]));
    this.#show(lines.length ? lines : [h("tr", {}, h("td", { class: "faint" }, noneWords(verdict, later)))]);
    same.hidden = equal.length === 0;
    same.querySelector("summary").textContent = `${count(equal.length)} ${equal.length === 1 ? "figure stays" : "figures stay"} the same`;
    same.querySelector("tbody").replaceChildren(...equal.map((row) => this.#equalLine(row)));
  }

  /** What happens at an instant is foreseen by nobody: say that the figures are those of the start. */
  showLater(later) {
    const line = this.root.querySelector("[data-later]");
    line.hidden = later === 0;
    line.textContent = `At the run's start. ${later === 1 ? "1 edit happens" : `${count(later)} edits happen`} later and ${later === 1 ? "is" : "are"} not in these figures: run it to see.`;
  }

  #showNone(verdict) {
    const words = verdict.preparing ? "known once they are tried" : verdict.untried ? "known once it has run" : "known once the problems are mended";
    this.#show([h("tr", {}, h("td", { class: "faint" }, words))]);
  }

  #show(lines) {
    this.root.querySelector("[data-figures]").replaceChildren(...lines);
  }

  #nameOf(row) {
    return `${this.names[row.what] ?? row.what}${COUNTED[row.counts] ?? ""}`;
  }

  #line(row) {
    const difference = row.after - row.before;
    const sign = difference > 0 ? "+" : "−";
    return h(
      "tr",
      { class: difference ? "changed" : null },
      h("td", {}, this.#nameOf(row)),
      h("td", { class: "num muted" }, amount(row.resource, row.before)),
      h("td", { class: "num" }, difference ? amount(row.resource, row.after) : "same"),
      h("td", { class: "num" }, difference ? `${sign}${amount(row.resource, Math.abs(difference))}` : ""),
    );
  }

  #equalLine(row) {
    return h("tr", {}, h("td", {}, this.#nameOf(row)), h("td", { class: "num" }, amount(row.resource, row.before)));
  }
}

/** What is said where no sum differs: an edit may change what none of them counts, such as a queue's weight. */
function noneWords(verdict, later) {
  if (verdict.edits.length <= later) return "nothing before the first decision";
  return "No sum differs before the first decision. What the edits change stands beside each.";
}
