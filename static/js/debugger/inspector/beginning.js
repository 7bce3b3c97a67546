// What the inspector shows before the first decision: the cluster as it starts, what the edits changed, or why there is
// nothing to show yet.

import { fill, h } from "../../drawing/dom.js";
import { isGoing } from "../live/live.js";
import { clock, count, plural } from "../words/units.js";

/** Edits that are listed, and changes of each. */
const EDITS_LISTED = 50,
  LISTED = 12;

/** `parts`: {who, say, panel, run, reading} of the inspector. */
export function drawBeginning({ who, say, panel, run, reading }, { hasDecisions, unserved = 0 }) {
  const starts = ["The cluster as the scenario starts. ", h("b", {}, "→"), " steps to the first decision."];
  fill(who, "Before the first decision");
  fill(say, hasDecisions ? starts : whyNothing(reading.status, unserved));
  const edits = run.edit_results ?? [];
  const results = h("ol", { class: "edits" }, edits.slice(0, EDITS_LISTED).map(result));
  const others = edits.length - EDITS_LISTED;
  const more = others > 0 && h("p", { class: "muted" }, `and ${plural(others, "more edit")}`);
  fill(panel, edits.length > 0 && h("section", {}, h("h3", {}, "What the edits changed"), results, more));
}

/** The log is still read up to where the page opens, or has not come so far. `parts`: those of the inspector. */
export function drawOpening({ who, say, panel, log, wantedTime, reading }) {
  fill(who, "Reading the run");
  fill(say, openingWords(log, reading.expected, reading.status, wantedTime));
  fill(panel);
}

function openingWords({ head, fold }, expected, status, wantedTime) {
  if (head < expected || wantedTime === null || !isGoing(status)) return `Read so far: ${count(head)} of ${plural(expected, "decision")}.`;
  return `The run has come to ${clock(fold.timeOf(head))}. This page opens at ${clock(wantedTime)}, once the run has come so far.`;
}

function result({ sentence, changes, problems }) {
  const listed = (changes ?? []).slice(0, LISTED).map((change) => h("li", {}, change));
  const failed = (problems ?? []).map((problem) => h("p", { class: "error-text" }, problem));
  return h("li", {}, sentence, failed, listed.length > 0 && h("ul", {}, listed));
}

/** Why there is no decision to show; `unserved` pods wait for a scheduler that the run has not. */
function whyNothing(status, unserved) {
  if (status === "queued") return "The run waits for a worker; nothing is decided yet.";
  if (status === "paused") return "The run was paused before its first decision.";
  if (status === "failed") return "The run failed before its first decision.";
  if (status === "cancelled") return "The run was cancelled before its first decision.";
  if (status === "finished" && unserved) return unservedWords(unserved);
  if (status === "finished") return "Nothing was pending, so there was nothing to decide.";
  return "The worker hasn't decided anything yet.";
}

function unservedWords(pods) {
  const who = `${plural(pods, "pod")} ${pods === 1 ? "waits" : "wait"}, and ${pods === 1 ? "it names" : "they name"}`;
  return h("span", { class: "is-unsched" }, `${who} a scheduler that the run has not: there was nothing to decide.`);
}
