// The cards of one node in the order in which they were tried, each with its verdict and the figures behind it; above them
// the nodes to choose from.

import { cardOf, cardsOn, takenBy } from "../../cards.js";
import { h } from "../../drawing/dom.js";
import { count } from "../../debugger/words/units.js";
import { GIVEN_UP, isByNuma, judgedNode, NOT_REACHED, TAKEN, triesOfLog } from "./answer.js";
import { cardButton, drawMeters } from "./card-meters.js";
import { containerWords, orderWords, sliceWords } from "./tries-words.js";

/** So many nodes have a chip; the others are in a list. */
const CHIPS = 6;
const SIGNS = { [TAKEN]: "✓ taken", [GIVEN_UP]: "↩ fits", [NOT_REACHED]: "– not reached" };

/**
 * The nodes, and the cards of the one that the reader has selected, else of `first`. `chosen`: the decision's node, or null;
 * `by`: who judges. A flat list, for the lists that it comes into.
 */
export function drawTries(tools, event, { nodes, chosen, first = chosen, judged, by }) {
  const { node: wanted } = tools.reading;
  const isKnown = wanted && (nodes.some(({ node }) => node === wanted) || cardsOn(tools.fold, wanted).length > 0);
  const node = isKnown ? wanted : first;
  const one = nodes.find((row) => row.node === node);
  if (!node) return [];
  return [drawChips(tools, nodes, node, chosen), drawNode(tools, event, { node, one, judged, by })].flat(Infinity);
}

function drawChips(tools, nodes, node, chosen) {
  const { names, reading } = tools;
  const chips = nodes.slice(0, CHIPS);
  const at = nodes.find((row) => row.node === node);
  if (at && !chips.includes(at)) chips.push(at);
  const rest = nodes.filter((row) => !chips.includes(row));
  const sign = (row) => (row.node === chosen ? "✓ " : row.reason ? "✕ " : "");
  const chip = (row) =>
    h(
      "button",
      { type: "button", class: "card-chip", title: row.reason || row.node, aria: { pressed: row.node === node }, onclick: () => reading.set({ node: row.node }) },
      sign(row),
      names.shown(row.node),
    );
  const more = (target) => target.value && reading.set({ node: target.value });
  return h(
    "div",
    { class: "card-chips", role: "group", aria: { label: "nodes" } },
    chips.map(chip),
    rest.length > 0 &&
      h(
        "select",
        { class: "inline", aria: { label: "another node" }, onchange: ({ target }) => more(target) },
        h("option", { value: "" }, `${count(rest.length)} more`),
        rest.map((row) => h("option", { value: row.node }, `${sign(row)}${names.shown(row.node)}`)),
      ),
  );
}

function drawNode(tools, event, { node, one, judged, by }) {
  const { fold } = tools;
  const cards = cardsOn(fold, node);
  if (!cards.length) return h("p", { class: "empty" }, "This node has no cards registered.");
  const reason = one?.reason && h("p", { class: "card-reason" }, h("b", {}, `${by}: `), h("span", { class: "mono" }, one.reason));
  if (one?.containers?.length) return [reason, drawContainers(tools, one, judged)];
  const taken = takenBy(fold, event.seq);
  const ofLog = () => [
    h("p", { class: "muted small" }, "Its cards by index, as they are after this decision."),
    h("ol", { class: "card-tries" }, triesOfLog(cards, taken).map((one) => drawTry(tools, one))),
  ];
  if (!judged || !one) return [reason, ofLog()];
  // Of many nodes the cards are asked for when the reader looks at one.
  const asked = tools.evidence.node(event.seq, node).then(judgedNode);
  return [reason, tools.later(asked, (whole) => (whole?.containers.length ? drawContainers(tools, whole, judged) : ofLog()))];
}

function drawContainers(tools, { containers }, judged) {
  return containers.map((container) => drawContainer(tools, container, judged, containerWords(container, containers)));
}

function drawContainer(tools, { tries }, judged, which) {
  const byNuma = isByNuma(tries);
  const rows = [];
  let numa = null;
  for (const [i, one] of tries.entries()) {
    if (byNuma && one.numa !== numa) {
      numa = one.numa;
      rows.push(h("li", { class: "card-numa" }, `NUMA ${numa}`));
    }
    rows.push(drawTry(tools, one, i + 1, judged.isOpen));
  }
  return [
    h("p", { class: "muted small" }, `${which}: ${orderWords(tries, judged.policies.card, byNuma)}.`),
    rows.length > 0 && h("ol", { class: "card-tries" }, rows),
  ];
}

function drawTry(tools, { key, verdict, reason, figures, score, mig }, number = null, isOpen = false) {
  const card = cardOf(tools.fold, key);
  const isPromised = isOpen && verdict === TAKEN && !takenBy(tools.fold, tools.fold.at).has(key);
  if (!card) return h("li", {}, `${key.slice(key.lastIndexOf("/") + 1)}: isn't there any more`);
  return h(
    "li",
    { class: `card-try ${verdict}` },
    h("span", { class: "muted card-number" }, number === null ? "" : count(number)),
    cardButton(tools, card),
    drawMeters(tools, card),
    h("span", { class: "num card-score" }, score === null || score === undefined ? "" : score.toFixed(2)),
    verdict && h("span", { class: "card-verdict" }, h("b", {}, SIGNS[verdict] ?? `✕ ${reason}`), " ", sliceWords(mig, { verdict, reason }), verdictWords(card, { verdict, figures, isPromised }) || tools.scheduler.cardMeaning(reason)),
  );
}

/** The figures behind a verdict: "asks 24,576 MiB, 8,192 free", with why more is given than there is. */
function verdictWords(card, { verdict, figures, isPromised }) {
  if (isPromised) return `${count(card.used_memory)} of ${count(card.memory)} MiB held so far; its part counts once its job is committed`;
  if (verdict === TAKEN) return `${count(card.used_memory)} of ${count(card.memory)} MiB now held`;
  if (verdict === NOT_REACHED) return "enough were found before it";
  if (verdict === GIVEN_UP) return "given up for others";
  return figures.map(({ what, asked, free, over }) => `asks ${count(asked)} ${what}, ${count(free)} free${over && ` (${over})`}`).join("; ");
}
