// The Scores tab of a decision of HAMi's: each node's score is slots + cores + memory in use, 0 to 10 each; then the cards of
// the chosen node in the order tried, and what the other policies would choose.

import { cardKey, cardOf, vendorsOn } from "../../cards.js";
import { h } from "../../drawing/dom.js";
import { count } from "../../debugger/words/units.js";
import { foundBy, inOrder, isByNuma, TAKEN } from "../cards/answer.js";
import { cardsInWords } from "./card-words.js";
import { containerWords, eachOnce } from "../cards/tries-words.js";
import { judgedCards } from "./judging.js";

const PARTS = ["slots", "cores", "memory"];
const FULL = 30;
const ROWS = 30;

export function drawHamiScores(tools, event) {
  const chosen = foundBy(event).node || null;
  return [
    tools.later(judgedCards(tools.evidence, event), ({ nodes, policies, others }) => {
      const fitting = inOrder(nodes, { chosen, policies }).filter(({ reason, score }) => !reason && score !== null);
      const node = fitting.find((row) => row.node === tools.reading.node) ?? fitting[0];
      if (!fitting.length) return h("p", { class: "empty" }, "No node has cards that do, so nothing was scored.");
      return [
        h("h3", {}, `Nodes `, h("span", { class: "muted" }, `${policies.node ? `${policies.node}: ` : ""}the ${policies.node === "spread" ? "lowest" : "highest"} wins`)),
        legend(),
        h("div", { class: "card-bars" }, fitting.slice(0, ROWS).map((row) => scoreBar(tools.names.shown(row.node), row, fitting[0]))),
        fitting.length > ROWS && h("p", { class: "muted small" }, `${count(fitting.length - ROWS)} more not drawn`),
        h("p", { class: "muted small" }, "From the use before this pod, over all cards of the node. HAMi adds nothing for the request itself."),
        cardScores(tools, node, policies),
        otherPolicies(tools, others ?? []),
      ];
    }),
  ];
}

function legend() {
  return h("p", { class: "legend-line" }, PARTS.map((part, i) => h("span", {}, h("i", { class: `swatch plug-${i + 1}` }), `${part} used`)), h("span", {}, "each 0 to 10"));
}

function scoreBar(label, { score, parts }, best, mark = "") {
  const gap = best && score !== best.score ? (score - best.score).toFixed(2).replace("-", "−") : "";
  const of = (part) => `${Math.max(0, Math.min(100, ((parts?.[part] ?? 0) / FULL) * 100))}%`;
  return h(
    "div",
    { class: "card-bar" },
    h("span", { class: "card-bar-name" }, label),
    h("span", { class: "card-bar-track", aria: { hidden: true } }, PARTS.map((part, i) => h("i", { class: `plug-${i + 1}`, style: { width: of(part) } }))),
    h("span", { class: "num" }, score.toFixed(2)),
    h("span", { class: "num muted" }, mark || gap),
  );
}

function cardScores({ names }, node, policies) {
  const scored = ({ score }) => score !== null && score !== undefined;
  const containers = (node.containers ?? []).map((one) => ({ ...one, tries: eachOnce(one.tries.filter(scored)) })).filter(({ tries }) => tries.length > 0);
  if (!containers.length) return null;
  const first = policies.card === "spread" ? "the lowest is tried first" : "the highest is tried first";
  return [
    h("h3", {}, `Cards of ${names.shown(node.node)} `, h("span", { class: "muted" }, `${policies.card ? `${policies.card}: ` : ""}${first}`)),
    containers.map((one) => h("div", {}, containers.length > 1 && h("p", { class: "muted small" }, containerWords(one, containers)), containerScores(one))),
  ];
}

function containerScores({ tries }) {
  const byNuma = isByNuma(tries);
  const label = ({ index, numa }, i) => `${i + 1}. card ${index}${byNuma ? `, NUMA ${numa}` : ""}`;
  return [
    h("div", { class: "card-bars" }, tries.map((one, i) => scoreBar(label(one, i), one, null, one.verdict === TAKEN ? "✓" : one.reason ? "✕" : "–"))),
    byNuma && h("p", { class: "muted small" }, "The NUMA node stands before the score, because the pod asks for it."),
  ];
}

function otherPolicies({ fold, names }, others) {
  if (!others.length) return null;
  const cardsOf = ({ node, cards }) =>
    cards.map((id) => {
      const card = cardOf(fold, cardKey(node, id));
      return { key: cardKey(node, id), index: card?.index ?? null, vendor: card?.vendor ?? "", isSlice: card?.mode === "mig" };
    });
  const got = (one) => `${names.shown(one.node)}, ${cardsInWords(cardsOf(one), vendorsOn(fold, one.node).length > 1)}`;
  return [
    h("h3", {}, "With other policies"),
    h(
      "table",
      { class: "dense" },
      h("thead", {}, h("tr", {}, ["node", "card", "this pod would get"].map((word) => h("th", { scope: "col" }, word)))),
      h(
        "tbody",
        {},
        others.map((one) => h("tr", { class: one.own ? "selected" : null }, h("td", {}, one.node_policy), h("td", {}, one.gpu_policy), h("td", {}, one.node ? got(one) : "no node", one.own && h("span", { class: "muted" }, " · as it was")))),
      ),
    ),
  ];
}
