// Menus and the list of keys: what opens over the page and is closed again.

import { fill, h } from "../../drawing/dom.js";
import { part } from "../parts.js";

/** A press beside an open menu closes it. */
export function closeMenusByPress() {
  document.addEventListener("click", (event) => {
    for (const menu of document.querySelectorAll("details.menu[open]")) {
      if (!menu.contains(event.target)) menu.open = false;
    }
  });
}

/** Close the menu that is open; false if none is. */
export function closeMenu() {
  const menu = document.querySelector("#debugger details.menu[open], .top details.menu[open]");
  if (!menu) return false;
  menu.open = false;
  menu.querySelector("summary").focus();
  return true;
}

/** Show what keys do; `keys`: see keys.js. */
export function showKeys(keys) {
  const dialog = part("help-dialog");
  const keysOf = (shown) => shown.map((key) => h("kbd", {}, key));
  const rows = keys.map(({ shown, does }) => h("div", {}, h("dt", {}, keysOf(shown)), h("dd", {}, does)));
  fill(dialog.querySelector("dl"), rows);
  dialog.showModal();
}
