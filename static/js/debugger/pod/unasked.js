// Why no scheduler looks at a pod that waits: what it names isn't there. Pure.

import { isOfSessions, whySessionsIgnore } from "../../schedulers/facts.js";
import { filledSentence } from "../words/scheduler.js";

/** A sentence; empty where a scheduler looks at the pod, or it waits for none. */
export function whyUnasked(fold, pod, { unasked: texts }) {
  const { scheduler } = fold.pods[pod];
  if (!texts || !fold.waiting.has(pod) || fold.terminating.has(pod)) return "";
  if (!fold.isServed(pod)) return filledSentence(texts.scheduler, { scheduler });
  return isOfSessions(fold, pod) ? whySessionsIgnore(fold, pod, texts) : "";
}
