// Why a pod still waits, as a chain, newest first: what comes next, what woke it, its attempts before. Pure.
//
// A link of the chain is {seq, time, mark, title, details}: the decision that it tells of (null for what is to come),
// its instant (null where that is open), and phrases (phrases.js).

import { kindOf } from "../kinds/registry.js";
import { answersOf, NOWHERE, TRIED_FROM } from "../kinds/queue-words.js";
import { pod as podPhrase, strong, words } from "./phrases.js";
import { lasting } from "./units.js";

/** What the queue itself does; any other event comes from the cluster. */
const OF_THE_QUEUE = {
  ScheduleAttemptFailure: ({ target }) => [strong("goes back"), words(` to the queue: ${target}`)],
  BackoffComplete: () => [strong("back-off is over")],
  UnschedulableTimeout: () => [strong("waited for too long")],
};

const NEXT = {
  active: () => ({ time: null, title: "is tried in its turn" }),
  in_flight: ({ attempts }) => ({ time: null, title: `attempt ${attempts} is under way` }),
  backoff: ({ until }, now) => ({
    time: until,
    title: "back-off ends",
    detail: until > now ? `in ${lasting(until - now)}` : "it is tried with the next flush of the queue",
  }),
  unschedulable: ({ latest, plugins }) => ({
    time: latest,
    title: "is tried again at the latest",
    detail: plugins.length ? `earlier if something happens that helps with ${plugins.join(", ")}` : "",
  }),
  gated: ({ gate }) => ({ time: null, title: `is tried once ${gate || "its gate"} lets it go` }),
};

/** The decisions up to `at` that tried a pod or moved it in its queue, newest first, at most `most`. */
export function turnsOf(log, pod, at, most) {
  const turns = [];
  for (let seq = at; seq > log.first && turns.length < most; seq--)
    if (log.pod.get(seq) === pod || log.fold.touchesWait(seq, pod)) turns.push(seq);
  return turns;
}

/** What comes next for a pod in a part of a queue; null for a part that isn't known. */
export function nextLink({ part, row }, now) {
  if (!row || !Object.hasOwn(NEXT, part)) return null;
  const { time, title, detail } = NEXT[part](row, now);
  return { seq: null, time, mark: "next", title: [strong(title)], details: detail ? [[words(detail)]] : [] };
}

/** The links of one decision for a pod, newest first; `outcomeWord(kind, outcome)` is the scheduler's word. */
export function linksOf(event, uid, outcomeWord) {
  const isOwn = event.pod?.uid === uid;
  const wakes = (event.wakes ?? []).filter((wake) => wake.pod === uid);
  const told = wakes.map((wake) => moved(event, wake, isOwn)).reverse();
  if (!told.length && isOwn) told.push(kindOf(event).turn(event, outcomeWord));
  return told.map((link) => ({ seq: event.seq, time: event.time, ...link }));
}

function moved(event, wake, isOwn) {
  const { source, target, event: name } = wake;
  const answers = answersOf(wake).map((text) => [words(text)]);
  if (Object.hasOwn(OF_THE_QUEUE, name)) return { mark: "moved", title: OF_THE_QUEUE[name](wake), details: answers };
  const by = isOwn ? [] : [causeOf(event)];
  if (source === NOWHERE) return { mark: "moved", title: [strong("comes"), words(` into the queue: ${target}`)], details: by };
  const isWoken = TRIED_FROM.includes(target) && !TRIED_FROM.includes(source);
  return {
    mark: isWoken ? "woken" : "moved",
    title: [strong(isWoken ? "woken" : "moved"), words(` by ${name}`)],
    details: [...by, ...answers, [words(`${source} → ${target}`)]],
  };
}

/** The decision that moved somebody else, in a few words. */
function causeOf(event) {
  const { name } = kindOf(event).who(event);
  return [event.pod ? podPhrase(event.pod) : strong(name), words(` ${event.outcome ?? ""}`)];
}
