/* Ticked rows of a snapshot's table: what one edit of all of them would do, said by the engine before it is made.
   Ticks outlast pages, searches and sorting of the table; nothing is stored until an action is pressed. */

import { count } from "./amounts.js";
import { ready } from "./ready.js";
import { ask, complaint } from "./rest.js";
import { editsOf, effectOf, faultIn, valuesOf } from "./ticked-edits.js";

const ASK_AFTER = 250;
const ASK_AGAIN_AFTER = 1000;
const foot = document.querySelector("[data-ticked]");
const { ticked: list, snapshot, kind } = foot.dataset;
const part = (name) => foot.querySelector(`[data-${name}]`);
/** The operation whose consequence is said before any is chosen. */
const first = foot.querySelector("[data-ticked-op]").dataset.tickedOp;
/** The operation whose consequence is said: the last that was pointed at. */
let chosen = first;
const ticked = new Set();
/** The row that keys move from: the last that was ticked or moved to. */
let current = null;
let asking = 0;
let waiting = null;
/** The reading of all rows that match, while it lasts: who acted meanwhile would act on fewer than were asked for. */
let gathering = null;

const boxes = () => [...document.querySelectorAll("[data-tick]")];
const boxOf = (key) => boxes().find((box) => box.dataset.tick === key);

/** The fields of an operation that needs values, as the page has them. */
const fieldsOf = (op) => foot.querySelector(`[data-ticked-fields="${op}"]`);

/** The values that an operation is given: those that its button sets, and those that are typed. */
function valuesFor(op) {
  const fixed = JSON.parse(buttonOf(op)?.dataset.values ?? "{}");
  return { ...fixed, ...valuesOf(typedFor(op)) };
}

/** What is typed in an operation's fields. */
const typedFor = (op) => [...(fieldsOf(op)?.querySelectorAll("[data-name]") ?? [])].map(({ dataset, value }) => ({ ...dataset, text: value }));

const buttonOf = (op) => foot.querySelector(`[data-ticked-op="${op}"]`);

/** The edits of all that is ticked, in the order in which it was. */
const editsFor = (op) => editsOf(list, buttonOf(op)?.dataset.of || op, [...ticked], valuesFor(op));

// --- ticking ------------------------------------------------------------------------------------------------

function tick(keys, on) {
  for (const key of keys) {
    if (on) ticked.add(key);
    else ticked.delete(key);
  }
  draw();
}

function draw() {
  for (const box of boxes()) {
    box.checked = ticked.has(box.dataset.tick);
    box.closest("tr").classList.toggle("ticked-row", box.checked);
  }
  const all = document.querySelector("[data-tick-all]");
  const here = boxes();
  if (all) {
    all.checked = here.length > 0 && here.every((box) => box.checked);
    all.indeterminate = !all.checked && here.some((box) => box.checked);
  }
  foot.hidden = ticked.size === 0;
  document.dispatchEvent(new CustomEvent("ticked", { detail: ticked }));
  part("ticked-count").textContent = `${count(ticked.size)} ${ticked.size === 1 ? list.slice(0, -1) : list} ticked:`;
  drawMatching();
  tell();
}

/** Say what the chosen operation would do. */
function tell() {
  clearTimeout(waiting);
  asking++;
  if (gathering) part("ticked-effect").textContent = `ticking all ${count(totalRows())} …`;
  if (!ticked.size || gathering) return;
  const fault = faultIn(typedFor(chosen));
  part("ticked-effect").textContent = fault || "asking the engine …";
  if (fault) return;
  waiting = setTimeout(() => askEngine(asking), ASK_AFTER);
}

/** Let the line be about an operation; one whose values are still to be typed is not asked about. */
function choose(op) {
  if (op === chosen || (isLacking(op) && !faultIn(typedFor(op)))) return;
  chosen = op;
  tell();
}

const isLacking = (op) => Boolean(fieldsOf(op)) && !Object.keys(valuesFor(op)).length;

/** How many rows the table has on all its pages. */
const totalRows = () => Number(document.querySelector("[data-total]")?.dataset.total ?? 0);

/** Offer to tick what else the table would show on its other pages. */
function drawMatching() {
  const button = part("tick-matching");
  const all = document.querySelector("[data-tick-all]")?.checked;
  button.hidden = Boolean(gathering) || !all || totalRows() <= ticked.size;
  button.textContent = `Tick all ${count(totalRows())}`;
  for (const action of foot.querySelectorAll("[data-ticked-op], [data-rehearse]")) action.disabled = Boolean(gathering);
}

/** Whether the line says by itself which operation it is about. */
const isPlain = (op) => op === first && ["nodes", "pods"].includes(list);

async function askEngine(number) {
  const asked = editsFor(chosen);
  const answer = await ask("POST", foot.dataset.try, { snapshot: Number(snapshot), edits: asked });
  if (number !== asking) return;
  const says = answer.ok ? effectOf(answer.body, { op: asked[0].op, asked }) : complaint(answer);
  part("ticked-effect").textContent = isPlain(chosen) ? says : `${buttonOf(chosen).dataset.words}: ${says}`;
  if (answer.body.preparing) setTimeout(() => number === asking && askEngine(number), ASK_AGAIN_AFTER);
}

