// A sentence is a list of parts, {text, strong?, node?, pod?}, so that it can be drawn with links, and read or
// copied as plain text. Pure.

export const words = (text) => ({ text });
export const strong = (text) => ({ text, strong: true });
export const node = (name) => ({ text: name, strong: true, node: name });
export const pod = ({ namespace, name, uid }) => ({ text: `${namespace}/${name}`, strong: true, pod: uid });

export function plain(parts) {
  return parts.map((part) => part.text).join("");
}

/** "a, b, c" */
export function separated(items) {
  return items.flatMap((item, i) => (i === 0 ? [item] : [words(", "), item]));
}

/** "a, b and c" */
export function list(items) {
  return items.flatMap((item, i) =>
    i === 0 ? [item] : [words(i === items.length - 1 ? " and " : ", "), item],
  );
}
