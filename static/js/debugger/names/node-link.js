// A node's name on the page: short, with the whole name under the pointer and for screen readers.

import { h } from "../../drawing/dom.js";

/** How much of a name's end stays where lists cut it: names of a pool differ there. */
const END = 6;

/** The name as text. */
export function nodeText(names, name) {
  const shown = names.shown(name);
  return shown === name ? name : h("abbr", { title: name }, shown);
}

/** The name as a button; `mark` is a sign before it, `pressed` says whether the node is the selected one. */
export function nodeLink(names, name, onNode, { kind = "", mark = "", pressed = null } = {}) {
  const shown = names.shown(name);
  return h(
    "button",
    {
      type: "button",
      class: `link node-link ${kind}`.trim(),
      title: name,
      data: { key: `node ${name}` },
      aria: { label: shown === name ? null : name, pressed },
      onclick: () => onNode(name),
    },
    mark && h("span", { class: "mark" }, mark),
    h("span", { class: "name-head" }, shown.slice(0, -END)),
    h("span", {}, shown.slice(-END)),
  );
}

/** A text with the name of a node in it: the parts of the text, the name as nodeText makes it. */
export function withNode(names, text, name) {
  return text.split(name).flatMap((part, i) => (i === 0 ? [part] : [nodeText(names, name), part]));
}
