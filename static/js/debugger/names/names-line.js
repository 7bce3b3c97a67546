// The line that says what all names of nodes are shown without, and the button that brings it back or cuts it.

import { fill, h } from "../../drawing/dom.js";

export function drawNamesLine(element, names, reading) {
  if (!names.isCuttable) return;
  const words = h("span", {});
  const button = h("button", {
    type: "button",
    class: "link as-link",
    onclick: () => reading.set({ wholeNames: !reading.wholeNames }),
  });
  const draw = () => {
    const { wholeNames } = reading;
    fill(words, wholeNames ? "whole names of nodes where there is room" : withoutWords(names.common));
    document.body.classList.toggle("whole-names", wholeNames);
    button.textContent = wholeNames ? "shorten them" : "show whole names";
  };
  fill(element, words, button);
  reading.when(["wholeNames"], draw);
}

function withoutWords({ head, tail }) {
  const cut = [head, tail].filter(Boolean).map((part) => h("code", {}, part));
  return ["names of nodes without ", cut[0], ...(cut[1] ? [" and ", cut[1]] : [])];
}
