// The queues at the reader's decision: who is tried now, who waits where, in each scheduler's own order.

import { byOrder } from "../../tables.js";
import { clockAt } from "../time/clock-axis.js";
import { fill, h } from "../../drawing/dom.js";
import { first, foldEqual, foldMany, LONG, MOST_COMPARED } from "./queue-folds.js";
import { samenessOf, waitOf } from "./queue-times.js";
import { reasonCounts, shortReason } from "../words/reasons.js";
import { count } from "../words/units.js";
import { isOfSessions } from "../../schedulers/facts.js";

const SHOWN = { active: 9, backoff: 6, unschedulable: 8, gated: 4, nominated: 6 };
/** How many are shown of a part that isn't known here. */
const FEW = 4;
/** The parts of a queue from its head; shown even where nobody waits are the first and the third. */
const PARTS = ["active", "backoff", "unschedulable", "gated", "in_flight"];
const ALWAYS = ["active", "unschedulable"];
/** Parts whose pods are told as one where they wait for the same. */
const FOLDED = ["backoff", "unschedulable", "gated"];
/** So many reasons of an attempt are named. */
const NAMED = 2;
const MORE = 150;
/** As the run's trust counts pods that it leaves out: "2 pods with devices". */
const OF_PODS_LEFT_OUT = /^[\d,]+ pods? with /;
// Names of one controller or one pool differ in their ends, so the end is never cut off.
const TAIL = 5;
const LABELS = {
  active: "active",
  backoff: "back-off",
  unschedulable: "unschedulable",
  gated: "gated",
  in_flight: "in flight",
  nominated: "nominated",
};

export class QueuePanel {
  element;
  /** @type {import("../../cluster.js").Cluster} */
  fold;
  /** @type {import("../log/log.js").Log} */
  log;
  /** @type {import("../names/node-names.js").NodeNames} */
  names;
  notModelled;
  onPod;
  /** @type {import("../reading.js").Reading} */
  reading;
  /** @type {import("../words/scheduler.js").Scheduler} */
  scheduler;
  /** @type {import("../log/standing.js").Standing} */
  standing;

  /** `parts`: {element, fold, log, names, notModelled, reading, scheduler, standing, onPod(uid)}; `notModelled`: the run's phrases. */
  constructor(parts) {
    Object.assign(this, parts);
    this.open = new Set();
    this.reading.when([this.standing, "gated", "pod", "time", "wholeNames"], () => this.draw());
  }

