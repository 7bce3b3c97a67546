// The Cards tab: above, how many nodes and cards were left at each stage; then the cards of one node in the order in which
// HAMi tried them, each with its verdict in HAMi's own words. Where no node fits: nodes and reasons, a press on a node opens
// its cards.

import { cardsOn } from "../../cards.js";
import { fill, h } from "../../drawing/dom.js";
import { foundBy, inOrder, refusedIn } from "../cards/answer.js";
import { drawTries } from "../cards/tries.js";
import { allTries } from "../cards/tries-words.js";
import { chainOf } from "./chain.js";
import { drawMatrix } from "./matrix-table.js";
import { judgedCards } from "./judging.js";


export function drawCards(tools, event) {
  const { evidence } = tools;
  const element = h("div", { class: "cards-tab" });
  const show = (judged) => fill(element, ...drawn(tools, event, judged));
  show(null);
  const later = tools.later(judgedCards(evidence, event), (judged) => {
    show(judged);
    return null;
  });
  return [element, later];
}

/** `judged`: what the server says, or null as long as only the log is known. */
function drawn(tools, event, judged) {
  const found = foundBy(event);
  const chosen = found.node || null;
  const nodes = judged ? inOrder(judged.nodes, { chosen, policies: judged.policies }) : chosen ? [{ node: chosen, reason: "" }] : [];
  const { node: wanted } = tools.reading;
  const isKnown = wanted && (nodes.some(({ node }) => node === wanted) || cardsOn(tools.fold, wanted).length > 0);
  const node = isKnown ? wanted : chosen;
  const one = nodes.find((row) => row.node === node);
  const tries = one?.containers?.length ? allTries(one.containers) : null;
  return [
    drawChain(tools, chainOf({ ...event, asked: found.asked, fits: found.fit, policy: judged?.policies.node ?? "", chosen: chosen && tools.names.shown(chosen), tries: node === chosen ? tries : null })),
    !chosen && judged && drawMatrix(tools, refusedIn(judged), node),
    ...drawTries(tools, event, { nodes, chosen, judged, by: "HAMi" }),
  ];
}

function drawChain({ reading }, steps) {
  const press = () => reading.set({ tab: "filter" });
  return h(
    "p",
    { class: "card-chain", role: "group", aria: { label: "how many were left at each stage" } },
    steps.map(({ words }, i) => [
      i > 0 && h("span", { aria: { hidden: true } }, " › "),
      h("button", { type: "button", class: "link", onclick: press }, words),
    ]),
  );
}
