/* What a term means: a press on `<button class="term" data-term="nomination">` shows the glossary's words beside it,
   and so does a pointer that rests on it. What a pointer has shown goes when the pointer does. */

import { fill, h } from "./drawing/dom.js";
import { ask, complaint } from "./rest.js";

let box = null;
let asked = null;
/** The term that was shown when the pointer went down: by the click the browser has put it away. */
let pressedAt = null;
/** The button that the pointer rests on, whose term is shown, or is to be in a moment. */
let restsOn = null;
let waiting = null;
/** So long a pointer rests on a term before it is shown, and is away from both before it is put away; ms. */
const REST = 400;
const AWAY = 250;

function isOpen() {
  return Boolean(box?.matches(":popover-open"));
}

/** A word that says what it means when it is pressed: for what scripts draw. `{% term "…" %}` is the same in templates. */
export function term(name, words = name) {
  return h("button", { type: "button", class: "term", data: { term: name } }, words);
}

/** Show what the button's term means, or put it away. */
export async function show(button) {
  box ??= made();
  letGo();
  const wasOpen = isOpen() ? box.dataset.of : pressedAt;
  pressedAt = null;
  if (wasOpen === button.dataset.term) return box.hidePopover();
  await open(button);
}

/** A pointer rests on a term: show what it means, until the pointer is away. */
export function rest(button) {
  if (restsOn === button) return isOpen() && clearTimeout(waiting);
  letGo();
  if (isOpen()) return;
  box ??= made();
  restsOn = button;
  waiting = setTimeout(() => open(button, () => restsOn === button), REST);
  button.addEventListener("pointerleave", leave);
}

function leave() {
  if (!restsOn) return;
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    letGo();
    box.hidePopover();
  }, AWAY);
}

/** What is shown no longer depends on where the pointer is. */
function letGo() {
  clearTimeout(waiting);
  restsOn = null;
}

async function open(button, isWanted = () => true) {
  const answer = await (asked ??= ask("GET", "/api/v1/glossary/"));
  if (!answer.ok) asked = null;
  if (!isWanted()) return;
  box.dataset.of = button.dataset.term;
  fill(box, answer.ok ? meaning(answer.body.results, button.dataset.term) : h("p", {}, complaint(answer)));
  // A modal dialog takes what is outside of it away from readers.
  (button.closest("dialog[open]") ?? document.body).append(box);
  box.showPopover();
  place(button);
  button.setAttribute("aria-describedby", box.id);
}

/** Escape is for what is shown here, before a page takes the key for something of its own. */
function putAway(event) {
  if (event.key !== "Escape" || !isOpen()) return;
  event.preventDefault();
  event.stopPropagation();
  box.hidePopover();
}

function made() {
  document.addEventListener("keydown", putAway, true);
  document.addEventListener("pointerdown", () => (pressedAt = isOpen() && !restsOn ? box.dataset.of : null), true);
  const drawn = h("div", { id: "term-box", class: "term-box", popover: "auto", role: "note", aria: { label: "What it means" } });
  drawn.addEventListener("pointerenter", () => clearTimeout(waiting));
  drawn.addEventListener("pointerleave", leave);
  return drawn;
}

function meaning(terms, name) {
  const found = terms.find(({ term: one }) => one === name);
  if (!found) return h("p", {}, "The glossary does not explain this.");
  return [
    h("p", {}, h("b", {}, found.term), `: ${found.means}`),
    h("p", { class: "small flush" }, h("a", { href: "/glossary/" }, "All terms")),
  ];
}

/** Below the button, within the window. */
function place(button) {
  const at = button.getBoundingClientRect();
  const { width, height } = box.getBoundingClientRect();
  const left = Math.max(8, Math.min(at.left, innerWidth - width - 8));
  const below = at.bottom + 6;
  const top = below + height > innerHeight ? Math.max(8, at.top - height - 6) : below;
  box.style.left = `${left}px`;
  box.style.top = `${top}px`;
}
