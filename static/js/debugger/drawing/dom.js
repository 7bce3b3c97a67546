// Build elements without HTML strings: every name on this page comes from somebody's cluster, so text is
// only ever set as text. Styles go through the CSSOM, since the page's policy forbids style attributes.

import { sayOn } from "../../say-on.js";
import { keepFocus } from "./focus.js";
import { listen, patch } from "./patch.js";

/** Make an element: `h("button", {class: "band", onclick: f, aria: {pressed: true}}, "text", child)`. */
export function h(tag, props, ...children) {
  return dress(document.createElement(tag), props, children);
}

/** The same for SVG. */
export function svg(tag, props, ...children) {
  return dress(document.createElementNS("http://www.w3.org/2000/svg", tag), props, children);
}

/** Replace everything in an element. Who has the focus there has it again, if anything has the same `data-key` then. */
export function fill(element, ...children) {
  const leave = keepFocus(element);
  element.replaceChildren(...shown(children));
  leave?.();
  return element;
}

/**
 * The same, with the elements that are there as far as they are called the same (`data-key`) or stand in the same place:
 * what doesn't change stays under the pointer. For who keeps none of the elements.
 */
export function update(element, ...children) {
  const leave = keepFocus(element);
  patch(element, shown(children).map((child) => (child instanceof Node ? child : new Text(child))));
  leave?.();
  return element;
}

function shown(children) {
  return children.flat(3).filter((child) => child !== null && child !== undefined && child !== false);
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
