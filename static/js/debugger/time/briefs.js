// A decision in a few words, for who has little room: from the log's columns, so that it costs nothing. Pure.

import { TONES } from "../../decisions/figures.js";
import { kindOf } from "../../decisions/registry.js";

/** {seq, tone, pod: "namespace/name" of the pod or the job, or "", attempt, mark, words, node: its name or ""} of a decision. */
export function briefOf({ log, figures, scheduler }, seq) {
  const { kind, outcome } = figures.endingOf(seq);
  const { fold } = log;
  const [pod, on] = [log.pod.get(seq), log.chosen.get(seq)];
  const node = on >= 0 ? fold.nodes[on].name : "";
  const word = scheduler.outcome(kind, outcome).word || kind;
  const said = kindOf({ kind }).brief({ outcome, node, evicted: log.evictions.get(seq), fits: figures.fits.get(seq) }, word);
  const name = pod >= 0 ? `${fold.pods[pod].namespace}/${fold.pods[pod].name}` : figures.sessions.jobOf(seq);
  return { seq, tone: TONES[figures.tone.get(seq)], pod: name, attempt: log.attempt.get(seq), ...said };
}

/** "2nd try"; nothing of the first. */
export function tryWords(attempt) {
  if (attempt < 2) return "";
  const isTeen = attempt % 100 >= 11 && attempt % 100 <= 13;
  const ending = isTeen ? "th" : (["th", "st", "nd", "rd"][attempt % 10] ?? "th");
  return `${attempt}${ending} try`;
}
