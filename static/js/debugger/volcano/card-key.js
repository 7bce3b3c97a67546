// The key of what a card is about, as it stands in the address: "queue/research", "group/ml/bert".

const KINDS = ["queue", "group"];

export function cardOf(kind, name) {
  return `${kind}/${name}`;
}

/** {kind, name}, or null for a text that is no such key. */
export function readCard(card) {
  const kind = KINDS.find((one) => card?.startsWith(`${one}/`));
  return kind ? { kind, name: card.slice(kind.length + 1) } : null;
}

export function isCard(card, kind, name) {
  return card === cardOf(kind, name);
}
