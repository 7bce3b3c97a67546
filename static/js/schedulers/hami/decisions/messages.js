// The events that HAMi and the kube-scheduler beside it record for an attempt, in HAMi's own words. Pure.

import { foundBy } from "../../cards/answer.js";
import { NO_CARDS, partsOf } from "../../cards/reasons.js";

const FROM = "hami-scheduler";

/** What HAMi says of a bind. */
export function bindMessages({ exchanges, pod: { namespace, name }, chosen }, object) {
  const bind = exchanges.find(({ verb }) => verb === "bind");
  if (!bind) return [];
  const told = { from: FROM, object };
  if (bind.error) return [{ ...told, type: "Warning", reason: "BindingFailed", message: bind.error }];
  return [{ ...told, type: "Normal", reason: "BindingSucceed", message: `Successfully binding node [${chosen}] to ${namespace}/${name}` }];
}

/** What it says of the nodes that it was asked about: `nodes` as answer.js describes them. */
export function filterMessages(event, nodes, object) {
  const { node } = foundBy(event);
  const told = (type, reason, message) => ({ type, reason, from: FROM, object, message });
  if (!node) return noNode(nodes).map((message) => told("Warning", "FilteringFailed", message));
  const fitting = nodes.filter(({ reason }) => !reason).sort((a, b) => (a.node < b.node ? -1 : 1));
  const listed = fitting.map((one) => `${one.node}:${one.score.toFixed(2)}`).join(",");
  const message = `find fit node(${node}), ${nodes.length - fitting.length} nodes not fit, ${fitting.length} nodes fit(${listed})`;
  return [told("Normal", "FilteringSucceed", message)];
}

/** For each reason which nodes have it, and how many nodes there were: the twin of scheduler_core/hami/extender/extender.py. */
export function noNode(refused) {
  const nodes = new Map();
  for (const { node, reason } of [...refused].sort((a, b) => (a.node < b.node ? -1 : 1))) {
    if (reason === NO_CARDS) continue;
    const counted = partsOf(reason).filter(({ cards }) => cards !== null);
    for (const word of new Set(counted.map((part) => part.word))) nodes.set(word, [...(nodes.get(word) ?? []), node]);
  }
  const byWord = [...nodes].sort(([a], [b]) => (a < b ? -1 : 1));
  const told = byWord.map(([word, names]) => `${names.length} nodes ${word}(${names.join(",")})`);
  return [...told, `no available node, ${refused.length} nodes do not meet`];
}
