// What lies under the pointer on the map, in words: the node with its loads, or the pod with what it asks for.

import { fill, h } from "../../drawing/dom.js";
import { asksWords } from "../words/asks.js";
import { amount } from "../../amounts.js";
import { count, percent } from "../words/units.js";

export class Tooltip {
  cards;
  element;
  /** @type {import("../../cluster.js").Cluster} */
  fold;
  /** @type {import("./loads.js").Loads} */
  loads;
  whyNot;

  /** `cards()`: what the map shows of nodes' cards (map.js), or null; `whyNot()`: why a pod fits nowhere, or null. */
  constructor({ element, fold, loads, log, cards = () => null, whyNot = () => null }) {
    Object.assign(this, { element, fold, loads, log, cards, whyNot });
  }

  /** Show for a hit of the map, or hide for null. */
  show(hit, event, marks) {
    if (!hit || hit.node === null) {
      this.element.hidden = true;
      return;
    }
    fill(this.element, hit.pod === null ? null : this.#pod(hit.pod, marks), this.#ofCards(hit), this.#node(hit.node, marks));
    this.element.hidden = false;
    const { offsetWidth: width, offsetHeight: height } = this.element;
    const x = Math.min(event.clientX + 14, innerWidth - width - 8);
    const y = event.clientY + 18 + height > innerHeight ? event.clientY - height - 10 : event.clientY + 18;
    this.element.style.left = `${x}px`;
    this.element.style.top = `${y}px`;
  }

  #pod(pod, { victims, gone }) {
    const card = this.fold.pods[pod];
    const terminating = card.terminating;
    return h(
      "div",
      { class: "tip-pod" },
      h("b", {}, `${card.namespace}/${card.name}`),
      h("div", {}, `priority ${card.priority} · asks ${asksWords(this.fold, card)}`),
      victims.has(pod) && h("div", { class: "tip-victim" }, "evicted by this decision"),
      gone.has(pod) &&
        h("div", { class: "tip-victim" }, terminating ? "was terminating, and is gone now" : "is gone now"),
      card.comes_back && h("div", {}, "comes back on this node when evicted"),
      terminating && !gone.has(pod) && h("div", {}, "terminating; takes its room until it is gone"),
    );
  }

  /** The card under the pointer, and who turned the node down for its cards. */
  #ofCards({ node, card: key }) {
    const cards = this.cards();
    const card = key && cards.on(node).find((one) => one.key === key);
    const refused = cards?.refusalOf(node);
    if (!card && !refused) return null;
    return h("div", { class: "tip-pod" }, card && h("div", {}, cards.wordsOf(card)), refused && h("div", { class: "tip-victim" }, refused));
  }

  #exact(node, resource) {
    const { loads } = this;
    const requested = amount(resource, loads.requested(node)[resource] ?? 0);
    return `${requested} of ${amount(resource, loads.capacity(node, resource))}`;
  }

  #node(node, { came, went }) {
    const card = this.fold.nodes[node];
    const wanted = this.loads.resources
      .filter((name) => name !== "pods" && this.loads.capacity(node, name))
      .slice(0, 5);
    return h(
      "div",
      {},
      h("b", {}, card.name),
      card.unschedulable && " · cordoned",
      this.whyNot()?.kindOf(node) && h("div", { class: "tip-victim" }, this.whyNot().saysExactly(node)),
      this.fold.failed.has(node) && h("div", { class: "tip-victim" }, "not ready"),
      came.has(node) && h("div", {}, "comes with this decision"),
      went.has(node) && h("div", { class: "tip-victim" }, "goes with this decision"),
      h(
        "table",
        {},
        wanted.map((resource) =>
          h(
            "tr",
            {},
            h("td", {}, this.loads.nameOf(resource)),
            h("td", { class: "num" }, this.#exact(node, resource)),
            h("td", { class: "num" }, percent(this.loads.share(node, resource))),
          ),
        ),
        h(
          "tr",
          {},
          h("td", {}, "pods"),
          h(
            "td",
            { class: "num" },
            `${count(this.fold.podsOn(node).length)} of ${count(card.pod_limit)}`,
          ),
          h("td"),
        ),
      ),
      card.taints
        .slice(0, 3)
        .map(({ key, value, effect }) => h("div", {}, `taint ${key}${value ? `=${value}` : ""}:${effect}`)),
    );
  }
}
