// Ask the server how HAMi judged the nodes of a decision: of few nodes each with its cards in full, of many all in short, and
// the one that was chosen in full.

import { foundBy, judgedNode, nodeInShort, policiesOf } from "../cards/answer.js";

/** Of more nodes than this not every one is asked about. */
const FEW = 24;

/** What `judge` finds, from the answers that the page keeps. */
export function judgedCards(evidence, event) {
  return evidence.judged(event, "cards", judge);
}

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
  const nodes = asked.map((row) => known.get(row.node) ?? nodeInShort(row));
  // Where HAMi took another node, only what was asked beyond its answer says why it left the others out.
  const isSaid = ({ node, reason }, i) => known.has(node) || asked[i].cards || reason || node === chosen;
  return { ...policiesOf(extenders), nodes: nodes.filter(isSaid), isWhole: nodes.every(isSaid) };
}
