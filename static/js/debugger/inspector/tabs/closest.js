// Where a pod fits on no node: those that come closest to taking it, with what is short there. The server works it out.

import { amount } from "../../../amounts.js";
import { h } from "../../../drawing/dom.js";
import { plural } from "../../words/units.js";

const SHOWN = 8;
const COLUMNS = ["node", "against it", "short", "free"];

/** `why`: REST's answer about the decision's pod (rest.js). */
export function drawClosest(tools, { cause, marks }) {
  const near = (cause.nearest ?? []).slice(0, SHOWN);
  if (!near.length || !marks) return null;
  const others = cause.nodes - (cause.fits ?? 0) - near.length;
  const heads = COLUMNS.map((name, i) => h("th", { scope: "col", class: i > 1 ? "num" : null }, name));
  return h(
    "section",
    { class: "closest" },
    h("h3", {}, "Closest to fitting ", h("small", { class: "muted" }, "fewest reasons, then those of the main reason, then shortfall")),
    h(
      "table",
      { class: "dense" },
      h("thead", {}, h("tr", {}, heads)),
      h("tbody", {}, near.map((one, i) => row(tools, one, marks.titles, i === 0))),
    ),
    others > 0 && h("p", { class: "muted small" }, plural(others, "more node")),
  );
}

function row(tools, { node, held, short = [], particulars = [] }, titles, isNearest) {
  const missing = short.filter(({ asked, free }) => asked > free);
  const against = held.map((place) => titles[place]).join(", ");
  return h(
    "tr",
    { class: isNearest ? "nearest" : null },
    h("th", { scope: "row" }, tools.nodeButton(node)),
    h("td", { class: "role" }, against, particulars.map((text) => [h("br"), h("code", {}, text)])),
    h("td", { class: "num is-preempt" }, lines(missing.map(({ what, asked, free }) => amount(what, asked - free)))),
    h("td", { class: "num" }, lines(missing.map(({ what, free }) => `${amount(what, free)} ${what}`))),
  );
}

function lines(words) {
  return words.length ? words.map((word, i) => [i > 0 && h("br"), word]) : "–";
}
