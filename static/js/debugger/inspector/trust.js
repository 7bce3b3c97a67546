// The trust line under every answer: the snapshot's age, how nodes were scored, what isn't modelled, what is
// missing from the import and the kubectl lines that add it.

import { copy, fill, h } from "../../drawing/dom.js";
import { parted, trustPhrases } from "./markdown.js";
import { part } from "../parts.js";
import { age } from "../words/units.js";

/** Edits that did not do all that was asked: they come first, since the rest reads as a success. A line each,
 * since they stand above every decision; unfolded it says all. */
function incompleteOf({ outcome }) {
  return (outcome?.incomplete ?? []).map(({ title, problems, refused }) => {
    const cause = budgetWords(refused ?? []);
    return h(
      "details",
      { class: "notice error" },
      h(
        "summary",
        {},
        h("b", {}, cause ? `${title}: ` : title),
        cause && h("span", { class: "cause" }, cause),
      ),
      h("p", {}, `${problems.join("; ")}.`),
    );
  });
}

/** The budgets that refused evictions, each once; empty if it was something else. */
function budgetWords(refused) {
  const budgets = [...new Set(refused.flatMap((eviction) => eviction.budgets))];
  if (!budgets.length) return "";
  return `budget${budgets.length > 1 ? "s" : ""} ${budgets.join(", ")}`;
}

/** The link to the outcome says it too: it is there where the inspector is closed. */
function markOutcome({ outcome }) {
  const [first] = outcome?.incomplete ?? [];
  if (!first) return;
  Object.assign(part("outcome"), { className: "is-unsched", textContent: "Outcome: incomplete", title: first.title });
}

/** How a run ended, if not by itself: it failed, was cancelled, or a pod used up its attempts. */
function endingOf({ status, error, outcome, attempt_limit: limit }) {
  if (status === "failed")
    return h(
      "p",
      { class: "notice error" },
      `The run failed${error ? `: ${error}` : "."} What it decided before is here.`,
    );
  if (status === "cancelled")
    return h("p", { class: "notice" }, "The run was cancelled: the log ends where it stood then.");
  if (!outcome?.limit_reached) return null;
  return h(
    "p",
    { class: "notice warning" },
    // Where a clock moves there is no limit of attempts.
    `The run stopped ${
      (outcome.time ?? null) === null
        ? `because a pod had its ${limit}th attempt, the run's limit`
        : "at its limit of decisions"
    }: this isn't its natural end.`,
  );
}

/** Say under the answer how the run came out and what it rests on. */
export function drawTrust(element, run) {
  markOutcome(run);
  const taken = run.snapshot?.taken_at;
  const phrases = trustPhrases(run.trust);
  const { shown, rest } = parted(phrases);
  const remedies = run.trust?.remedies ?? [];
  const ending = [incompleteOf(run), endingOf(run)];
  const line = [
    taken && h("time", { datetime: taken, title: taken }, `snapshot ${age(taken)} old`),
    taken && phrases.length > 0 && "; ",
    shown.join("; "),
  ];
  if (!remedies.length && !rest.length) return fill(element, ending, h("p", {}, line));
  const more = [rest.length && `and ${rest.length} more`, remedies.length && "What adds it"].filter(Boolean);
  return fill(
    element,
    ending,
    h(
      "details",
      {},
      h("summary", {}, line, rest.length ? "; " : ". ", h("span", { class: "add-missing" }, more.join(". "))),
      rest.length > 0 && h("ul", { class: "plain" }, rest.map((phrase) => h("li", {}, phrase))),
      remedies.length > 0 && h("p", {}, "Add what is missing to the import:"),
      remedies.map((remedy) =>
        h(
          "div",
          { class: "remedy" },
          h("code", {}, remedy),
          h(
            "button",
            { type: "button", class: "link", onclick: (press) => copy(remedy, press.currentTarget) },
            "copy",
          ),
        ),
      ),
    ),
  );
}
