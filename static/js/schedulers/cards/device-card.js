// What the card of a device card says: memory, cores and slots, which of them is used up, who holds it since when; its row.

import { heldSince, holdersOn } from "../../cards.js";
import { copy, h } from "../../drawing/dom.js";
import { count } from "../../debugger/words/units.js";
import { isCut, limitsOf, roomWords, usedUp } from "./limits.js";

export const CARD_TABS = [
  { key: "card-holders", label: "Pods on this card", draw: drawHolders },
  { key: "card-raw", label: "Raw", draw: drawRow },
];

export function cardHead({ names, onNode }, { row }, close) {
  const full = usedUp(row);
  const state = !row.health ? "not healthy" : full.length ? `no ${full.map((what) => what.replace(/s$/, "")).join(", no ")} left` : isCut(row) ? "cut into slices" : "room left";
  const facts = [row.type, `NUMA ${row.numa}`, row.mode, row.health ? "healthy" : "not healthy", row.vendor];
  return [
    h(
      "h3",
      {},
      h("button", { type: "button", class: "link", onclick: () => onNode(row.node) }, names.shown(row.node)),
      `, card ${row.index}`,
      h("span", { class: `badge${row.health && !full.length ? "" : " outcome-unschedulable"}` }, state),
      close,
    ),
    h("p", { class: "muted small" }, facts.filter(Boolean).join(" · "), " · ", h("code", {}, row.id)),
    h("dl", { class: "card-limits" }, limitsOf(row).flatMap(drawLimit)),
    h("p", { class: "card-say" }, roomWords(row).map(({ text, strong }) => (strong ? h("b", {}, text) : text))),
  ];
}

function drawLimit({ what, used, all, unit }) {
  const share = all ? Math.min(1, used / all) : 0;
  return [
    h("dt", {}, what),
    h("dd", { class: "card-limit", aria: { hidden: true } }, h("i", { class: share >= 1 ? "is-full" : "", style: { width: `${share * 100}%` } })),
    h("dd", { class: "num" }, `${count(used)} of ${count(all)}${unit}`),
  ];
}

function drawHolders({ fold, onPod, onSeek, scale }, { name, row }) {
  const holders = holdersOn(fold, name);
  if (!holders.length) return h("p", { class: "empty" }, "Nobody holds it.");
  return h(
    "table",
    { class: "dense card-holders" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "pod"), ["priority", "MiB", "cores", "since"].map((word) => h("th", { scope: "col", class: "num" }, word)))),
    h("tbody", {}, holders.map((holder) => drawHolder(holder, { fold, onPod, onSeek, scale }))),
    row.slices.length > 0 && h("caption", {}, `slices in use: ${row.slices.join(", ")}`),
  );
}

function drawHolder({ pod, memory, cores }, { fold, onPod, onSeek, scale }) {
  const known = fold.pods[pod];
  if (!known) return h("tr", {}, h("th", { scope: "row" }, "a pod that isn't part of the run"), ["", count(memory), count(cores), ""].map((text) => h("td", { class: "num" }, text)));
  const since = heldSince(fold, known.uid);
  return h(
    "tr",
    {},
    h(
      "th",
      { scope: "row" },
      h("i", { class: `key prio-${scale.step(known.priority) + 1}` }),
      h("button", { type: "button", class: "link", onclick: () => onPod(known.uid) }, `${known.namespace}/${known.name}`),
    ),
    h("td", { class: "num" }, known.priority),
    h("td", { class: "num" }, count(memory)),
    h("td", { class: "num" }, count(cores)),
    h(
      "td",
      { class: "num" },
      since === null ? "the start" : h("button", { type: "button", class: "link", aria: { label: `decision ${since}` }, onclick: () => onSeek(since) }, count(since)),
    ),
  );
}

function drawRow(_card, { row }) {
  const text = JSON.stringify(row, null, 2);
  return [
    h("p", {}, h("button", { type: "button", class: "link", onclick: ({ currentTarget }) => copy(text, currentTarget) }, "copy JSON")),
    h("pre", { class: "raw", tabindex: "0", aria: { label: "JSON of its row" } }, text),
  ];
}
