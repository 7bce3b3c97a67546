// What the card of a device says: what its driver says of it, and which claims and pods hold it.

import { copy, h } from "../../drawing/dom.js";
import { claimsHolding } from "./rows.js";

/** Why a device that no claim holds can't be given. */
const BLOCKED = "too little is left of what it shares with held devices";

export const DEVICE_TABS = [
  { key: "device-claims", label: "Claims", draw: drawClaims },
  { key: "device-raw", label: "Raw", draw: drawRow },
];

export function deviceHead({ fold, names, onNode }, { name, row }, close) {
  const isHeld = claimsHolding(fold, name).some(({ admin }) => !admin);
  const sizes = Object.entries(row.capacity).map(([what, amount]) => `${what} ${amount}`);
  const facts = [row.model, ...sizes, row.tainted && "tainted", !isHeld && row.blocked && BLOCKED].filter(Boolean);
  return [
    h(
      "h3",
      {},
      h("button", { type: "button", class: "link", onclick: () => onNode(row.node) }, names.shown(row.node)),
      `, device ${row.device}`,
      h("span", { class: "badge" }, isHeld ? "held" : stateOf(row)),
      close,
    ),
    h("p", { class: "muted small" }, facts.join(" · "), facts.length > 0 && " · ", h("code", {}, name)),
  ];
}

/** What is to be said of a device that no claim holds. */
export function stateOf({ blocked }) {
  return blocked ? "blocked" : "free";
}

function drawClaims({ fold, onPod }, { name }) {
  const claims = claimsHolding(fold, name);
  if (!claims.length) return h("p", { class: "empty" }, "No claim holds it.");
  return h(
    "table",
    { class: "dense" },
    h("thead", {}, h("tr", {}, ["claim", "reserved for"].map((word) => h("th", { scope: "col" }, word)))),
    h("tbody", {}, claims.map((one) => h("tr", {}, h("th", { scope: "row" }, one.claim), h("td", {}, drawPods(fold, one, onPod))))),
  );
}

function drawPods(fold, { pods, admin }, onPod) {
  const known = pods.map((uid) => fold.pods[fold.podIndex.get(uid)]).filter(Boolean);
  const links = known.map(({ uid, namespace, name }) => h("button", { type: "button", class: "link", onclick: () => onPod(uid) }, `${namespace}/${name}`));
  const others = pods.length - known.length;
  const said = [pods.length === 0 && "no pod", others > 0 && `${others} that are not part of the run`, admin && "for administration: it stays free for others"];
  return [...links.flatMap((link, i) => (i ? [", ", link] : [link])), said.filter(Boolean).join("; ")];
}

function drawRow(_card, { row }) {
  const text = JSON.stringify(row, null, 2);
  return [
    h("p", {}, h("button", { type: "button", class: "link", onclick: ({ currentTarget }) => copy(text, currentTarget) }, "copy JSON")),
    h("pre", { class: "raw", tabindex: "0", aria: { label: "JSON of its row" } }, text),
  ];
}