  /** What comes before the order of entry: the priority, except where the queue is first in, first out. */
  #precedence(pod) {
    return this.scheduler.playing.in_turn ? 0 : this.fold.pods[pod].priority;
  }

  draw() {
    const { fold, log } = this;
    const queues = fold.queues();
    const { nominated, apart } = this.#waiting(queues);
    const gated = log.gatedLater();
    const notTaken = apart.filter((pod) => fold.isServed(pod) && !isOfSessions(fold, pod) && !gated.has(pod)).length;
    const now = fold.at > log.first ? log.pod.get(fold.at) : -1;
    fill(
      this.element,
      h("h2", { class: "label" }, "Queue"),
      this.scheduler.playing.in_turn && h("p", { class: "queue-order" }, this.#order()),
      this.#now(now),
      queues.map((queue) => this.#queue(queue, queues.length > 1)),
      nominated.length > 0 &&
        this.#part("nominated", nominated, { isNode: true, note: (pod) => fold.pods[pod].nominated }),
      gated.size > 0 && h("p", { class: "queue-apart" }, `${count(gated.size)} held back by scheduling gates, as decisions to come say`),
      notTaken > 0 && h("p", { class: "queue-apart" }, notTakenWords(notTaken, this.notModelled)),
      byScheduler(fold, apart).map(([name, pods]) =>
        h("p", { class: "queue-apart" }, `${count(pods)} left alone: of the scheduler ${name}, which nobody plays`),
      ),
    );
  }

  /** Of those who wait: who is nominated, [[pod, order]], and who is in no queue. */
  #waiting(queues) {
    const { fold } = this;
    const [isQueued, nominated, apart] = [new Uint8Array(fold.pods.length), [], []];
    for (const { parts } of queues)
      for (const members of parts.values())
        for (const member of members) {
          isQueued[member[0]] = 1;
          if (fold.pods[member[0]].nominated && fold.waiting.has(member[0])) nominated.push(member);
        }
    for (const pod of fold.waiting) {
      if (isQueued[pod]) continue;
      apart.push(pod);
      if (fold.pods[pod].nominated) nominated.push([pod, 0]);
    }
    return { nominated, apart };
  }

  /** One scheduler's queue; it is called by the scheduler's name only where there is another. */
  #queue({ actor, parts }, isOneOfMany) {
    const shown = partsToShow(parts).map((part) => {
      const key = isOneOfMany ? `${actor}/${part}` : part;
      const wait = (pod) => this.#wait(actor, part, pod);
      const same = FOLDED.includes(part) && this.fold.hasClock ? (pod) => this.#sameness(actor, part, pod) : null;
      return this.#part(part, parts.get(part) ?? [], { key, wait, same, ...this.#manner(part) });
    });
    if (!isOneOfMany) return shown;
    return h(
      "section",
      { class: "queue-of", data: { key: `queue ${actor}` }, aria: { label: `queue of ${actor}` } },
      h("h3", { class: "queue-actor" }, actor),
      shown,
    );
  }

  /** What a part says beside each pod, and in which order they are. */
  #manner(part) {
    const { pods } = this.fold;
    const byPriority = (a, b) => this.#precedence(b[0]) - this.#precedence(a[0]) || byOrder(a, b);
    const manners = {
      active: { note: (pod) => pods[pod].priority, order: byPriority, isNoteShared: true },
      backoff: { note: (pod) => this.#attempts(pod) },
      unschedulable: { note: (pod) => this.#why(pod) },
    };
    return manners[part] ?? {};
  }

  /** For how long a pod waits and why, where a clock moves; else null. */
  #wait(actor, part, pod) {
    const { fold, scheduler } = this;
    if (!fold.hasClock) return null;
    const row = fold.waitingRow(actor, pod);
    const wakes = row ? scheduler.wakeWords(fold.pods[pod].scheduler, row.plugins) : [];
    const why = part === "unschedulable" ? this.#lacked(pod, row) : "";
    return waitOf(part, row, clockAt(fold, this.reading), { why, wakes });
  }

  /** What pods that are told as one have in common. */
  #sameness(actor, part, pod) {
    const row = this.fold.waitingRow(actor, pod);
    return samenessOf(part, row, part === "unschedulable" ? this.log.reasonOf(this.#attemptBefore(pod, row)) : "");
  }

  /** The attempt that a pod waits since, or 0: found from there on, since to look from now back would take long. */
  #attemptBefore(pod, row) {
    const { fold, log } = this;
    return log.lastAttempt(pod, row ? Math.min(fold.at, fold.seqAt(row.since)) : fold.at);
  }

  /** What the last attempt lacked, on how many nodes; of one that is no longer held here what most nodes lacked. */
  #lacked(pod, row) {
    const { log } = this;
    const seq = this.#attemptBefore(pod, row);
    if (!seq) return "";
    const counted = reasonCounts(log.event(seq)?.rejections ?? []).slice(0, NAMED);
    if (!counted.length) return shortReason(log.reasonOf(seq));
    return counted.map(([reason, nodes]) => `${shortReason(reason)} on ${count(nodes)}`).join(", ");
  }

  /** Who comes first, where it isn't whoever is the most important. */
  #order() {
    const { why_in_turn: whyInTurn } = this.scheduler.playing;
    return whyInTurn ? `first in, first out: ${whyInTurn}` : "first in, first out";
  }

  #now(pod) {
    const begun = this.fold.at > this.log.first;
    return h(
      "section",
      { class: "queue-part", data: { key: "now" } },
      h("h3", {}, h("span", {}, "now"), h("span", {}, "priority")),
      pod >= 0
        ? h("ul", {}, this.#row(pod, this.fold.pods[pod].priority, { current: true }))
        : h("p", { class: "queue-none" }, begun ? "no pod of the queue" : "before the first decision"),
    );
  }

  /** The first rows of a part: [{pods, name: of their workload, or ""}]. */
  #rows(members, wanted, { same, order, note, isNode }) {
    const { pods } = this.fold;
    const isLong = members.length > LONG && !isNode;
    if (isLong && members.length > MOST_COMPARED) return foldMany(members, pods, order, wanted, MORE);
    if (same || isLong) return foldEqual([...members].sort(order), pods, same ?? note).slice(0, wanted);
    return first(members, wanted, order).map(([pod]) => ({ pods: [pod], name: "" }));
  }

  /**
   * `members`: [[pod, order]]; `key` is what the part is remembered by when it is unfolded; `isNoteShared`: pods of one row have
   * the same note, however many they are.
   */
  #part(name, members, manner) {
    const { key = name, note = (_pod) => "", wait = (_pod) => null, isNoteShared = false, isNode = false } = manner;
    const opened = this.open.has(key);
    const wanted = opened ? MORE : (SHOWN[name] ?? FEW);
    const rows = this.#rows(members, wanted, { same: null, order: byOrder, ...manner, note });
    const isCompared = isNoteShared || members.length <= MOST_COMPARED;
    const isFolded = members.length > LONG && rows.some(({ name: shared }) => shared);
    const rest = members.length - rows.reduce((sum, { pods }) => sum + pods.length, 0);
    return h(
      "section",
      { class: "queue-part", data: { part: name, key: `part ${key}` } },
      h(
        "h3",
        { title: this.#title(name) },
        h("span", {}, LABELS[name] ?? name, isFolded && " by workload"),
        h("span", {}, count(members.length)),
      ),
      h(
        "ul",
        {},
        rows.map(({ pods, name: shared }) => {
          const isTold = pods.length === 1 || isCompared;
          const waits = isTold ? wait(pods[0]) : null;
          const said = waits?.note ?? (isTold ? note(pods[0]) : "");
          return shared ? this.#folded(key, pods, shared, said, waits) : this.#row(pods[0], said, { isNode, waits });
        }),
      ),
      (rest > 0 || opened) &&
        h(
          "button",
          {
            type: "button",
            class: "queue-more",
            data: { key: `more ${key}` },
            aria: { expanded: opened },
            onclick: () => {
              if (!this.open.delete(key)) this.open.add(key);
              this.draw();
            },
          },
          opened ? (rest > 0 ? `fewer (${count(rest)} not listed)` : "fewer") : `${count(rest)} more`,
        ),
    );
  }

  /** Pods that wait for the same as one row, which is unfolded by a press; open if one of them is selected. */
  #folded(part, pods, name, note, waits) {
    const { fold, open, reading } = this;
    const { namespace, uid, workload } = fold.pods[pods[0]];
    const key = `${part} ${workload} ${uid}`;
    const unfolded = open.has(key);
    const hasSelected = pods.some((pod) => fold.pods[pod].uid === reading.pod);
    const press = () => {
      if (!open.delete(key)) open.add(key);
      this.draw();
    };
    const props = {
      type: "button",
      title: [`${workload}: ${count(pods.length)} pods`, note].filter((words) => words !== "").join(" · "),
      class: `queue-row${hasSelected ? " selected" : ""}`,
      data: { key },
      aria: { expanded: unfolded },
      onclick: press,
    };
    const named = withTail(name, h("span", { class: "queue-namespace" }, `${namespace}/`));
    const times = h("span", { class: "queue-times" }, `×${count(pods.length)}`);
    return h(
      "li",
      {},
      h(
        "button",
        props,
        h("span", { class: "queue-name" }, named, times),
        h("span", { class: "queue-note" }, h("span", { class: "queue-head" }, note)),
      ),
      waits && drawWait(waits),
      unfolded && h("ul", { class: "queue-folded" }, pods.slice(0, MORE).map((pod) => this.#row(pod, ""))),
      unfolded && pods.length > MORE && h("p", { class: "queue-none" }, `${count(pods.length - MORE)} more`),
    );
  }

  #row(pod, note, { current = false, isNode = false, waits = null } = {}) {
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
          data: { key: `pod ${card.uid}` },
          onclick: () => this.onPod(card.uid),
        },
        h(
          "span",
          { class: "queue-name" },
          withTail(card.name, h("span", { class: "queue-namespace" }, `${card.namespace}/`)),
        ),
        h("span", { class: "queue-note" }, isNode ? withTail(this.names.short(noted)) : h("span", { class: "queue-head" }, noted)),
      ),
      waits && drawWait(waits),
    );
  }

  #title(name) {
    if (name !== "nominated") return null;
    const { stands_in: where, is_held: isHeld } = this.scheduler.nomination;
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