// --- acting -------------------------------------------------------------------------------------------------

/** Make the edits; an operation that needs values asks for them first. */
function act(op) {
  if (!ticked.size || gathering) return;
  if (faultIn(typedFor(op))) return choose(op);
  if (isLacking(op)) return open(op);
  foot.querySelector("[name=edit]").value = JSON.stringify(editsFor(op));
  foot.submit();
}

/** Rehearse the upgrade of the nodes that are ticked, where an address can hold their names. */
function rehearse() {
  if (!ticked.size || gathering) return;
  const nodes = [...ticked].join(" ");
  const { rehearse: address, longest } = part("rehearse").dataset;
  if (nodes.length <= Number(longest)) return location.assign(`${address}?${new URLSearchParams({ nodes })}`);
  clearTimeout(waiting);
  asking++;
  part("ticked-effect").textContent = "Their names are too long for one address: rehearse a group or labels, on “Rehearse”.";
}

/** Show the fields of an operation, and of no other; its button, pressed again, makes the edits. */
function open(op) {
  for (const button of foot.querySelectorAll("[data-ticked-op]")) button.classList.toggle("primary", button.dataset.tickedOp === op);
  for (const fields of foot.querySelectorAll("[data-ticked-fields]")) fields.hidden = fields !== fieldsOf(op);
  fieldsOf(op).querySelector("input").focus();
}

for (const button of foot.querySelectorAll("[data-ticked-op]")) {
  const { tickedOp: op } = button.dataset;
  button.addEventListener("click", () => act(op));
  button.addEventListener("pointerenter", () => choose(op));
  button.addEventListener("focus", () => choose(op));
}
for (const fields of foot.querySelectorAll("[data-ticked-fields]")) {
  const { tickedFields: op } = fields.dataset;
  fields.addEventListener("input", () => {
    chosen = isLacking(op) && !faultIn(typedFor(op)) ? first : op;
    tell();
  });
  fields.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    act(op);
  });
}
part("rehearse")?.addEventListener("click", rehearse);
part("untick").addEventListener("click", () => {
  gathering = null;
  tick([...ticked], false);
  boxOf(current)?.focus();
});
part("tick-matching").addEventListener("click", async () => {
  const mine = (gathering = {});
  draw();
  const address = new URL(location.href);
  address.searchParams.delete("page");
  address.searchParams.set("format", "json");
  const answer = await ask("GET", address.href);
  const key = (row) => [list === "workloads" ? row.kind : kind, list !== "nodes" && row.namespace, row.name].filter(Boolean).join("/");
  if (gathering !== mine) return;
  gathering = null;
  if (answer.ok) return tick(answer.body.map(key), true);
  drawMatching();
  part("ticked-effect").textContent = complaint(answer);
});

document.addEventListener("change", (event) => {
  const target = /** @type {HTMLInputElement} */ (event.target);
  if (target.matches("[data-tick-all]")) tick(boxes().map((box) => box.dataset.tick), target.checked);
  if (!target.matches("[data-tick]")) return;
  current = target.dataset.tick;
  tick([current], target.checked);
});

// A map ticks too, and shows what is ticked (nodes-map/main.js).
document.addEventListener("tick", (event) => {
  const { keys, on } = /** @type {CustomEvent} */ (event).detail;
  tick(keys, on);
});
document.addEventListener("ticks-wanted", () => document.dispatchEvent(new CustomEvent("ticked", { detail: ticked })));

// --- keys ---------------------------------------------------------------------------------------------------

function step(by) {
  const all = boxes();
  const place = all.findIndex((box) => box.dataset.tick === current);
  const next = all[Math.min(all.length - 1, Math.max(0, place + by))];
  if (!next) return;
  current = next.dataset.tick;
  next.focus();
}

/** Tick the row that has the focus, or was last moved to; with shift all rows from the last ticked one up to it. */
function tickHere(event) {
  const box = event.target.closest?.("tr")?.querySelector("[data-tick]") ?? boxOf(current) ?? boxes()[0];
  if (!box) return;
  const all = boxes();
  const [from, to] = [all.findIndex((one) => one.dataset.tick === current), all.indexOf(box)];
  current = box.dataset.tick;
  box.focus();
  if (!event.shiftKey) return tick([current], !ticked.has(current));
  const start = from >= 0 && from !== to ? from : lastTickedBefore(all, to);
  tick(all.slice(Math.min(start, to), Math.max(start, to) + 1).map((one) => one.dataset.tick), true);
}

function lastTickedBefore(all, place) {
  for (let at = place - 1; at >= 0; at--) if (all[at].checked) return at;
  return place;
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const target = /** @type {Element} */ (event.target);
  if (target.closest("input:not([type=checkbox]), textarea, select, [contenteditable]")) return;
  const key = event.key.toLowerCase();
  if (key === "x") tickHere(event);
  else if (key === "d" && list === "nodes") act("drain");
  else if (event.key === "ArrowDown" || event.key === "ArrowUp") step(event.key === "ArrowDown" ? 1 : -1);
  else return;
  event.preventDefault();
});

document.addEventListener("htmx:afterSettle", () => {
  ready(document);
  draw();
});
ready(document);
draw();
