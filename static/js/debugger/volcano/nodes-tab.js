// The Nodes tab of a try: how many nodes refused the pod and why, how many were left, and the best of those.

import { h } from "../dom.js";
import { shortReason, whyNot } from "../../kinds/volcano/words.js";
import { count, plural } from "../units.js";

export function drawNodes(tools, event) {
  const { nodes, feasible, why, reasons } = event;
  if (!nodes) return [h("p", { class: "empty" }, `No node was looked at: ${whyNot(event)}.`)];
  const bands = [
    ...[...reasons].sort((a, b) => b.nodes - a.nodes).map((one) => ({ words: shortReason(one.reason), nodes: one.nodes, tone: "unsched" })),
    { words: "fit", nodes: feasible, tone: "placed" },
  ];
  return [
    h("h3", {}, `${plural(nodes, "node")}, each at the first reason that was found`),
    h("dl", { class: "node-bands" }, bands.map((band) => drawBand(band, nodes))),
    ["victims", "queue"].includes(why) && h("p", {}, `Among them, ${whyNot(event)}.`),
    best(tools, event),
  ];
}

function drawBand({ words, nodes, tone }, all) {
  const width = `${(100 * nodes) / all}%`;
  return h(
    "div",
    { class: `node-band is-${tone}` },
    h("dt", {}, words),
    h("dd", {}, h("span", { class: "band-track", aria: { hidden: true } }, h("i", { style: { width } })), h("b", {}, count(nodes))),
  );
}

function best(tools, { best: names, best_count: equals, total, node, feasible }) {
  if (total === null)
    return node && h("p", { class: "muted" }, feasible === 1 ? "Only one fits, so none was scored." : "The nodes were not compared by points.");
  return h(
    "section",
    {},
    h("h3", {}, equals === 1 ? `The best, with ${count(total)} points` : `${count(equals)} are equally good, with ${count(total)} points`),
    h("ul", { class: "plain node-list" }, names.map((name) => h("li", {}, tools.nodeButton(name), name === node && h("span", { class: "numbers" }, "taken")))),
    names.length < equals && h("p", { class: "muted small" }, `The first ${names.length} of ${count(equals)}.`),
  );
}
