// What a decision did to who waits, each in words: the pods that went from one part of a queue to another, and the
// cluster events that the queue heard. Pure: lists of phrases, as changes.js has them.

import { pod, strong, words } from "../debugger/words/phrases.js";
import { plural } from "../debugger/words/units.js";

/** The part that stands for being in no queue. */
export const NOWHERE = "none";
/** A hint's no. */
const SKIPS = "QueueSkip";
/** The parts of a queue as people call them. */
const PART_WORDS = { backoff: "back-off", in_flight: "in flight", none: "no queue", open: "open for a session" };
/** The parts from which a pod is tried, at once or after a while. */
export const TRIED_FROM = ["active", "backoff"];

/** A part of a queue as people call it. */
export function partWords(part) {
  return PART_WORDS[part] ?? part;
}

/** A line for each pod that moved. `cardOf(uid)` is a pod's card, or undefined. */
export function wakeLines({ wakes }, cardOf) {
  return (wakes ?? []).map((wake) => [named(wake.pod, cardOf), words(` ${way(wake)} by ${wake.event}${why(wake)}`)]);
}

/** A line for each event that the queue heard. */
export function heardLines({ heard }) {
  return (heard ?? []).map(({ event, ignored, asked }) => {
    const answer = asked ? `plugins were asked about ${plural(asked, "pod")}` : "no pod that waits is concerned";
    return [strong(event), words(`: ${ignored ? "no plugin listens to it" : answer}`)];
  });
}

/** Where a pod itself came to by a decision about it: the wake, or undefined. */
export function ownWake({ pod: own, wakes }) {
  return (wakes ?? []).find((wake) => wake.pod === own?.uid);
}

/** " It wakes 3 pods.": other pods that are tried again because of the decision. */
export function wokenWords({ pod: own, wakes }) {
  const woken = (wakes ?? []).filter(({ pod: uid, target }) => uid !== own?.uid && TRIED_FROM.includes(target));
  return woken.length ? [words(" It wakes "), strong(plural(woken.length, "pod")), words(".")] : [];
}

function named(uid, cardOf) {
  const card = cardOf(uid);
  return card ? pod(card) : strong(uid);
}

function way({ source, target }) {
  if (source === NOWHERE) return `comes to ${target}`;
  return target === NOWHERE ? `leaves ${source}` : `goes from ${source} to ${target}`;
}

/** The plugins whose hints called a pod back. */
export function callers({ hints }) {
  return Object.keys(hints).filter((plugin) => hints[plugin] !== SKIPS);
}

/** Why a pod moved: what the plugins answered, and what was heard while it was tried. */
export function answersOf({ hints, during }) {
  const answers = Object.entries(hints).map(([plugin, answer]) => `${plugin} says ${answer}`);
  return [...answers, ...(during.length ? [`heard while it was tried: ${during.join(", ")}`] : [])];
}

function why(wake) {
  const all = answersOf(wake);
  return all.length ? `; ${all.join("; ")}` : "";
}
