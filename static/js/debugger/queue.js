// The queue at the reader's decision: who is tried now, who waits where, in the scheduler's own order.

import { PARTS } from "../fold.js";
import { fill, h } from "./dom.js";
import { shortReason } from "./sentence.js";
import { count } from "./units.js";

const SHOWN = { active: 9, backoff: 6, unschedulable: 8, gated: 4, nominated: 6 };
const MORE = 150;
// Names of one controller or one pool differ in their ends, so the end is never cut off.
const TAIL = 5;
const LABELS = {
  active: "active",
  backoff: "back-off",
  unschedulable: "unschedulable",
  gated: "gated",
  nominated: "nominated",
};

export class QueuePanel {
  /** `parts`: {element, fold, log, names, reading, release, onPod(uid)} */
  constructor(parts) {
    Object.assign(this, parts);
    this.open = new Set();
    this.reading.when(["pod", "wholeNames"], () => this.draw());
  }

  /** What comes before the order of entry: the priority, except where the queue is first in, first out. */
  #precedence(pod) {
    return this.release.inTurn ? 0 : this.fold.pods[pod].priority;
  }

  draw() {
    const { fold, log } = this;
    const parts = { active: [], backoff: [], unschedulable: [], gated: [] };
    const nominated = [];
    let apart = 0;
    for (const pod of fold.waiting) {
      const part = PARTS[fold.part[pod]];
      if (part) parts[part].push(pod);
      else apart++;
      if (fold.nominated[pod] >= 0) nominated.push(pod);
    }
    const now = fold.at > log.first ? log.pod.get(fold.at) : -1;
    fill(
      this.element,
      h("h2", { class: "label" }, "Queue"),
      this.release.inTurn && h("p", { class: "queue-order" }, this.#order()),
      this.#now(now),
      this.#part(
        "active",
        parts.active,
        (pod) => fold.pods[pod].priority,
        (a, b) => this.#precedence(b) - this.#precedence(a) || fold.order[a] - fold.order[b],
      ),
      parts.backoff.length > 0 && this.#part("backoff", parts.backoff, (pod) => this.#attempts(pod)),
      this.#part("unschedulable", parts.unschedulable, (pod) => this.#why(pod)),
      parts.gated.length > 0 && this.#part("gated", parts.gated, () => ""),
      nominated.length > 0 &&
        this.#part("nominated", nominated, (pod) => fold.nodeNames.name(fold.nominated[pod])),
      apart > 0 &&
        h(
          "p",
          { class: "queue-apart", title: "Not yet in the queue, or of another scheduler" },
          `${count(apart)} not in the queue`,
        ),
    );
  }

  /** Who comes first, where it isn't whoever is the most important. */
  #order() {
    const { whyInTurn } = this.release;
    return whyInTurn ? `first in, first out: ${whyInTurn}` : "first in, first out";
  }

  #now(pod) {
    return h(
      "section",
      { class: "queue-part" },
      h("h3", {}, h("span", {}, "now"), h("span", {}, "priority")),
      pod >= 0
        ? h("ul", {}, this.#row(pod, this.fold.pods[pod].priority, { current: true }))
        : h("p", { class: "queue-none" }, "before the first decision"),
    );
  }

  #part(name, pods, note, order = (a, b) => this.fold.order[a] - this.fold.order[b]) {
    const opened = this.open.has(name);
    const shown = first(pods, opened ? MORE : SHOWN[name], order);
    const rest = pods.length - shown.length;
    return h(
      "section",
      { class: "queue-part", data: { part: name } },
      h("h3", { title: this.#title(name) }, h("span", {}, LABELS[name]), h("span", {}, count(pods.length))),
      h(
        "ul",
        {},
        shown.map((pod) => this.#row(pod, note(pod), { isNode: name === "nominated" })),
      ),
      (rest > 0 || opened) &&
        h(
          "button",
          {
            type: "button",
            class: "queue-more",
            aria: { expanded: opened },
            onclick: () => {
              if (!this.open.delete(name)) this.open.add(name);
              this.draw();
            },
          },
          opened ? (rest > 0 ? `fewer (${count(rest)} not listed)` : "fewer") : `${count(rest)} more`,
        ),
    );
  }

  #row(pod, note, { current = false, isNode = false }) {
    const card = this.fold.pods[pod];
    const name = `${card.namespace}/${card.name}`;
    const noted = String(note);
    return h(
      "li",
      {},
      h(
        "button",
        {
          type: "button",
          title: noted ? `${name} · ${noted}` : name,
          class: `queue-row${current ? " current" : ""}${this.reading.pod === card.uid ? " selected" : ""}`,
          onclick: () => this.onPod(card.uid),
        },
        h(
          "span",
          { class: "queue-name" },
          withTail(card.name, h("span", { class: "queue-namespace" }, `${card.namespace}/`)),
        ),
        h("span", { class: "queue-note" }, isNode ? withTail(this.names.short(noted)) : h("span", { class: "queue-head" }, noted)),
      ),
    );
  }

  #title(name) {
    if (name !== "nominated") return null;
    const { annotation, isHeld } = this.release;
    const where = annotation ? `the annotation ${annotation}` : "status.nominatedNodeName";
    return `noted in ${where}${isHeld ? "" : "; nothing holds the room"}`;
  }

  #attempts(pod) {
    const seq = this.log.lastAttempt(pod, this.fold.at);
    return seq ? `attempt ${this.log.attempt.get(seq)}` : "";
  }

  #why(pod) {
    const seq = this.log.lastAttempt(pod, this.fold.at);
    return seq ? shortReason(this.log.reasonOf(seq)).replace(/^insufficient (.*\/)?/, "") : "";
  }
}

/** A name whose beginning gives way where there is no room, and never its end. */
function withTail(name, before = null) {
  const head = h("span", { class: "queue-head" }, before, name.slice(0, -TAIL));
  return [head, h("span", {}, name.slice(-TAIL))];
}

/** The first few of many in an order, without sorting all of them. */
export function first(items, wanted, order) {
  if (items.length <= wanted * 4) return [...items].sort(order).slice(0, wanted);
  const kept = [];
  for (const item of items) {
    if (kept.length === wanted && order(item, kept[wanted - 1]) >= 0) continue;
    let place = kept.length;
    while (place > 0 && order(item, kept[place - 1]) < 0) place--;
    kept.splice(place, 0, item);
    if (kept.length > wanted) kept.pop();
  }
  return kept;
}
