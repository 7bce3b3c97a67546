// A scheduler tries a pod: it is placed, makes room by preemption, fits nowhere, or is held at the gate.

import { h } from "../drawing/dom.js";
import { drawEvents } from "../debugger/inspector/tabs/events-tab.js";
import { drawFilter } from "../debugger/inspector/tabs/filter-tab.js";
import { drawPreemption } from "../debugger/inspector/tabs/preemption-tab.js";
import { drawRaw } from "../debugger/inspector/tabs/raw-tab.js";
import { drawScores } from "../debugger/inspector/tabs/scores-tab.js";
import { node, strong, words } from "../debugger/words/phrases.js";
import { filled } from "../debugger/words/scheduler.js";
import { drawClaims } from "./attempt-claims.js";
import { waitsForGroup } from "./attempt-group.js";
import { attemptMarkdown } from "./attempt-markdown.js";
import { attemptSentence, clusterSaid, leadSentence } from "./attempt-sentence.js";
import { attemptVerdicts } from "./attempt-verdicts.js";
import { generic, whenNotes } from "./generic.js";

const TONES = {
  scheduled: "placed",
  nominated: "preempt",
  unschedulable: "unsched",
  gated: "wait",
  error: "unsched",
};

const ended = (wanted) => (event) => event.outcome === wanted;

export const attempt = {
  ...generic,
  kind: "attempt",
  tabs: [
    { key: "filter", label: "Filter", draw: drawFilter },
    { key: "scores", label: "Scores", draw: drawScores },
    { key: "preemption", label: "Preemption", draw: drawPreemption },
    { key: "events", label: "Events", draw: drawEvents },
    { key: "raw", label: "Raw", draw: drawRaw },
  ],
  stops: [
    { key: "preemption", label: "a preemption", is: ended("nominated"), index: { kind: "attempt", outcome: "nominated" } },
    { key: "unschedulable", label: "an unschedulable pod", is: ended("unschedulable"), index: { kind: "attempt", outcome: "unschedulable" } },
    { key: "placed", label: "a placed pod", is: ended("scheduled"), index: { kind: "attempt", outcome: "scheduled" } },
    { key: "gated", label: "a gated pod", is: ended("gated"), index: { kind: "attempt", outcome: "gated" } },
  ],

  sentence: attemptSentence,

  turn({ kind, attempt: number, outcome, chosen, message }, outcomeWord) {
    const where = chosen ? [words(" to "), node(chosen)] : [];
    return {
      mark: chosen ? "placed" : "failed",
      title: [strong(`attempt ${number}`), words(`: ${outcomeWord(kind, outcome)}`), ...where],
      details: message ? [[words(message)]] : [],
    };
  },

  brief({ outcome, node: on, evicted, fits }, outcomeWord) {
    if (outcome === "scheduled") return { mark: "→", words: "", node: on };
    if (outcome === "nominated") return { mark: "▼", words: evicted ? `evicts ${evicted}` : outcomeWord, node: on };
    return outcome === "unschedulable"
      ? { mark: "✕", words: fits > 0 ? "waits for its gang" : "fits nowhere", node: "" }
      : { mark: "", words: outcomeWord, node: "" };
  },

  isEvent: false,

  /** The plugin that decided is known once the scores have come. */
  async lead(event, evidence) {
    if (event.total === null || event.best_count !== 1 || waitsForGroup(event)) return [];
    return leadSentence(await evidence.scores(event.seq), event.best);
  },

  /** Who tries the pod is said only where there are several. */
  notes: (event, schedulers = []) => [
    ...(event.attempt > 1 ? [`attempt ${event.attempt}`] : []),
    ...(schedulers.length > 1 ? [`by ${event.actor}`] : []),
    ...whenNotes(event),
  ],

  /** Whether the scheduler looked at nodes, so that one may ask why not this one. */
  asksNodes: ({ outcome }) => outcome !== "gated",

  unplaced: ({ outcome, pod, seq }) => (outcome === "unschedulable" ? { pod: pod.uid, at: seq - 1 } : null),

  opening({ outcome, total }) {
    if (outcome === "nominated") return "preemption";
    return outcome === "scheduled" && total !== null ? "scores" : "filter";
  },

  figures: (event) => ({ tone: TONES[event.outcome] ?? "other", fits: shareThatFits(event) }),

  mark(event, marks, at) {
    const { chosen, best, best_count: equals, preemption } = event;
    marks.tone = TONES[event.outcome] ?? "ink";
    if (chosen) marks.chosen = at.node(chosen);
    if (equals > 1) for (const name of best) marks.best.add(at.node(name));
    for (const { node } of preemption?.candidates ?? []) marks.candidates.add(at.node(node));
    if (!preemption?.nominated) return;
    marks.chosen = marks.nominatedTo = at.node(preemption.nominated);
    marks.focus = true;
  },

  below: (tools, event) => [
    ...drawClaims(event),
    event.cluster_said && h("p", { class: "cluster-said small" }, clusterSaid(event)),
  ],

  verdicts: attemptVerdicts,

  messages: attemptMessages,

  markdown: attemptMarkdown,
};

/** Which share of the nodes could take the pod; unknown if only its nominated node was asked. */
function shareThatFits({ nodes, visited, feasible, chosen, nominated_before: nominated }) {
  if (!nodes) return NaN;
  if (nominated && nominated === chosen && visited < nodes) return NaN;
  return visited ? feasible / nodes : 0;
}

/** The events that `kubectl` shows for an attempt, as the scheduler's version words them. */
function attemptMessages(event, { events }) {
  const { pod, chosen, outcome, preemption, profile: from } = event;
  const objectOf = ({ name }) => filled(events.object, { pod: name });
  const object = objectOf(pod);
  const texts = { pod: pod.name, namespace: pod.namespace, uid: pod.uid };
  if (outcome === "scheduled") {
    const message = filled(events.assigned, { ...texts, node: chosen });
    return [{ type: "Normal", reason: "Scheduled", from, object, message }];
  }
  // Of a pod that PreEnqueue holds back the scheduler writes no event.
  if (outcome === "gated") return [];
  const failed = event.message ? [{ type: "Warning", reason: "FailedScheduling", from, object, message: event.message }] : [];
  const preempted = (preemption?.victims ?? []).map((victim) => ({
    type: "Normal",
    reason: "Preempted",
    from,
    object: objectOf(victim),
    message: filled(events.preempted, { ...texts, node: preemption.nominated }),
  }));
  return [...failed, ...preempted];
}
