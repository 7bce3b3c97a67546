// What a decision marks on the map: who was placed, who was evicted and from which place, who was gone at the
// end of a grace period, who waits for which node, which nodes were candidates or equally good. Pure; from the
// fold's changes and, once known, the event.

import { isEviction } from "../fold.js";

export function marksOf(fold, seq, event) {
  const marks = {
    placed: null,
    placedOn: null,
    victims: new Set(),
    gone: new Set(),
    losing: new Set(),
    before: new Map(),
    nominatedTo: null,
    created: [],
    candidates: new Set(),
    best: new Set(),
    chosen: null,
    focus: false,
  };
  if (seq <= fold.base) return marks;
  const changes = fold.changesOf(seq);
  for (const change of changes) {
    if (change.type === "bind") Object.assign(marks, { placed: change.pod, placedOn: change.node });
    else if (change.type === "delete") marks.gone.add(change.pod);
    else if (isEviction(change)) {
      marks.victims.add(change.pod);
      marks.losing.add(change.node);
    }
    else if (change.type === "create") marks.created.push(change.pod);
  }
  putBack(fold, changes, marks.before);
  if (event) markEvent(fold, event, marks);
  return marks;
}

/** Waiting pods by the node they are nominated to: Map(node -> pods). */
export function nominatedPods(fold) {
  const nominated = new Map();
  for (const pod of fold.waiting) {
    const node = fold.nominated[pod];
    if (node >= 0) nominated.set(node, [...(nominated.get(node) ?? []), pod]);
  }
  return nominated;
}

/** For each node that lost pods: its list before, with those that went, as it is drawn. */
function putBack(fold, changes, before) {
  for (const change of [...changes].reverse()) {
    if (change.type !== "evict" && change.type !== "delete") continue;
    const pods = before.get(change.node) ?? [...(fold.nodePods[change.node] ?? [])];
    if (change.position < pods.length) {
      pods.push(pods[change.position]);
      pods[change.position] = change.pod;
    } else pods.push(change.pod);
    before.set(change.node, pods);
  }
}

function markEvent(fold, event, marks) {
  const number = (name) => fold.nodeNames.numbers.get(name) ?? -1;
  if (event.kind !== "attempt") {
    marks.chosen = number(event.node);
    return;
  }
  if (event.chosen) marks.chosen = number(event.chosen);
  if (event.best?.length > 1) for (const name of event.best) marks.best.add(number(name));
  const { preemption } = event;
  if (!preemption) return;
  for (const candidate of preemption.candidates) marks.candidates.add(number(candidate.node));
  if (preemption.nominated) {
    marks.chosen = marks.nominatedTo = number(preemption.nominated);
    marks.focus = true;
  }
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
