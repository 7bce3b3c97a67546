// The Wire tab: what a real API server, kube-scheduler and HAMi would have said to each other about this decision.

import { copy, h } from "../../drawing/dom.js";
import { cardOf } from "../../cards.js";
import { count } from "../../debugger/words/units.js";
import { foundBy, givenBy } from "../cards/answer.js";
import { cutJson, filterAnswer, filterRequest, webhookLines, wireSteps } from "./wire.js";

export function drawWire(tools, event) {
  const { node } = foundBy(event);
  const given = givenBy(event).map(({ key, id, vendor, memory, cores, slice }) => {
    const index = cardOf(tools.fold, key)?.index;
    return `${vendor}: ${index === undefined ? id : `card ${index}, ${id}`}, ${count(memory)} MiB, ${count(cores)} cores${slice ? `, slice ${slice}` : ""}`;
  });
  const steps = wireSteps(event, { node, given });
  const asked = tools.evidence.cycle(event.seq);
  return [
    h("p", { class: "muted small" }, "What a real API server, kube-scheduler and HAMi would have said to each other."),
    h("ol", { class: "card-wire" }, drawWebhook(tools, asked), steps.map((step) => drawStep(step))),
    tools.later(asked, ({ document }) => documents(event, document)),
  ];
}

/** When the pod was created, before any decision about it: the server knows. What it can't say is said below. */
function drawWebhook(tools, asked) {
  const lines = asked.then(({ document }) => webhookLines(document.webhook)).catch(() => []);
  return h("li", {}, h("b", {}, "POST /webhook"), h("span", { class: "muted" }, " when the pod was created"), tools.later(lines, drawLines));
}

/** @param {any} step */
function drawStep({ title, isPlayed, lines }) {
  return h("li", { class: isPlayed ? "is-played" : "" }, h("b", {}, title), isPlayed && h("span", { class: "muted" }, " played"), drawLines(lines));
}

function drawLines(lines) {
  return lines.map((line) => h("p", { class: "mono" }, line));
}

function documents(event, { extenders, webhook }) {
  const call = extenders?.findLast(({ verb }) => verb === "filter");
  return [
    webhook && [
      document("Review to /webhook", webhook.request),
      document("Answer of /webhook", webhook.response),
      webhook.patch.length > 0 && document("Its patch", webhook.patch),
    ],
    call ? filterDocuments(event, call) : h("p", { class: "muted small" }, "The server doesn't say what was sent."),
  ];
}

function filterDocuments(event, call) {
  return [
    document("Request to /filter", filterRequest(event.pod, call.nodes)),
    document("Answer of /filter", filterAnswer({ fits: call.fits ?? [], failed: call.failed ?? {}, unresolvable: call.unresolvable, error: call.error })),
    foundBy(event).node && h("p", { class: "muted small" }, "On success HAMi names no failed nodes; the reasons under Filter are worked out again."),
  ];
}

function document(title, value) {
  const press = ({ currentTarget }) => copy(JSON.stringify(value, null, 2), currentTarget);
  return [
    h("h3", {}, title, " ", h("button", { type: "button", class: "link", aria: { label: `copy: ${title}` }, onclick: press }, "copy")),
    h("pre", { class: "raw", tabindex: "0", aria: { label: title } }, cutJson(value)),
  ];
}
