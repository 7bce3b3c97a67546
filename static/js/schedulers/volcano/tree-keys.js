// A tree of lines that the keyboard walks: one line has the focus; up and down move it, right and left unfold, fold, and
// go in and out, Home and End go to the ends, Enter and space choose.

import { fill } from "../../drawing/dom.js";

/**
 * `parts`: {element, lines(): [{branch, parent}], draw(line): an element with data-key, isOpen(branch),
 * fold(branch, open), go(branch), first: the key that has the focus at first}
 */
export function tree(parts) {
  const { element, lines, draw, isOpen, fold, go } = parts;
  let current = parts.first;

  const itemOf = (key) => [...element.children].find((item) => item.dataset.key === key);
  const show = () => {
    fill(element, lines().map(draw));
    (itemOf(current) ?? element.firstElementChild)?.setAttribute("tabindex", "0");
  };
  const focus = (line) => {
    if (!line) return;
    itemOf(current)?.setAttribute("tabindex", "-1");
    current = line.branch.key;
    const item = itemOf(current);
    item.setAttribute("tabindex", "0");
    item.focus();
  };
  const setOpen = (branch, open) => {
    fold(branch, open);
    current = branch.key;
    show();
    itemOf(current).focus();
  };

  element.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const all = lines();
    const at = all.findIndex(({ branch }) => branch.key === document.activeElement?.dataset.key);
    if (at < 0) return;
    const { branch, parent } = all[at];
    const isBranch = branch.children.length > 0;
    const acts = {
      ArrowDown: () => focus(all[at + 1]),
      ArrowUp: () => focus(all[at - 1]),
      Home: () => focus(all[0]),
      End: () => focus(all.at(-1)),
      ArrowRight: () => isBranch && (isOpen(branch) ? focus(all[at + 1]) : setOpen(branch, true)),
      ArrowLeft: () => {
        if (isBranch && isOpen(branch)) setOpen(branch, false);
        else focus(all.find((line) => line.branch === parent));
      },
      Enter: () => go(branch),
      " ": () => go(branch),
    };
    if (!Object.hasOwn(acts, event.key)) return;
    event.preventDefault();
    acts[event.key]();
  });

  return {
    show,
    /** A press on the triangle folds; anywhere else on a line it goes to its decision. */
    press(branch, event) {
      const onFold = event.target instanceof Element && event.target.closest(".tree-fold");
      if (onFold && branch.children.length) return setOpen(branch, !isOpen(branch));
      focus(lines().find((line) => line.branch === branch));
      go(branch);
    },
    /** Bring the chosen line into view within the tree; give it the focus again if the tree that it replaces had it. */
    reveal(hadFocus) {
      const item = itemOf(parts.first);
      if (!item) return;
      if (hadFocus) item.focus({ preventScroll: true });
      const above = item.offsetTop;
      if (above + item.offsetHeight > element.clientHeight) element.scrollTop = above - element.clientHeight / 2;
    },
  };
}
