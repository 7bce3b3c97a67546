// What the find box finds: decisions by their number, all else by a part of its name: nodes, queues, jobs, workloads,
// cards and pods. Pure.

import { CARDS } from "../../cards.js";
import { finders, isFoundAsOwn } from "../../schedulers/facts.js";
import { keyOf } from "../inspector/object-key.js";
import { plural } from "../words/units.js";

const SHOWN = 12;
/** So many of each kind are shown at first; what room is left goes to the first kinds that have more. */
const OF_EACH = 3;
/** So many pods are looked at for the best, beside one that is named in full. */
const MOST_PODS = 200;
const controllers = new WeakMap();
const lowered = new WeakMap();

/**
 * What has these lower-case letters in its name, at most SHOWN, and whether there is more: {shown, isCut}. `shown` are
 * [{name, what, title, …}] with one of `seq`, `node` (its name), `card` (an object's key), `job` (a Job without a pod
 * group) and `pod` (a uid).
 */
export function matches(parts, wanted) {
  const byKind = FINDERS.map((find) => ranked(find(parts, wanted), wanted));
  const shares = byKind.map((found) => Math.min(found.length, OF_EACH));
  let left = SHOWN - shares.reduce((sum, share) => sum + share, 0);
  byKind.forEach((found, i) => {
    const more = Math.max(0, Math.min(left, found.length - shares[i]));
    shares[i] += more;
    left -= more;
  });
  const shown = byKind.flatMap((found, i) => found.slice(0, shares[i])).slice(0, SHOWN);
  return { shown, isCut: byKind.flat().length > shown.length };
}

/** Whose name it is comes first, then whose name begins so, then in their order. */
function ranked(found, wanted) {
  const rank = ({ name, isNamed }) => {
    if (isNamed) return 0;
    const short = name.toLowerCase().slice(name.indexOf("/") + 1);
    return name.toLowerCase() === wanted || short === wanted ? 0 : short.startsWith(wanted) ? 1 : 2;
  };
  return found.map((item, i) => ({ item, i, of: rank(item) })).sort((a, b) => a.of - b.of || a.i - b.i).map(({ item }) => item);
}

function decisions({ log }, wanted) {
  if (!/^\d+$/.test(wanted) || Number(wanted) > log.end) return [];
  return [{ seq: Number(wanted), name: `decision ${Number(wanted)}`, what: "decision" }];
}

/** Names of nodes with these letters, short or whole; first the one whose short name it is. */
function nodes({ fold, names }, wanted) {
  const present = fold.presentNodes().map((node) => fold.nodes[node].name);
  const found = present.filter((name) => name.toLowerCase().includes(wanted));
  const called = names.whole(wanted);
  return found.map((name) => ({ node: name, name, what: "node", ...(name === called && { isNamed: true }) }));
}

/** Controllers of pods that no finder of a scheduler finds; a press selects one of its pods, with the others beside it. */
function workloads({ fold }, wanted) {
  const found = [...podsByWorkload(fold)].filter(([, { kind, name }]) => !isFoundAsOwn(kind) && name.toLowerCase().includes(wanted));
  // Of many that are found few are shown: their pods are counted then.
  return found.map(([, { kind, name, pods: of }]) => ({
    name,
    get pod() {
      return fold.pods[of.find((pod) => fold.hasPod(pod)) ?? of[0]].uid;
    },
    get what() {
      return `${kind}, ${plural(of.filter((pod) => fold.hasPod(pod)).length, "pod")}`;
    },
  }));
}

/** All pods of the run by their controller, which never changes: Map(workload -> {kind, name, pods}). */
function podsByWorkload(fold) {
  const kept = controllers.get(fold) ?? { read: 0, workloads: new Map() };
  controllers.set(fold, kept);
  for (; kept.read < fold.pods.length; kept.read++) {
    const { workload } = fold.pods[kept.read];
    let known = kept.workloads.get(workload);
    if (!known) {
      const [kind, ...name] = workload.split("/");
      if (!name.length) continue;
      known = { kind, name: name.join("/"), pods: [] };
      kept.workloads.set(workload, known);
    }
    known.pods.push(kept.read);
  }
  return kept.workloads;
}

function cards({ fold }, wanted) {
  const { ids, rows, present } = fold.tables.table(CARDS);
  const found = [];
  ids.forEach((key, i) => {
    const { node, index, type } = rows[i];
    const id = key.slice(node.length + 1);
    if (present[i] && [id, type ?? ""].some((text) => text.toLowerCase().includes(wanted)))
      found.push({ card: keyOf("card", key), name: id, what: `card ${index} on ${node}`, title: type });
  });
  return found;
}

function pods({ fold, names }, wanted) {
  const called = (name) => names.shown(name);
  const lower = lowerNames(fold);
  const short = `/${wanted}`;
  const found = [];
  for (let i = 0; i < lower.length; i++) {
    const isNamed = lower[i] === wanted || lower[i].endsWith(short) || fold.pods[i].uid === wanted;
    if (!isNamed && (found.length >= MOST_PODS || !lower[i].includes(wanted))) continue;
    const { namespace, name, uid } = fold.pods[i];
    found.push({ pod: uid, name: `${namespace}/${name}`, what: whereIs(fold, i, called) });
  }
  return found;
}

/** The names of all pods of the run, `namespace/name` in lower case. */
function lowerNames(fold) {
  const kept = lowered.get(fold) ?? [];
  lowered.set(fold, kept);
  for (let i = kept.length; i < fold.pods.length; i++) kept.push(`${fold.pods[i].namespace}/${fold.pods[i].name}`.toLowerCase());
  return kept;
}

const FINDERS = [decisions, nodes, ...finders, workloads, cards, pods];

/** "on node-4", "waiting", "gone"; `called(name)` is how a node is called here. */
export function whereIs(fold, pod, called = (name) => name) {
  const { node, nominated, evicted } = fold.pods[pod];
  if (!fold.hasPod(pod)) return evicted ? "evicted" : node ? "gone" : "not there yet";
  if (node) return `on ${called(node)}`;
  return nominated ? `nominated to ${called(nominated)}` : "waiting";
}
