// What a fold holds of HAMi's cards: the cards of each node, and which pods hold how much of each. Beside cluster.js and
// volcano/rows.js the only place that knows these tables by name. Memory is in MiB. Pure.

export const CARDS = "cards",
  HOLDINGS = "holdings";
const NOBODY = [];
const placesOf = new WeakMap(),
  holdersOf = new WeakMap();

/** Whether any node of the run has registered cards. */
export function hasCards(fold) {
  return fold.tables.table(CARDS).ids.length > 0;
}

/** The key of a card, as its table and the address have it. */
export function cardKey(node, id) {
  return `${node}/${id}`;
}

/** The cards that a node, by name, has registered now, by index: rows with their `key`. */
export function cardsOn(fold, node) {
  const { present } = fold.tables.table(CARDS);
  return (places(fold).get(node) ?? NOBODY).filter(({ i }) => present[i]).map(({ i }) => cardAt(fold, i)).sort(byIndex);
}

/** The vendors of the cards that a node, by name, has registered now. */
export function vendorsOn(fold, node) {
  return [...new Set(cardsOn(fold, node).map(({ vendor }) => vendor))];
}

/** The card of a key, or null for one that isn't there now. */
export function cardOf(fold, key) {
  const { index, present } = fold.tables.table(CARDS);
  const i = index.get(key);
  return present[i] ? cardAt(fold, i) : null;
}

/** Who holds a card now, those first who came first: [{pod: its index, memory, cores, slots}]. */
export function holdersOn(fold, key) {
  return held(fold).get(key) ?? NOBODY;
}

/** The keys of the cards that pods got with decision `seq`, at which the fold is: Map(key -> pod). */
export function takenBy(fold, seq) {
  const taken = new Map();
  if (seq <= fold.base) return taken;
  for (const { verb, table, id } of fold.changesOf(seq)) {
    if (table !== HOLDINGS || verb === "vanish") continue;
    const { index, rows, present } = fold.tables.table(HOLDINGS);
    const i = index.get(id);
    if (!present[i] || verb === "set") continue;
    for (const { key } of pieces(rows[i])) taken.set(key, fold.podIndex.get(id));
  }
  return taken;
}

/** The decision with which a pod, by uid, came to hold what it holds; null where it did from the start. */
export function heldSince(fold, uid) {
  const table = fold.tables.table(HOLDINGS);
  const i = table.index.get(uid);
  for (let seq = fold.at; seq > fold.base; seq--)
    if (fold.touches(seq, table, i) && fold.changesOf(seq).some((one) => one.table === HOLDINGS && one.id === uid && one.verb === "appear"))
      return seq;
  return null;
}

/** What a pod holds: [{key, memory, cores, slots}]. */
export function pieces({ node, devices }) {
  return Object.values(devices).flatMap((held) => held.map(({ id, ...rest }) => ({ key: cardKey(node, id), ...rest })));
}

function cardAt(fold, i) {
  const { ids, rows } = fold.tables.table(CARDS);
  return { ...rows[i], key: ids[i] };
}

function byIndex(a, b) {
  return a.index - b.index || (a.key < b.key ? -1 : 1);
}

/** The places of cards in their table, by node. Cards keep their node, so that only new ones are read. */
function places(fold) {
  const table = fold.tables.table(CARDS);
  const kept = placesOf.get(fold) ?? { read: 0, byNode: new Map() };
  placesOf.set(fold, kept);
  for (; kept.read < table.ids.length; kept.read++) {
    const { node } = table.rows[kept.read];
    if (!kept.byNode.has(node)) kept.byNode.set(node, []);
    kept.byNode.get(node).push({ i: kept.read });
  }
  return kept.byNode;
}

/** Who holds which card at the reader's decision. */
function held(fold) {
  const kept = holdersOf.get(fold);
  if (kept?.at === fold.at) return kept.byCard;
  const { ids, rows, present } = fold.tables.table(HOLDINGS);
  const byCard = new Map();
  rows.forEach((row, i) => {
    if (!present[i]) return;
    for (const { key, ...amounts } of pieces(row)) {
      if (!byCard.has(key)) byCard.set(key, []);
      byCard.get(key).push({ pod: fold.podIndex.get(ids[i]), ...amounts });
    }
  });
  holdersOf.set(fold, { at: fold.at, byCard });
  return byCard;
}
