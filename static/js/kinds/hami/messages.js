// The events that HAMi and the kube-scheduler beside it record for an attempt, in HAMi's own words. Pure.

import { foundBy, refusedBy } from "../../debugger/hami/answer.js";
import { NO_CARDS, partsOf } from "../../debugger/hami/reasons.js";

const FROM = "hami-scheduler";

/** HAMi's events. What it says of a node that it found has every node's score, which the log doesn't hold. */
export function hamiMessages(event, object) {
  const found = foundBy(event);
  const told = (type, reason, message) => ({ type, reason, from: FROM, object, message });
  if (!found.node) return noNode(refusedBy(event)).map((message) => told("Warning", "FilteringFailed", message));
  const bind = event.exchanges.find(({ verb }) => verb === "bind");
  if (!bind) return [];
  if (bind.error) return [told("Warning", "BindingFailed", bind.error)];
  const { namespace, name } = event.pod;
  return [told("Normal", "BindingSucceed", `Successfully binding node [${found.node}] to ${namespace}/${name}`)];
}

/** For each reason which nodes have it, and how many nodes there were: the twin of scheduler_core/hami/extender.py. */
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
