// What becomes of a job's tries: all of them are committed, wait on in the session, or are taken back.

import { jobName, named } from "../../../job-names.js";
import { drawChanges } from "../../../debugger/inspector/tabs/changes-tab.js";
import { drawEvents } from "../../../debugger/inspector/tabs/events-tab.js";
import { drawGang } from "../gang-tab.js";
import { drawGangStrip } from "../gang-strip.js";
import { drawOrder } from "../order-tab.js";
import { drawRaw } from "../../../debugger/inspector/tabs/raw-tab.js";
import { drawSession } from "../session-tab.js";
import { strong, words } from "../../../debugger/words/phrases.js";
import { count, plural } from "../../../debugger/words/units.js";
import { generic } from "../../../decisions/generic.js";
import { gangMessages } from "./messages.js";
import { MARKS, nameInJob, notesOf, podsAre, refusalNote } from "./words.js";

const BRIEF_MARKS = { committed: MARKS.committed, kept: MARKS.pipelined, discarded: MARKS.back };
const became = (wanted) => ({ outcome }) => outcome === wanted;

export const gang = {
  ...generic,
  kind: "gang",
  tabs: [
    { key: "session", label: "Session", draw: drawSession },
    { key: "gang", label: "Gang", draw: drawGang },
    { key: "order", label: "Order", draw: drawOrder },
    { key: "events", label: "Events", draw: drawEvents },
    { key: "changes", label: "Changes", draw: drawChanges },
    { key: "raw", label: "Raw", draw: drawRaw },
  ],
  stops: [
    { key: "discarded", label: "a gang that is taken back", onlyIfAny: true, is: became("discarded") },
    { key: "committed", label: "a gang that is committed", onlyIfAny: true, is: became("committed") },
    { key: "placed", label: "a placed pod", onlyIfAny: true, is: ({ bound }) => bound.length > 0 },
  ],

  below: drawGangStrip,

  who: ({ job }) => named(job, jobName(job)),

  sentence(event, /** @type {Told} */ { statement = [], scheduler } = {}) {
    const said = SAID[event.outcome] ?? generic.sentence;
    return said(event, statement, scheduler);
  },

  asCause: ({ job, outcome }) => [words(outcome === "committed" ? "the commit of " : "the end of the tries of "), strong(jobName(job))],

  brief: ({ outcome, evicted }, outcomeWord) =>
    evicted ? { mark: MARKS.evicts, words: `evicts ${count(evicted)}`, node: "" } : { mark: BRIEF_MARKS[outcome] ?? "", words: outcomeWord, node: "" },

  notes: (event, schedulers = []) =>
    notesOf(event, schedulers, `queue ${event.queue}`, plural(event.pods, "pod"), `minimum ${count(event.min_available)}`),

  unplaced: ({ outcome, job, seq }) => (outcome === "discarded" ? { job, at: seq } : null),

  opening: () => "session",

  figures: (event) => ({ tone: toneOf(event), fits: NaN }),

  /** Who is bound stands out again: its try has shown it on its node before. */
  mark(event, marks, at) {
    marks.tone = toneOf(event);
    for (const { uid } of event.bound) marks.placed.add(at.pod(uid));
  },

  messages: gangMessages,

  markdown(event) {
    const lines = [
      ["bound", event.bound],
      ["evicted", event.evicted],
      ["waits for room", event.pipelined],
    ];
    return lines.filter(([, pods]) => pods.length).map(([what, pods]) => `- ${what}: ${pods.map(({ name }) => name).join(", ")}`);
  },
};

const SAID = {
  committed({ bound, evicted, pipelined, ready, waiting, pods, min_available: min }) {
    const sent = [
      ...(bound.length ? [strong(`${podsAre(bound.length)} bound`)] : []),
      ...(bound.length && evicted.length ? [words(", ")] : []),
      ...(evicted.length ? [strong(`${podsAre(evicted.length)} evicted`)] : []),
    ];
    const promised = pipelined.length ? [words(`; ${podsAre(pipelined.length)} promised the room`)] : [];
    const waits = waiting ? ` and ${count(waiting)} ${waiting === 1 ? "waits" : "wait"} for one` : "";
    return [
      words("Committed: "),
      ...(sent.length ? sent : [strong("nothing has to be sent out")]),
      ...promised,
      words(`. ${count(ready)} of ${plural(pods, "pod")} ${ready === 1 ? "has" : "have"} a node${waits}, `),
      words(`${count(min)} ${min === 1 ? "is" : "are"} needed.`),
    ];
  },

  kept: ({ ready, waiting, pods, min_available: min }) => [
    strong("Waits in the session"),
    words(` for room that is on its way to be free: ${count(ready)} of ${plural(pods, "pod")} hold a node and `),
    words(`${count(waiting)} ${waiting === 1 ? "waits" : "wait"} for one, ${count(min)} ${min === 1 ? "is" : "are"} needed. Nothing is bound.`),
  ],

  discarded(event, statement, scheduler) {
    const { ready, pods, job, min_available: min } = event;
    const tries = statement.filter(({ outcome }) => outcome === "allocated" || outcome === "pipelined");
    const failed = statement.find(({ outcome }) => outcome === "refused") ?? statement.find(({ outcome }) => outcome === "skipped");
    const had = ready + tries.length;
    const needed = `${count(min)} ${min === 1 ? "is" : "are"} needed`;
    return [
      strong(`${had ? count(had) : "None"} of ${plural(pods, "pod")} ${had === 1 || !had ? "has" : "have"} a node, ${needed}`),
      ...(failed ? [words(`: ${nameInJob(failed.pod, job)} ${failureWords(failed, scheduler)}`)] : []),
      words(". "),
      ...takenBack(tries),
    ];
  },
};

function failureWords(failed, scheduler) {
  if (failed.outcome === "skipped") return `is passed over, for ${scheduler.refusal(failed)}`;
  return failed.why === "nodes"
    ? `fits on none of ${plural(failed.nodes, "node")} (${refusalNote(failed)})`
    : `finds no room, for ${scheduler.refusal(failed)}`;
}

function takenBack(tries) {
  if (!tries.length) return [words("There is nothing to take back.")];
  const evictions = tries.reduce((sum, { victims }) => sum + victims.length, 0);
  const all = tries.length === 1 ? "The one try" : tries.length === 2 ? "Both tries" : `All ${count(tries.length)} tries`;
  return [
    words(`${all} ${tries.length === 1 ? "is" : "are"} `),
    strong("taken back"),
    words(evictions ? `, and nobody is evicted.` : "."),
  ];
}

function toneOf({ outcome, bound, evicted }) {
  if (outcome === "discarded") return "unsched";
  if (outcome !== "committed") return "wait";
  return !bound.length && evicted.length ? "preempt" : "placed";
}
