/* Labels as kubectl takes them: `key=value`, and `key-` for one that goes, parted by commas or spaces. */

/** @type {(part: string) => [string, string | null]} */
function labelIn(part) {
  const [key, ...value] = part.split("=");
  return part.includes("=") ? [key, value.join("=")] : [part.slice(0, -1), null];
}

/** Read a text: the labels by key, null for one that goes, or a message about the first part that is none. */
export function readLabels(text) {
  const parts = text.split(/[\s,]+/).filter(Boolean);
  const faulty = parts.find((part) => !/^[^=]+(=.*|-)$/.test(part));
  if (faulty) return { labels: {}, message: `Write key=value, or key- to take it away, not ${faulty}.` };
  return { labels: Object.fromEntries(parts.map(labelIn)), message: "" };
}
