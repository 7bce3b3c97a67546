// The key of what an object's card is about, as it stands in the address: "queue/research", "group/ml/bert",
// "card/node-1/GPU-0".

const KINDS = ["queue", "group", "card", "cards"];

export function keyOf(kind, name) {
  return `${kind}/${name}`;
}

/** {kind, name}, or null for a text that is no such key. */
export function readKey(key) {
  const kind = KINDS.find((one) => key?.startsWith(`${one}/`));
  return kind ? { kind, name: key.slice(kind.length + 1) } : null;
}

export function isKey(key, kind, name) {
  return key === keyOf(kind, name);
}
