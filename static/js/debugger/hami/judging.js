// Ask the server how HAMi judged the nodes of a decision: of few nodes each with its cards, of many the reasons alone, and
// the one that was chosen.

import { foundBy, judgedNode, policiesOf } from "./answer.js";

/** Of more nodes than this not every one is asked about. */
const FEW = 24;

/** {policies, others, nodes} as answer.js describes them. `ask`: {rows(), node(name), whole()}, promises of REST's answers. */
export async function judge(event, ask) {
  const { extender } = event.exchanges.find(({ cards }) => cards);
  const [rows, { extenders }] = await Promise.all([ask.rows(), ask.whole()]);
  const asked = rows.filter(({ status }) => !status || status.plugin === extender);
  const { node: chosen } = foundBy(event);
  const isFew = asked.length <= FEW;
  const names = isFew ? asked.map(({ node }) => node) : [chosen].filter(Boolean);
  const full = (await Promise.all(names.map(ask.node))).map(judgedNode);
  const known = new Map(full.filter(Boolean).map((one) => [one.node, one]));
  const nodes = asked.map(({ node, status }) => known.get(node) ?? { node, reason: reasonOf(status), score: null, containers: [] });
  // Where HAMi took another node, it doesn't say why it left the others out.
  const isSaid = ({ node, reason }) => known.has(node) || reason || node === chosen;
  return { ...policiesOf(extenders), nodes: nodes.filter(isSaid), isWhole: nodes.every(isSaid) };
}

function reasonOf(status) {
  return status?.reasons.join(", ") ?? "";
}
