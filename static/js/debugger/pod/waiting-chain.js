// Why a pod still waits, as a chain, newest first: what comes next, what woke it, its attempts before. Pure.
//
// A link of the chain is {seq, time, mark, title, details}: the decision that it tells of (null for what is to come),
// its instant (null where that is open), and phrases (phrases.js).

import { kindOf } from "../../decisions/registry.js";
import { NOWHERE, partWords, TRIED_FROM } from "../../decisions/queue-words.js";
import { strong, words } from "../words/phrases.js";
import { count, lasting } from "../words/units.js";

/** What the queue itself does; any other event comes from the cluster. */
const OF_THE_QUEUE = {
  ScheduleAttemptFailure: ({ target }) => [strong("goes back"), words(` to the queue: ${partWords(target)}`)],
  BackoffComplete: () => [strong("back-off is over")],
  UnschedulableTimeout: () => [strong("waited for too long")],
};

const NEXT = {
  active: () => ({ time: null, title: "is tried in its turn", details: [] }),
  // What an attempt finds is decided when it begins and carried out when it ends.
  in_flight: ({ attempts }) => ({ time: null, title: `attempt ${attempts} ends`, details: ["what it found takes effect then"] }),
  backoff: ({ attempts, until }, now, { scheduler }) => ({
    time: until,
    title: "back-off ends",
    details: [
      until > now ? `in ${lasting(until - now)}` : "it is tried with the next flush of the queue",
      `after attempt ${attempts}: ${scheduler.backoffWords}`,
      scheduler.waits?.pops_early && "earlier if nobody else is to be tried",
    ].filter(Boolean),
  }),
  unschedulable: ({ latest, plugins }, _, { scheduler, profile }) => ({
    time: latest,
    title: "is tried again at the latest",
    details: plugins.map((plugin) => earlier(plugin, scheduler.wakeWords(profile, [plugin]))),
  }),
  gated: ({ gate, gates }) => ({
    time: null,
    title: `is tried once ${gates?.join(", ") || gate || "its gate"} ${gates?.length > 1 ? "go" : "goes"}`,
    details: gate ? [`${gate} keeps it out of the queue`] : [],
  }),
};

/** The decisions up to `at` that tried a pod or moved it in its queue, newest first, at most `most`. */
export function turnsOf(log, pod, at, most) {
  const turns = [];
  for (let seq = at; seq > log.first && turns.length < most; seq--)
    if (log.pod.get(seq) === pod || log.fold.touchesWait(seq, pod)) turns.push(seq);
  return turns;
}

/** What comes next for a pod in a part of a queue; null for a part that isn't known. `told`: {scheduler, profile}. */
export function nextLink({ part, row }, now, told) {
  if (!row || !Object.hasOwn(NEXT, part)) return null;
  const { time, title, details } = NEXT[part](row, now, told);
  return { seq: null, time, mark: "next", title: [strong(title)], details: details.map((text) => [words(text)]) };
}

/** The links of one decision for a pod, newest first. `told`: {scheduler, profile}, the pod's `schedulerName`. */
export function linksOf(event, uid, told) {
  const isOwn = event.pod?.uid === uid;
  const wakes = (event.wakes ?? []).filter((wake) => wake.pod === uid);
  const links = wakes.map((wake) => moved(event, wake, isOwn, told)).reverse();
  const outcomeWord = (kind, outcome) => told.scheduler.outcome(kind, outcome).word;
  if (!links.length && isOwn) links.push(kindOf(event).turn(event, outcomeWord));
  return links.map((link) => ({ seq: event.seq, time: event.time, ...link }));
}

function moved(event, wake, isOwn, told) {
  const { source, target, event: name } = wake;
  const answers = answerLines(wake, told);
  if (Object.hasOwn(OF_THE_QUEUE, name)) return { mark: "moved", title: OF_THE_QUEUE[name](wake), details: answers };
  const by = isOwn ? [words(name)] : kindOf(event).asCause(event);
  if (source === NOWHERE) {
    const title = [strong("comes"), words(` into the queue: ${partWords(target)}`)];
    return { mark: "moved", title, details: isOwn ? [] : [by] };
  }
  const isWoken = TRIED_FROM.includes(target) && !TRIED_FROM.includes(source);
  return {
    mark: isWoken ? "woken" : "moved",
    title: [strong(isWoken ? "woken" : "moved"), words(" by "), ...by],
    details: [...answers, ...askedBefore(event), [words(`${name}: ${partWords(source)} → ${partWords(target)}`)]],
  };
}

/** What each plugin answered to the event, and what was heard while the pod was tried. */
function answerLines({ hints, during, event }, { scheduler, profile }) {
  const lines = Object.entries(hints).map(([plugin, answer]) => {
    const reason = scheduler.answerWords(profile, plugin, event, answer);
    return `${plugin}’s hint says ${answer === "QueueSkip" ? "no" : "yes"}${reason && `: ${reason}`}`;
  });
  if (during.length) lines.push(`heard while it was tried: ${during.join(", ")}`);
  return lines.map((text) => [words(text)]);
}

/** Since which decision a pod was terminating that is gone now. */
function askedBefore({ outcome, cause }) {
  return outcome === "gone" && typeof cause === "number" ? [[words(`terminating since decision ${count(cause)}`)]] : [];
}

function earlier(plugin, wakes) {
  if (!wakes.length) return `${plugin} listens to nothing`;
  return `earlier, for ${plugin}, if ${wakes.join(", or ")}`;
}
