// What the inspector shows before the first decision: the cluster as it starts, what the edits changed, or why there is
// nothing to show yet.

import { fill, h } from "./dom.js";
import { plural } from "./units.js";

/** Edits that are listed, and changes of each. */
const EDITS_LISTED = 50,
  LISTED = 12;

/** `parts`: {who, say, panel, run} of the inspector. */
export function drawBeginning({ who, say, panel, run }, { hasDecisions }) {
  const starts = ["The cluster as the scenario starts. ", h("b", {}, "→"), " steps to the first decision."];
  fill(who, "Before the first decision");
  fill(say, hasDecisions ? starts : whyNothing(run));
  const edits = run.edit_results ?? [];
  const results = h("ol", { class: "edits" }, edits.slice(0, EDITS_LISTED).map(result));
  const others = edits.length - EDITS_LISTED;
  const more = others > 0 && h("p", { class: "muted" }, `and ${plural(others, "more edit")}`);
  fill(panel, edits.length > 0 && h("section", {}, h("h3", {}, "What the edits changed"), results, more));
}

function result({ sentence, changes, problems }) {
  const listed = (changes ?? []).slice(0, LISTED).map((change) => h("li", {}, change));
  const failed = (problems ?? []).map((problem) => h("p", { class: "error-text" }, problem));
  return h("li", {}, sentence, failed, listed.length > 0 && h("ul", {}, listed));
}

/** Why there is no decision to show yet. */
function whyNothing({ decisions, status }) {
  if (decisions > 0) return "Reading the log…";
  if (status === "failed") return "The run failed before its first decision.";
  if (status === "cancelled") return "The run was cancelled before its first decision.";
  if (status === "finished") return "Nothing was pending, so there was nothing to decide.";
  return "The worker hasn't decided anything yet.";
}
