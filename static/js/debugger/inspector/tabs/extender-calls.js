// What extenders were asked for a decision, in their order, and what each made of it.

import { h } from "../../../drawing/dom.js";
import { plural } from "../../words/units.js";

/** The questions to extenders, or nothing where none was asked. */
export function extenderCalls({ exchanges = [] }) {
  if (!exchanges.length) return null;
  return h(
    "section",
    { class: "extender-calls" },
    h("h3", {}, "Extenders, in the order in which they were asked"),
    exchanges.map((exchange) =>
      h(
        "div",
        { class: `verdict ${exchange.error ? "failed" : "passed"}` },
        h("b", {}, exchange.verb),
        " ",
        h("span", { class: "mono" }, exchange.extender),
        `: ${exchangeWords(exchange)}`,
      ),
    ),
  );
}

/** A question and its answer in words. Fields that say nothing are absent in the log. */
export function exchangeWords(exchange) {
  if (exchange.error) return `error: ${exchange.error}`;
  const asked = plural(exchange.sent, "node");
  switch (exchange.verb) {
    case "filter":
      return `of ${asked} ${staying(exchange)} left${refusals(exchange)}`;
    case "prioritize":
      return `asked about ${asked}; gave points to ${Object.keys(exchange.scores ?? {}).length}`;
    case "preempt":
      return `of ${plural(exchange.sent, "candidate")} ${Object.keys(exchange.victims ?? {}).length} left`;
    default:
      return "bound";
  }
}

function staying({ sent, fits, gone = [] }) {
  return fits ? fits.length : sent - gone.length;
}

/** Why nodes were refused, with their number. One that is in both lists is unresolvable. */
function refusals({ failed = {}, unresolvable = {} }) {
  const reasons = new Map();
  for (const [reason, nodes] of [...Object.entries(failed), ...Object.entries(unresolvable)])
    for (const node of nodes) reasons.set(node, reason);
  const counts = new Map();
  for (const reason of reasons.values()) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return counts.size ? `; ${[...counts].map(([reason, count]) => `${count} ${reason}`).join(", ")}` : "";
}
