// The Session tab: the session as a tree, the reader's decision chosen in it. A press goes to a line's decision.
// Arrows walk, fold and unfold; Enter goes.

import { h, keep } from "../../drawing/dom.js";
import { tree } from "./tree-keys.js";
import { linesOf, openAtFirst, pathTo, sessionTree } from "./session-tree.js";
import { withEvents } from "./gang.js";

/**
 * What the reader has folded by hand, kept while they stay in a session, and whether the tree is owed the focus that it
 * had before it was drawn anew: {from, folds: Map(key -> isOpen), isOwed}.
 */
const kept = new WeakMap();

export function drawSession(tools, event) {
  const span = tools.sessions.spanOf("session", event.seq);
  const state = stateOf(tools, span);
  state.isOwed ||= Boolean(tools.panel.querySelector("[role=tree]")?.contains(document.activeElement));
  return withEvents(tools, span, (events) => drawTree(tools, event, sessionTree(events, tools.scheduler), state));
}

function stateOf(tools, { from }) {
  const before = kept.get(tools);
  if (before?.from !== from) kept.set(tools, { from, folds: new Map(), isOwed: before?.isOwed ?? false });
  return kept.get(tools);
}

function drawTree(tools, event, branches, state) {
  const { folds } = state;
  const path = pathTo(branches, event.seq);
  const atFirst = openAtFirst(branches, path);
  const isOpen = (branch) => folds.get(branch.key) ?? atFirst(branch);
  const chosen = path.findLast((key) => linesOf(branches, isOpen).some(({ branch }) => branch.key === key));
  const element = keep(h("ul", { class: "session-tree", role: "tree", aria: { label: `session ${event.session}` } }));
  const view = tree({
    element,
    lines: () => linesOf(branches, isOpen),
    draw: (line) => drawLine(line, { chosen, isOpen, view: () => view, seq: event.seq }),
    isOpen,
    fold: (branch, open) => folds.set(branch.key, open),
    go: (branch) => goTo(tools, branch),
    first: chosen,
  });
  view.show();
  queueMicrotask(() => {
    if (!element.isConnected) return;
    view.reveal(state.isOwed);
    state.isOwed = false;
  });
  return element;
}

/** The tree stays open, whichever tab would answer best at the other decision. */
function goTo({ reading, onSeek }, { seq }) {
  if (seq === null) return;
  reading.set({ tab: "session" });
  onSeek(seq);
}

function drawLine({ branch, level, place, all }, { chosen, isOpen, view, seq }) {
  const { key, mark, tone, words, title, note, struck, children } = branch;
  const isBranch = children.length > 0;
  const isChosen = key === chosen;
  const ahead = branch.seq !== null && branch.seq > seq && !isBranch ? "is-ahead" : "";
  return h(
    "li",
    {
      role: "treeitem",
      class: `tree-line ${ahead} ${isBranch ? "is-branch" : ""}`,
      style: { "--level": String(level) },
      tabindex: "-1",
      data: { key },
      aria: { level, setsize: all, posinset: place, selected: isChosen, expanded: isBranch ? isOpen(branch) : null },
      onclick: (press) => view().press(branch, press),
    },
    h("span", { class: "tree-fold", aria: { hidden: true } }, isBranch ? (isOpen(branch) ? "▾" : "▸") : ""),
    h("span", { class: `tree-mark is-${tone}`, aria: { hidden: true } }, mark),
    struck ? h("s", { class: "tree-words" }, words) : h("span", { class: "tree-words", title }, words),
    h("span", { class: "tree-note" }, note),
  );
}
