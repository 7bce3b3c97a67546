// The Filter tab of a decision of HAMi's: one funnel in three stages. First kube-scheduler's own filters, which leave nodes
// for the extender; then HAMi, which leaves those whose cards do; then the cards of one node, on another scale.

import { drawBands } from "../../debugger/inspector/tabs/bands.js";
import { h } from "../../drawing/dom.js";
import { drawFilter } from "../../debugger/inspector/tabs/filter-tab.js";
import { count } from "../../debugger/words/units.js";
import { foundBy, inOrder, refusedIn } from "../cards/answer.js";
import { containerWords } from "../cards/tries-words.js";
import { byReason } from "../cards/reasons.js";
import { cardBands, nodeBands } from "./stages.js";
import { judgedCards } from "./judging.js";

export function drawHamiFilter(tools, event) {
  const { evidence } = tools;
  const found = foundBy(event);
  const extender = event.exchanges.find(({ cards }) => cards).extender;
  const ofKube = { ...event, feasible: found.asked, rejections: event.rejections.filter(({ plugin }) => plugin !== extender), sentTo: "HAMi", exchanges: [] };
  return [
    stage(1, "kube-scheduler's filters", "nodes"),
    drawFilter(tools, ofKube),
    tools.later(judgedCards(evidence, event), (judged) => {
      const chosen = found.node || null;
      const nodes = inOrder(judged.nodes, { chosen, policies: judged.policies });
      const node = nodes.find((row) => row.node === tools.reading.node) ?? nodes.find((row) => row.node === chosen);
      const containers = (node?.containers ?? []).filter(({ tries }) => tries.length > 0);
      return [
        stage(2, "HAMi, the extender", "nodes"),
        judged.isWhole ? nodeFunnel(tools, nodes, { chosen, policies: judged.policies, shown: (name) => tools.names.shown(name) }) : reasonCounts(found),
        containers.length > 0 && [stage(3, `Cards of ${tools.names.shown(node.node)}`, "cards, another scale"), containers.map((one) => cardFunnel(one, containers))],
        reasons(tools, refusedIn(judged)),
      ];
    }),
  ];
}

function stage(number, words, unit) {
  return h("h3", { class: "card-stage" }, h("i", { aria: { hidden: true } }, number), words, h("span", { class: "muted" }, unit));
}

function nodeFunnel(tools, nodes, facts) {
  const press = (band) => tools.pressBand(band, () => Promise.resolve(band.nodes.map((node) => ({ node }))));
  return drawBands(nodeBands(nodes, facts), {
    label: "Nodes by HAMi's reason",
    pressed: tools.band?.key,
    onPress: press,
    canPress: ({ nodes: of }) => Boolean(of),
  });
}

/** Each container tries all cards anew, so each has a funnel of its own. */
function cardFunnel(container, containers) {
  const which = containerWords(container, containers);
  return h(
    "div",
    {},
    containers.length > 1 && h("p", { class: "muted small" }, which),
    drawBands(cardBands(container.tries), { label: `Cards by HAMi's reason: ${which}`, onPress: null, canPress: () => false }),
  );
}

/** Of many nodes the log counts at how many each reason stood; a node may have several. */
function reasonCounts({ asked, fit, reasons: words }) {
  const bands = Object.entries(words).map(([word, size]) => ({ key: `hami|${word}`, label: word, size, from: 0, tone: "hard" }));
  const ends = [{ key: "room", label: "room", size: fit, from: asked - fit, tone: "fits" }];
  return [
    drawBands([{ key: "asked", label: `${count(asked)} nodes`, size: asked, from: 0, tone: "all" }, ...bands, ...ends], { label: "Nodes by HAMi's reason", canPress: () => false }),
    h("p", { class: "muted small" }, "A node counts at each of its reasons, so the bars overlap."),
  ];
}

/** HAMi's reasons, unaltered, with the nodes that have each. */
function reasons({ names }, refused) {
  if (!refused.length) return null;
  return [
    h("h3", {}, "HAMi's reasons, as it words them"),
    h(
      "ul",
      { class: "plain card-reasons" },
      byReason(refused).map(({ reason, nodes }) =>
        h("li", {}, h("b", {}, nodes.length > 3 ? `${count(nodes.length)} nodes` : nodes.map((name) => names.shown(name)).join(", ")), " ", h("span", { class: "mono" }, reason)),
      ),
    ),
  ];
}
