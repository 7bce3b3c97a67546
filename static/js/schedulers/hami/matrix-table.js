// Nodes and reasons as a table, where no node fits: how many cards of each node were refused for what, the node that came
// nearest first.

import { h } from "../../drawing/dom.js";
import { nodeText } from "../../debugger/names/node-link.js";
import { count, plural } from "../../debugger/words/units.js";
import { meaningOf } from "../cards/letters.js";
import { matrixOf } from "./matrix.js";

/** So many rows are drawn. */
const ROWS = 60;

export function drawMatrix(tools, refused, selected) {
  const { rows, letters, whole } = matrixOf(refused);
  const { names, reading } = tools;
  const row = ({ node, found, cards, byLetter }) =>
    h(
      "tr",
      { class: node === selected ? "selected" : null },
      h("th", { scope: "row" }, h("button", { type: "button", class: "link", title: node, aria: { pressed: node === selected }, onclick: () => reading.set({ node }) }, names.shown(node))),
      h("td", { class: "num" }, found ? h("b", {}, count(found)) : "0"),
      letters.map((letter) => h("td", { class: "num" }, byLetter.has(letter) ? count(byLetter.get(letter)) : "·")),
      h("td", { class: "num muted" }, count(cards)),
    );
  return [
    rows.length > 0 && [
      h("p", { class: "muted small" }, "Why each card was passed over, by node: how many cards. A node's name opens its cards."),
      h(
        "div",
        { class: "card-table", tabindex: "0", role: "region", aria: { label: "nodes by reason" } },
        h(
          "table",
          { class: "dense card-matrix" },
          h(
            "thead",
            {},
            h(
              "tr",
              {},
              h("th", { scope: "col" }, "node"),
              h("th", { scope: "col", class: "num" }, "found"),
              letters.map((letter) => h("th", { scope: "col", class: "num" }, h("abbr", { title: meaningOf(letter) }, letter))),
              h("th", { scope: "col", class: "num" }, "cards"),
            ),
          ),
          h("tbody", {}, rows.slice(0, ROWS).map(row)),
        ),
      ),
      rows.length > ROWS && h("p", { class: "muted small" }, `${plural(rows.length - ROWS, "node")} more, none of them nearer`),
      h("p", { class: "muted small" }, letters.map((letter, i) => [i > 0 && " · ", h("b", {}, letter), ` ${meaningOf(letter)}`])),
    ],
    whole.map(({ word, nodes }) =>
      h("p", { class: "small" }, h("b", {}, word), ": ", nodes.slice(0, ROWS).map((name, i) => [i > 0 && ", ", nodeText(names, name)]), nodes.length > ROWS && ` and ${count(nodes.length - ROWS)} more`),
    ),
  ];
}
