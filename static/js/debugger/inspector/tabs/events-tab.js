// The Events tab: what `kubectl get events` and `kubectl describe pod` would show for the decision.

import { copy, h } from "../../../drawing/dom.js";
import { failingFilters, question } from "./node-section.js";
import { count } from "../../words/units.js";

/** So many characters of a message are shown at first. */
const LONG = 600;

export function drawEvents(tools, event) {
  const events = tools.kind.messages(event, tools.scheduler);
  const answer = tools.reading.node && nodeInEvents(tools, event, events);
  if (!events.length) return [answer, h("p", { class: "empty" }, "This decision leaves no event.")];
  return [answer, drawEventList(events)];
}

export function drawEventList(events) {
  return h(
    "div",
    { class: "kubectl" },
    events.map(({ type, reason, from, object, message }) =>
      h(
        "article",
        { class: "kubectl-event" },
        h(
          "header",
          {},
          h("span", { class: type === "Warning" ? "warning" : "" }, type),
          h("b", {}, reason),
          h("span", {}, object),
          h("span", { class: "muted" }, from),
          h(
            "button",
            { type: "button", class: "link", onclick: (press) => copy(message, press.currentTarget) },
            "copy",
          ),
        ),
        h("p", { class: "mono" }, shownMessage(message)),
      ),
    ),
  );
}

/** A message that names a thousand nodes begins, and says how long it is; a press shows the rest. */
function shownMessage(message) {
  if (message.length <= LONG) return message;
  const rest = ({ currentTarget }) => currentTarget.replaceWith(message.slice(LONG));
  return [message.slice(0, LONG), h("button", { type: "button", class: "link", onclick: rest }, `… ${count(message.length - LONG)} more characters`)];
}

/** What the events say of the selected node; they name few, and only count the others. */
function nodeInEvents(tools, event, events) {
  const { evidence, kind, reading, scheduler } = tools;
  const { node } = reading;
  const isAsked = kind.asksNodes(event);
  const naming = events.find(({ message }) => message.split(/[\s,:]+/).includes(node));
  const failed = events.find(({ reason }) => reason === "FailedScheduling");
  const words = () => {
    if (naming) return h("p", {}, `${naming.reason} names it.`);
    if (!isAsked) return notNamed(tools, false);
    return tools.later(evidence.node(event.seq, node), ({ filters }) => {
      const reasons = failingFilters(filters, scheduler).flatMap((filter) => filter.reasons);
      const counted = reasons.filter((reason) => failed?.message.includes(reason));
      return counted.length
        ? h("p", {}, `FailedScheduling counts it for ${counted.join(", ")}.`)
        : notNamed(tools, true);
    });
  };
  const heading = isAsked ? question(event, node) : node;
  return h("section", { class: "node-section" }, h("h3", {}, heading, tools.closeNode()), words());
}

function notNamed({ reading }, wasAsked) {
  const toFilter = { type: "button", class: "link", onclick: () => reading.set({ tab: "filter" }) };
  return h(
    "p",
    {},
    "No event of this decision speaks of it.",
    wasAsked && [" What the scheduler found on it is under ", h("button", toFilter, "Filter"), "."],
  );
}
