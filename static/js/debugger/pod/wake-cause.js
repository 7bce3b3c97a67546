// What woke a pod before it is tried again, or is tried: the last wake-up since its last attempt. Pure.

import { callers, NOWHERE, partWords, TRIED_FROM } from "../../decisions/queue-words.js";
import { kindOf } from "../../decisions/registry.js";
import { list, strong, words } from "../words/phrases.js";
import { turnsOf } from "./waiting-chain.js";
import { lasting } from "../words/units.js";

/** Between two attempts a pod moves a few times at most. */
const LOOKED_AT = 12;
const FAILURE = "ScheduleAttemptFailure",
  TIMEOUT = "UnschedulableTimeout",
  RESTED = "BackoffComplete";

/** The decisions that may have woken a pod since its last attempt, newest first; an attempt at `at` is that to come. */
export function turnsSinceAttempt(log, pod, at) {
  const turns = turnsOf(log, pod, at, LOOKED_AT);
  const isAttempt = (seq) => log.tried.get(seq) && log.pod.get(seq) === pod;
  const before = turns.filter((seq) => seq < at || !isAttempt(seq));
  const last = before.findIndex(isAttempt);
  return last < 0 ? before : before.slice(0, last);
}

/** The last wake-up of a pod in these events, newest first: {event, wake}; null if nothing woke it. */
export function lastWake(events, uid) {
  for (const event of events) {
    const wake = (event.wakes ?? []).findLast((one) => one.pod === uid && isWakeUp(one));
    if (wake) return { event, wake };
  }
  return null;
}

/** A wake-up as a sentence of phrases, as of the instant `now`. */
export function wakeSentence({ event, wake }, now) {
  const ago = event.time < now ? `, ${lasting(now - event.time)} ago` : "";
  const way = `${partWords(wake.source)} → ${partWords(wake.target)}.`;
  if (wake.event === FAILURE)
    return [strong("Called back"), words(`${ago}: ${wake.during.join(", ")} while it was tried. ${way}`)];
  if (wake.event === TIMEOUT) return [strong("Waited for too long"), words(` without an event${ago}. ${way}`)];
  const plugins = callers(wake);
  const hint = plugins.length ? [words(": "), ...list(plugins.map((name) => words(`${name}’s hint`)))] : [];
  const isOwn = event.pod?.uid === wake.pod;
  const by = isOwn ? [words("its own change")] : kindOf(event).asCause(event);
  return [strong("Woken by "), ...by.map(bold), ...hint, words(`${ago}. ${way}`)];
}

function isWakeUp({ source, target, event, during }) {
  if (event === RESTED || source === NOWHERE || !TRIED_FROM.includes(target)) return false;
  return event === FAILURE ? during.length > 0 : !TRIED_FROM.includes(source);
}

function bold(part) {
  return { ...part, strong: true };
}
