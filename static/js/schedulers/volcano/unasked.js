// Why sessions don't look at a pod that waits for them: what it names isn't there. The engine tells it by the same rule
// (scheduler_core/schedulers/unasked.py), whose words these are. Pure.

import { filledSentence } from "../../debugger/words/scheduler.js";
import { groupRows, queueRows } from "./rows.js";

/** Why sessions ignore a pod that asks for their scheduler, as a sentence; empty where they look at it. */
export function whyIgnoresPod(fold, pod, texts) {
  const { group } = fold.pods[pod];
  return group ? whyIgnored(fold, group, { unasked: texts }) : filledSentence(texts.no_group, {});
}

/** Why sessions ignore a pod group, as a sentence; empty where they look at it. */
export function whyIgnored(fold, group, { unasked: texts }) {
  if (!texts) return "";
  const row = groupRows(fold).get(group);
  if (!row) return filledSentence(texts.group, { group });
  return queueRows(fold).has(row.queue) ? "" : filledSentence(texts.queue, { queue: row.queue });
}
