// The Wire tab: what a real kube-scheduler and HAMi would have said to each other about this decision.

import { copy, h } from "../dom.js";
import { cardOf } from "../../cards.js";
import { count } from "../units.js";
import { foundBy, givenBy } from "./answer.js";
import { cutJson, filterAnswer, filterRequest, wireSteps } from "./wire.js";

export function drawWire(tools, event) {
  const { node } = foundBy(event);
  const given = givenBy(event).map(({ key, id, vendor, memory, cores, slice }) => {
    const index = cardOf(tools.fold, key)?.index;
    return `${vendor}: ${index === undefined ? id : `card ${index}, ${id}`}, ${count(memory)} MiB, ${count(cores)} cores${slice ? `, slice ${slice}` : ""}`;
  });
  const steps = wireSteps(event, { node, given });
  return [
    h("p", { class: "muted small" }, "What a real kube-scheduler and HAMi would have said to each other."),
    h("ol", { class: "card-wire" }, steps.map(drawStep)),
    tools.later(tools.evidence.cycle(event.seq), ({ document }) => documents(event, document)),
  ];
}

function drawStep({ title, isPlayed, lines }) {
  return h("li", { class: isPlayed ? "is-played" : "" }, h("b", {}, title), isPlayed && h("span", { class: "muted" }, " played"), lines.map((line) => h("p", { class: "mono" }, line)));
}

function documents(event, { extenders }) {
  const call = extenders?.findLast(({ verb }) => verb === "filter");
  if (!call) return h("p", { class: "muted small" }, "The server doesn't say what was sent.");
  return [
    document("Request to /filter", filterRequest(event.pod, call.nodes)),
    document("Answer", filterAnswer({ fits: call.fits ?? [], failed: call.failed ?? {}, unresolvable: call.unresolvable, error: call.error })),
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