/** The parts of a queue to show, from its head; those that aren't known here come last. */
export function partsToShow(parts) {
  const others = [...parts.keys()].filter((part) => !PARTS.includes(part)).sort();
  return [...PARTS, ...others].filter((part) => ALWAYS.includes(part) || parts.get(part)?.length);
}

/**
 * Pods that a scheduler of the run would take and that are not in its queue, with what the run says of pods that it
 * leaves out. The other phrases about what is not modelled are no reason to wait.
 */
export function notTakenWords(pods, notModelled) {
  const leftOut = notModelled.filter((phrase) => OF_PODS_LEFT_OUT.test(phrase));
  return [`${count(pods)} not in the queue`, leftOut.join("; ")].filter(Boolean).join(": ");
}

/** How many of the pods each scheduler would have that isn't played: [[name, pods]]. */
function byScheduler(fold, pods) {
  const counts = new Map();
  for (const pod of pods.filter((pod) => !fold.isServed(pod))) {
    const { scheduler } = fold.pods[pod];
    counts.set(scheduler, (counts.get(scheduler) ?? 0) + 1);
  }
  return [...counts].sort();
}

/** What is said below a pod that waits; the bar of a back-off only draws what the note says. */
function drawWait({ left, lines }) {
  const bar = () => h("span", { class: "queue-left", aria: { hidden: true } }, h("i", { style: { width: `${left * 100}%` } }));
  const said = lines.map(({ of, text }) => h("span", { class: `wait-${of}`, title: of === "wakes" ? text : null }, text));
  return [left !== null && bar(), lines.length > 0 && h("p", { class: "queue-why" }, said)];
}

/** A name whose beginning gives way where there is no room, and never its end. */
export function withTail(name, before = null) {
  const head = h("span", { class: "queue-head" }, before, name.slice(0, -TAIL));
  return [head, h("span", {}, name.slice(-TAIL))];
}
