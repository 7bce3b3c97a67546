// The Nodes tab of a try: how many nodes refused the pod and why, how many were left, and the best of those; and, as soon
// as the server has worked it out, each node's points by plugin and its reasons.

import { h } from "../../drawing/dom.js";
import { drawClosest } from "../../debugger/inspector/tabs/closest.js";
import { hasCards } from "../../cards.js";
import { inOrder } from "../cards/answer.js";
import { drawTries } from "../cards/tries.js";
import { judgedByVolcano } from "./sharer.js";
import { shortReason } from "./decisions/words.js";
import { count, plural } from "../../debugger/words/units.js";

const LISTED = 30;

export function drawNodes(tools, event) {
  const { nodes, feasible, why, reasons } = event;
  if (!nodes) return [h("p", { class: "empty" }, `No node was looked at: ${tools.scheduler.refusal(event)}.`)];
  const unplaced = tools.kind.unplaced(event);
  const bands = [
    ...[...reasons].sort((a, b) => b.nodes - a.nodes).map((one) => ({ words: shortReason(one.reason), nodes: one.nodes, tone: "unsched" })),
    { words: "fit", nodes: feasible, tone: "placed" },
  ];
  return [
    h("h3", {}, `${plural(nodes, "node")}, each at the first reason that was found`),
    h("dl", { class: "node-bands" }, bands.map((band) => drawBand(band, nodes))),
    ["victims", "queue"].includes(why) && h("p", {}, `Among them, ${tools.scheduler.refusal(event)}.`),
    best(tools, event),
    unplaced && tools.later(tools.evidence.why(event.seq, unplaced), (answer) => drawClosest(tools, answer)),
    tools.later(tools.evidence.cycle(event.seq), ({ document, filter }) => [
      pointsTable(tools, event, document.scores ?? {}),
      refusedNodes(tools, filter),
    ]),
    hasCards(tools.fold) && tools.later(judgedByVolcano(tools.evidence, event), (judged) => cardsTried(tools, event, judged)),
  ];
}

/** Nodes by their points, highest first, a column a plugin that gave any. */
function pointsTable(tools, event, scores) {
  const rows = Object.entries(scores).sort(([, a], [, b]) => b.total - a.total);
  if (!rows.length) return null;
  const plugins = [...new Set(rows.flatMap(([, { plugins: given }]) => Object.keys(given)))];
  const telling = plugins.filter((plugin) => rows.some(([, { plugins: given }]) => given[plugin]));
  const headings = ["node", ...telling, "points"];
  return h(
    "section",
    {},
    h("h3", {}, "Points by plugin"),
    h(
      "div",
      { class: "table-scroll", tabindex: "0", role: "region", aria: { label: "points by plugin" } },
      h(
        "table",
        { class: "compact points-table" },
        h("thead", {}, h("tr", {}, headings.map((words, i) => h("th", { scope: "col", class: i ? "num" : "" }, words)))),
        h("tbody", {}, rows.slice(0, LISTED).map(([name, points]) => pointsRow(tools, event, telling, name, points))),
      ),
    ),
    more(rows.length),
  );
}

function pointsRow(tools, { node }, plugins, name, { plugins: given, total }) {
  const figure = (points) => h("td", { class: "num" }, count(points ?? 0));
  return h(
    "tr",
    { class: name === node ? "is-taken" : "" },
    h("th", { scope: "row" }, tools.nodeButton(name), name === node && h("span", { class: "muted" }, " taken")),
    plugins.map((plugin) => figure(given[plugin])),
    figure(total),
  );
}

function refusedNodes(tools, filter) {
  const refused = Object.entries(filter).filter(([, status]) => status);
  if (!refused.length) return null;
  return h(
    "section",
    {},
    h("h3", {}, "Refused"),
    h(
      "ul",
      { class: "plain node-list" },
      refused.slice(0, LISTED).map(([name, { plugin, reasons }]) =>
        h("li", {}, tools.nodeButton(name), h("span", { class: "numbers" }, [reasons.map(shortReason).join("; "), plugin].filter(Boolean).join(" · "))),
      ),
    ),
    more(refused.length),
  );
}

/** The cards of a node in the order in which the pod tried them; nothing for a pod that asks for none. */
function cardsTried(tools, event, judged) {
  if (!judged.nodes.length) return null;
  const nodes = inOrder(judged.nodes, { chosen: event.node || null, policies: judged.policies });
  return h("section", {}, h("h3", {}, "Cards"), drawTries(tools, event, { nodes, chosen: event.node || null, first: event.node || nodes[0].node, judged, by: judged.by }));
}

function more(all) {
  return all > LISTED && h("p", { class: "muted small" }, `The first ${LISTED} of ${count(all)}; all are in the REST API.`);
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
