// The keyboard: one table of keys, from which the handler works and the help is drawn.

import { toggleInspector } from "../parts.js";

export const KEYS = [
  { keys: [" "], shown: ["space"], does: "play or pause", act: (page) => page.transport.toggle() },
  {
    keys: ["ArrowRight"],
    shown: ["→"],
    does: "one decision forwards",
    act: (page) => page.transport.step(1),
  },
  { keys: ["ArrowLeft"], shown: ["←"], does: "one decision back", act: (page) => page.transport.step(-1) },
  { keys: ["n"], shown: ["n"], does: "next stop", act: (page) => page.transport.nextStop(1) },
  { keys: ["p"], shown: ["p"], does: "previous stop", act: (page) => page.transport.nextStop(-1) },
  {
    keys: ["Home"],
    shown: ["Home"],
    does: "before the first decision",
    act: (page) => page.transport.first(),
  },
  { keys: ["End"], shown: ["End"], does: "the last decision", act: (page) => page.transport.last() },
  { keys: ["f"], shown: ["f"], does: "follow the head of a live run", act: (page) => page.following.follow() },
  { keys: ["/"], shown: ["/"], does: "find what is in the run by its name, or a decision", act: (page) => page.find.focus() },
  {
    keys: ["1", "2", "3", "4", "5", "6"],
    shown: ["1", "…", "6"],
    does: "the tabs, from the left",
    act: (page, key) => page.inspector.chooseTab(Number(key) - 1),
  },
  {
    keys: ["["],
    shown: ["["],
    does: "reprieve sequence: one step back",
    act: (page) => page.inspector.stepReprieve(-1),
  },
  {
    keys: ["]"],
    shown: ["]"],
    does: "reprieve sequence: one step on",
    act: (page) => page.inspector.stepReprieve(1),
  },
  {
    keys: ["b"],
    shown: ["b"],
    does: "when did the selected pod last lose its place?",
    act: (page) => page.selection.lastLoss(),
  },
  { keys: ["t"], shown: ["t"], does: "map or table", act: (page) => page.toggleTable() },
  { keys: ["+", "="], shown: ["+"], does: "zoom in", act: (page) => page.map.viewport.zoom(1.4) },
  { keys: ["-"], shown: ["−"], does: "zoom out", act: (page) => page.map.viewport.zoom(1 / 1.4) },
  { keys: ["0"], shown: ["0"], does: "the whole cluster", act: (page) => page.map.viewport.reset() },
  {
    keys: ["i"],
    shown: ["i"],
    does: "show or hide the inspector on narrow screens",
    act: () => toggleInspector(),
  },
  {
    keys: ["c"],
    shown: ["c"],
    does: "copy this decision as Markdown",
    act: (page) => page.inspector.copyMarkdown(),
  },
  {
    keys: ["Escape"],
    shown: ["Esc"],
    does: "let go of what is selected or lit",
    act: (page) => page.letGo(),
  },
  { keys: ["?"], shown: ["?"], does: "these keys", act: (page) => page.help() },
];

/** Keys that step also in a list of choices, where up and down choose. */
const STEPS = ["ArrowRight", "ArrowLeft"];

/** Handle keys that aren't meant for a field, a menu or a button that uses them itself. */
export function listenToKeys(page, table = KEYS) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector("dialog[open]")) return;
    const target = event.target instanceof Element ? event.target : document.body;
    const inMenu = target.closest("details[open] .menu-panel");
    if (inMenu && event.key !== "Escape") return;
    const isStep = target.matches("select") && STEPS.includes(event.key);
    if (!inMenu && !isStep && target.matches("input, select, textarea, [contenteditable]")) return;
    if (event.key === " " && target.closest("button, a, summary")) return;
    if (target.matches("[role=tab]") && event.key.startsWith("Arrow")) return;
    const found = table.find(({ keys }) => keys.includes(event.key));
    if (!found) return;
    event.preventDefault();
    found.act(page, event.key);
  });
}
