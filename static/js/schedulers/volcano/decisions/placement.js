// One try at a pod in a session: it gets a node for as long as its job's statement stands, waits for room that is
// being freed, fits nowhere, or is passed over unseen.

import { jobName } from "../../../job-names.js";
import { drawChanges } from "../../../debugger/inspector/tabs/changes-tab.js";
import { drawGang } from "../gang-tab.js";
import { drawGangStrip } from "../gang-strip.js";
import { drawNodes } from "../nodes-tab.js";
import { drawOrder } from "../order-tab.js";
import { drawRaw } from "../../../debugger/inspector/tabs/raw-tab.js";
import { drawSession } from "../session-tab.js";
import { drawVictims } from "../victims-tab.js";
import { list, node, pod as podPhrase, strong, words } from "../../../debugger/words/phrases.js";
import { count, plural } from "../../../debugger/words/units.js";
import { generic } from "../../../decisions/generic.js";
import { MARKS, notesOf, refusalNote, refusalParts } from "./words.js";

const LISTED = 6;

export const placement = {
  ...generic,
  kind: "placement",
  tabs: [
    { key: "session", label: "Session", draw: drawSession },
    { key: "gang", label: "Gang", draw: drawGang },
    { key: "order", label: "Order", draw: drawOrder },
    { key: "victims", label: "Victims", draw: drawVictims },
    { key: "nodes", label: "Nodes", draw: drawNodes },
    { key: "changes", label: "Changes", draw: drawChanges },
    { key: "raw", label: "Raw", draw: drawRaw },
  ],
  stops: [
    { key: "preemption", label: "a preemption", onlyIfAny: true, is: ({ victims }) => victims.length > 0 },
    { key: "unschedulable", label: "an unschedulable pod", onlyIfAny: true, is: ({ outcome }) => outcome === "refused" },
  ],

  below: drawGangStrip,

  sentence(event, /** @type {Told} */ { scheduler } = {}) {
    const said = SAID[event.outcome] ?? generic.sentence;
    return said(event, scheduler);
  },

  turn(event, outcomeWord) {
    const { kind, outcome, node: on, message, action } = event;
    return {
      mark: on ? "placed" : "failed",
      title: [strong(action), words(`: ${outcomeWord(kind, outcome)}`), ...(on ? [words(" to "), node(on)] : [])],
      details: message ? [[words(message)]] : [],
    };
  },

  isEvent: false,

  brief({ outcome, node: on }, outcomeWord) {
    if (outcome === "allocated") return { mark: MARKS.placed, words: "", node: on };
    if (outcome === "pipelined") return { mark: MARKS.pipelined, words: "", node: on };
    return { mark: outcome === "refused" ? MARKS.refused : MARKS.passed, words: outcomeWord, node: "" };
  },

  notes: (event, schedulers = []) => notesOf(event, schedulers, `for ${jobName(event.job)}`, `queue ${event.queue}`),

  unplaced: ({ outcome, pod, seq }) => (outcome === "refused" || outcome === "skipped" ? { pod: pod.uid, at: seq } : null),

  opening({ tiers, outcome, why }) {
    if (tiers.length) return "victims";
    return outcome === "refused" && why === "nodes" ? "nodes" : "session";
  },

  figures: (event) => ({ tone: toneOf(event), fits: event.nodes ? event.feasible / event.nodes : NaN }),

  mark(event, marks, at) {
    marks.tone = toneOf(event);
    if (event.best_count > 1) for (const name of event.best) marks.best.add(at.node(name));
    if (!event.node) return;
    marks.chosen = at.node(event.node);
    if (event.outcome !== "pipelined") return;
    marks.focus = event.victims.length > 0;
  },

  markdown(event) {
    const { reasons, victims } = event;
    return [
      ...(reasons.length ? [`- Nodes: ${refusalNote(event)}`] : []),
      ...victims.map(({ namespace, name, priority }) => `- evicts ${namespace}/${name} (priority ${priority})`),
    ];
  },
};

const SAID = {
  allocated: (event) => [words("Gets "), node(event.node), words(", for as long as its job's tries stand"), ...choice(event)],

  pipelined(event) {
    const { action, victims, node: on } = event;
    if (!victims.length)
      return [words("Is promised "), node(on), words(", where "), strong("room is on its way to be free"), words(". No pod is evicted for it.")];
    return [
      words(action === "reclaim" ? "Takes back room on " : "Takes room on "),
      node(on),
      words(": "),
      ...list(victims.slice(0, LISTED).map(podPhrase)),
      ...(victims.length > LISTED ? [words(` and ${count(victims.length - LISTED)} more`)] : []),
      words(victims.length === 1 ? " is to go, and it " : " are to go, and it "),
      strong(`waits for ${victims.length === 1 ? "its" : "their"} room`),
      words(". Nothing is sent out before the job's tries are committed."),
    ];
  },

  refused(event, scheduler) {
    const { why, nodes } = event;
    if (why !== "nodes") return [strong("Finds no room"), words(`: ${scheduler.refusal(event)}.`)];
    return [words("Fits on "), strong(`none of ${plural(nodes, "node")}`), words(": "), ...refusalParts(event), words(".")];
  },

  skipped: (event, scheduler) => [words("Is "), strong("passed over"), words(`: ${scheduler.refusal(event)}.`)],
};

/** By what a node was taken: the only one, the best, or one of the best. */
function choice({ nodes, feasible, best_count: equals, total }) {
  if (feasible === 1) return [words(": "), strong(nodes > 1 ? `the only one of ${count(nodes)} that fits` : "the only one"), words(".")];
  if (total === null) return [words(".")];
  const points = `with ${count(total)} points`;
  if (equals === 1) return [words(": the "), strong(`best of ${count(feasible)}`), words(` that fit, ${points}.`)];
  return [words(": one of "), strong(`${count(equals)} equally good`), words(` of ${count(feasible)} that fit, ${points}.`)];
}

function toneOf({ outcome, victims }) {
  if (outcome === "allocated") return "placed";
  if (outcome === "pipelined") return victims.length ? "preempt" : "wait";
  return outcome === "refused" ? "unsched" : "wait";
}
