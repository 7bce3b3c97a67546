// A snapshot's nodes as a map or as a table: the map's controls, what is said under the pointer, a press that opens a node,
// ticks for edits of many (ticks.js), and the key m, which changes between the two.

import { Tooltip } from "../debugger/map/tooltip.js";
import { drawNamesLine } from "../debugger/names/names-line.js";
import { Reading } from "../debugger/reading.js";
import { ready } from "../ready.js";
import { NodesMap } from "./map.js";
import { Nodes, groupingsOf, unpacked } from "./nodes.js";

/** What the reader chooses of the map; the address keeps it. */
const CHOICES = ["resource", "group", "sort"];

/** Draw the map in a part of the page that is new. */
function begin(part) {
  if (!part || "drawn" in part.dataset) return;
  part.dataset.drawn = "";
  const parts = (name) => part.querySelector(`[data-map-part="${name}"]`);
  const asked = new URLSearchParams(location.search);
  const reading = new Reading({});
  reading.hold();
  const nodes = new Nodes(unpacked(document.getElementById("nodes-of-map").textContent), reading);
  const choices = { resource: nodes.resources, group: groupingsOf(nodes.nodes), sort: ["name", "load"] };
  const isChosen = (name) => choices[name].includes(asked.get(name));
  for (const name of CHOICES) parts(name).replaceChildren(...choices[name].map((value) => new Option(value, value)));
  for (const name of CHOICES.filter(isChosen)) parts(name).value = asked.get(name);
  const read = () => {
    reading.set(Object.fromEntries(CHOICES.map((name) => [name, parts(name).value])));
    for (const one of part.querySelectorAll("[data-resource]")) one.textContent = reading.resource;
  };
  read();
  const canvas = parts("canvas");
  const map = new NodesMap(canvas, nodes, reading);
  const said = new Tooltip({ element: parts("tip"), fold: /** @type {any} */ (nodes), loads: /** @type {any} */ (nodes), log: null });
  const none = { came: new Set(), went: new Set() };
  map.onHover = (hit, event) => said.show(hit, event, none);
  map.onPick = (node, event) => (event.shiftKey || event.ctrlKey || event.metaKey ? tick(map, node) : open(node));
  const link = parts("open");
  const open = (node) => {
    link.href = link.dataset.of.replace("NODE", encodeURIComponent(nodes.nodes[node].name));
    link.click();
  };
  for (const name of CHOICES)
    parts(name).addEventListener("change", () => {
      read();
      keep(name, parts(name).value);
    });
  reading.when(CHOICES, () => map.arrange());
  reading.when(["wholeNames"], () => map.draw());
  drawNamesLine(parts("names"), nodes.names, reading);
  canvas.addEventListener("keydown", (event) => pressed(event, map, open));
  document.addEventListener("ticked", (event) => {
    const { detail: names } = /** @type {CustomEvent} */ (event);
    map.ticked = new Set([...names].flatMap((name) => nodes.places.get(name) ?? []));
    map.draw();
  });
  document.dispatchEvent(new CustomEvent("ticks-wanted"));
  ready(part);
  reading.begin();
}

function tick(map, node) {
  const { name } = map.nodes.nodes[node];
  document.dispatchEvent(new CustomEvent("tick", { detail: { keys: [name], on: !map.ticked.has(node) } }));
}

function pressed(event, map, open) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key.startsWith("Arrow")) map.move(event.key);
  else if (map.current < 0) return;
  else if (event.key === "Enter") open(map.current);
  else if (event.key.toLowerCase() === "x") tick(map, map.current);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** Keep a choice in the address. */
function keep(name, value) {
  const address = new URL(location.href);
  address.searchParams.set(name, value);
  history.replaceState(history.state, "", address);
}

document.addEventListener("keydown", (event) => {
  const target = /** @type {Element} */ (event.target);
  if (event.key !== "m" || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (target.closest("input:not([type=checkbox]), textarea, select, [contenteditable]")) return;
  const { view } = /** @type {HTMLElement} */ (document.querySelector("[data-view]:not([aria-current])")).dataset;
  const address = new URL(location.href);
  address.searchParams.delete("page");
  if (view) address.searchParams.set("view", view);
  else address.searchParams.delete("view");
  location.assign(address);
});

const here = () => begin(document.querySelector("[data-nodes-map]"));
document.addEventListener("htmx:load", here);
here();
