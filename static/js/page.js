/* What every page can use by attributes: copy buttons, the drawer that shows a row's detail, menus that close, terms
   that say what they mean, and the palette (Ctrl-K). */

import { closeDrawer, followHistory, openDrawer } from "./drawer.js";
import { ready } from "./ready.js";
import { sayOn } from "./say-on.js";

/** The buttons that this script listens to, wherever they come from. */
const OWN = "[data-copy], [data-copy-from], [data-close-drawer], [data-palette], [data-term]";
/** What a press on is answered here. */
const PRESSED = `${OWN}, a[data-drawer]`;

const listen = (part) => ready(part, OWN);

document.addEventListener("click", (event) => {
  const target = /** @type {Element} */ (event.target).closest(PRESSED);
  if (!target) return closeMenus(event);
  if (target.matches("a[data-drawer]")) openDrawer(event, target, listen);
  else if (target.hasAttribute("data-close-drawer")) closeDrawer(target);
  else if (target.hasAttribute("data-palette")) openPalette();
  else if (target.hasAttribute("data-term")) explain(target);
  else copyText(target);
});

document.addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
    if (!document.querySelector("[data-palette]")) return;
    event.preventDefault();
    return openPalette();
  }
  if (event.key !== "Escape") return;
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});

async function openPalette() {
  const { open } = await import("./palette.js");
  open();
}

async function explain(button) {
  const { show } = await import("./terms.js");
  show(button);
}

document.addEventListener("pointerover", async (event) => {
  const term = event.pointerType === "mouse" && /** @type {Element} */ (event.target).closest("[data-term]:enabled");
  if (!term) return;
  const { rest } = await import("./terms.js");
  if (term.matches(":hover")) rest(term);
});

function closeMenus(event) {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
}

async function copyText(button) {
  const source = button.dataset.copyFrom && document.querySelector(button.dataset.copyFrom);
  const text = source ? source.textContent : button.dataset.copy;
  try {
    await navigator.clipboard.writeText(text);
    sayOn(button, "Copied");
  } catch {
    sayOn(button, "Copying is not allowed here");
  }
}

ready(document, OWN);
document.addEventListener("htmx:load", ({ target }) => {
  const loaded = /** @type {Element} */ (target);
  ready(loaded, OWN);
  askAgain(loaded.querySelector("#table-asks"));
});

/** Ask for what a form says that narrows a table, where it was changed before anybody listened to it. */
function askAgain(form) {
  if (form && [...form.elements].some(isChanged)) /** @type {any} */ (window).htmx.trigger(form, "submit");
}

/** Tell whether a field says something else than what it was served with. */
function isChanged(field) {
  if (field.type === "checkbox") return field.checked !== field.defaultChecked;
  if (field.type === "search") return field.value !== field.defaultValue;
  if (field.tagName !== "SELECT") return false;
  const served = [...field.options].find((option) => option.defaultSelected) ?? field.options[0];
  return served !== undefined && field.value !== served.value;
}

followHistory(listen);
