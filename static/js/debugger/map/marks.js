// What a decision marks on the map: who was placed, who was evicted and from which place, who was gone at the
// end of a grace period, who waits for which node, which nodes came or went. Pure; from the fold, which stands at the
// decision; and where room was freed, by it or by the decision that led to it. Which nodes were chosen, candidates or equally good adds the decision's kind (decisions/), once it is known.

import { effectsOf, NODE_PODS, NODES } from "../../effects.js";
import { byOrder } from "../../tables.js";

/** `cause`: the number of the decision that led to this one, if it is known. */
export function marksOf(fold, seq, cause = null) {
  const marks = {
    placed: new Set(),
    victims: new Set(),
    gone: new Set(),
    losing: new Set(),
    before: new Map(),
    came: new Set(),
    went: new Set(),
    freed: new Map(),
    nominatedTo: null,
    created: [],
    candidates: new Set(),
    best: new Set(),
    chosen: null,
    focus: false,
    /** Of an open statement: volcano/statement.js. */
    statement: new Map(),
    fates: new Map(),
    tried: new Map(),
  };
  if (seq <= fold.base) return marks;
  const changes = fold.changesOf(seq);
  for (const { effect, pod: uid } of effectsOf(changes)) {
    const pod = fold.podIndex.get(uid);
    if (effect === "placed") marks.placed.add(pod);
    else if (effect === "arrived") marks.created.push(pod);
    else if (effect === "left" && !marks.victims.has(pod)) marks.gone.add(pod);
    else if (effect === "evicted") {
      marks.victims.add(pod);
      marks.losing.add(fold.nodeOf(pod));
    }
  }
  markNodes(fold, changes, marks);
  for (const pod of marks.gone) free(fold, pod, marks.freed);
  if (cause > fold.base)
    for (const { effect, pod: uid } of effectsOf(fold.changesOf(cause)))
      if (effect === "left") free(fold, fold.podIndex.get(uid), marks.freed);
  putBack(fold, changes, marks.before);
  return marks;
}

/** Waiting pods by the node they are nominated to: Map(node -> pods). */
export function nominatedPods(fold) {
  const nominated = new Map();
  for (const pod of fold.waiting) {
    const node = fold.nominatedTo(pod);
    if (node >= 0) nominated.set(node, [...(nominated.get(node) ?? []), pod]);
  }
  return nominated;
}

/** As nominatedPods, without those that a statement tries now. */
export function promisedPods(fold, { fates }) {
  const nominated = nominatedPods(fold);
  if (!fates.size) return nominated;
  /** @type {[number, number[]][]} */
  const left = [...nominated].map(([node, pods]) => [node, pods.filter((pod) => !fates.has(pod))]);
  return new Map(left.filter(([, pods]) => pods.length));
}

/** The nodes with terminating pods. */
export function nodesWithTerminating(fold) {
  return new Set([...fold.terminating].map((pod) => fold.nodeOf(pod)));
}

function markNodes(fold, changes, { came, went }) {
  for (const { verb, table, id } of changes) {
    if (table !== NODES) continue;
    if (verb === "appear") came.add(fold.nodeIndex.get(id));
    else if (verb === "vanish") went.add(fold.nodeIndex.get(id));
  }
}

/** Note what a pod that is gone had taken on its node, if that is still there: Map(node -> {resource: amount}). */
function free(fold, pod, freed) {
  const node = fold.nodeOf(pod);
  if (node < 0 || !fold.hasNode(node)) return;
  const amounts = freed.get(node) ?? {};
  for (const [resource, amount] of Object.entries(fold.pods[pod].requests))
    amounts[resource] = (amounts[resource] ?? 0) + amount;
  freed.set(node, amounts);
}

/** For each node that lost pods: its list with those that went where they were, as it is drawn. */
function putBack(fold, changes, before) {
  const orders = new Map();
  for (const { verb, list, of, id, order, filler } of [...changes].reverse()) {
    if (verb !== "leave" || list !== NODE_PODS) continue;
    const pod = fold.podIndex.get(id);
    if (fold.hasPod(pod)) continue;
    const node = fold.nodeIndex.get(of);
    if (!orders.has(node)) orders.set(node, new Map(fold.ordersOn(node)));
    if (filler) orders.get(node).set(fold.podIndex.get(filler.id), filler.order);
    orders.get(node).set(pod, order);
  }
  for (const [node, ordered] of orders) before.set(node, [...ordered].sort(byOrder).map(([pod]) => pod));
}

/** A node's pods while its reprieve sequence stands at `step`: who is out, who is back, who is a victim. */
export function reprieveMarks(fold, reprieve, step) {
  const states = new Map();
  for (const ref of reprieve.removed) states.set(fold.podIndex.get(ref.uid), "out");
  reprieve.steps.slice(0, step).forEach(({ pod, outcome }, i) => {
    const index = fold.podIndex.get(pod.uid);
    if (outcome === "reprieved") states.set(index, i === step - 1 ? "back-now" : "back");
    else states.set(index, i === step - 1 ? "victim-now" : "victim");
  });
  return states;
}
