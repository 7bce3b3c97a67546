// Build elements without HTML strings: every name on this page comes from somebody's cluster, so text is
// only ever set as text. Styles go through the CSSOM, since the page's policy forbids style attributes.

import { sayOn } from "../say-on.js";
import { keepFocus } from "./focus.js";
import { heirOf, listen, morph, noteValue, partOf } from "./morph.js";

export { awaitAnswer, keep } from "./morph.js";

/** Make an element: `h("button", {class: "band", onclick: f, aria: {pressed: true}}, "text", child)`. */
export function h(tag, props, ...children) {
  return dress(document.createElement(tag), props, children);
}

/** The same for SVG. */
export function svg(tag, props, ...children) {
  return dress(document.createElementNS("http://www.w3.org/2000/svg", tag), props, children);
}

/**
 * Draw what is in an element, with the elements that are there as far as they are called the same (morph.js): what
 * doesn't change stays under the pointer. Who holds one of them keeps it. What was drawn again since isn't filled.
 */
export function fill(element, ...children) {
  const place = heirOf(element);
  if (!place) return element;
  const leave = keepFocus(place);
  morph(place, shown(children).map((child) => (child instanceof Node ? child : new Text(child))));
  leave?.();
  return place;
}

function shown(children) {
  const there = children.flat(3).filter((child) => child !== null && child !== undefined && child !== false);
  return there.map((child) => (child instanceof Element ? partOf(child) : child));
}

function dress(element, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) listen(element, name.slice(2), value);
    else if (name === "class") element.setAttribute("class", value);
    else if (name === "style") for (const [key, text] of Object.entries(value)) setStyle(element, key, text);
    else if (name === "data") Object.assign(element.dataset, value);
    else if (name === "aria") for (const [key, text] of Object.entries(value)) setAria(element, key, text);
    else if (name === "value" || name === "checked" || name === "disabled") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...shown(children));
  noteValue(element);
  return element;
}

function setStyle(element, key, text) {
  if (key.startsWith("--")) element.style.setProperty(key, text);
  else element.style[key] = text;
}

function setAria(element, key, text) {
  if (text !== null && text !== undefined) element.setAttribute(`aria-${key}`, String(text));
}

/** Copy text and say so in the button that was pressed. */
export async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = h("textarea", { class: "off-screen", value: text });
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  if (button) sayOn(button, "copied");
}
