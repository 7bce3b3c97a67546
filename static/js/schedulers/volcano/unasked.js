// Why no scheduler looks at a pod that waits: what it names isn't there. The engine tells it by the same rule
// (scheduler_core/volcano/unasked.py), whose words these are. Pure.

import { groupRows, isOfSessions, queueRows } from "./rows.js";
import { filled } from "../../debugger/words/scheduler.js";

/** A sentence; empty where a scheduler looks at the pod, or it waits for none. */
export function whyUnasked(fold, pod, { unasked: texts }) {
  const { scheduler, group } = fold.pods[pod];
  if (!texts || !fold.waiting.has(pod) || fold.terminating.has(pod)) return "";
  if (!fold.isServed(pod)) return sentence(texts.scheduler, { scheduler });
  if (!isOfSessions(fold, pod)) return "";
  return group ? whyIgnored(fold, group, { unasked: texts }) : sentence(texts.no_group, {});
}

/** Why sessions ignore a pod group, as a sentence; empty where they look at it. */
export function whyIgnored(fold, group, { unasked: texts }) {
  if (!texts) return "";
  const row = groupRows(fold).get(group);
  if (!row) return sentence(texts.group, { group });
  return queueRows(fold).has(row.queue) ? "" : sentence(texts.queue, { queue: row.queue });
}

function sentence(text, values) {
  const words = filled(text, values);
  return `${words[0].toUpperCase()}${words.slice(1)}.`;
}
