// What Volcano brings to the cards of a run (../cards/view.js): how a try at a pod judged them.

import { judgedNode, nodeInShort } from "../cards/answer.js";

/** Of more nodes than this not every one is asked about. */
const FEW = 24;

export const volcanoCards = {
  judges: ({ kind }) => kind === "placement",
  judged: judgedByVolcano,
};

/**
 * {nodes, by, policies, others} as ../cards/answer.js describes them; no nodes for a pod that asks for no cards. `isOpen`: what
 * is taken counts once the job is committed.
 */
export function judgedByVolcano(evidence, event) {
  return evidence.judged(event, "cards", judge);
}

async function judge({ node: chosen }, ask) {
  const rows = (await ask.rows()).filter(({ cards }) => cards);
  const names = rows.length <= FEW ? rows.map(({ node }) => node) : rows.map(({ node }) => node).filter((node) => node === chosen);
  const full = (await Promise.all(names.map(ask.node))).map(judgedNode);
  const known = new Map(full.filter(Boolean).map((one) => [one.node, one]));
  const nodes = rows.map((row) => known.get(row.node) ?? nodeInShort(row));
  return { nodes: nodes.map((one) => ({ ...one, band: bandOf(one) })), by: "deviceshare", isOpen: true, policies: { node: "", card: "" }, others: [] };
}

/** The reason that stands against all cards of a node, "" where there are several or none: Volcano names none itself. */
function bandOf({ reason, passedOver }) {
  const words = new Set(passedOver.map(({ reason: word }) => word));
  return reason && words.size === 1 ? [...words][0] : "";
}
