/* Ticked rows of a snapshot's table: what one edit of all of them would do, said by the engine before it is made.
   Ticks outlast pages, searches and sorting of the table; nothing is stored until an action is pressed. */

import { count } from "./amounts.js";
import { ready } from "./ready.js";
import { ask, complaint } from "./rest.js";

const ASK_AFTER = 250;
const ASK_AGAIN_AFTER = 1000;
const foot = document.querySelector("[data-ticked]");
const { ticked: list, snapshot } = foot.dataset;
const part = (name) => foot.querySelector(`[data-${name}]`);
/** The operation whose consequence is said before anything is pressed, and the field with the names. */
const [ASKED, NAMES] = list === "nodes" ? ["drain", "nodes"] : ["evict", "pods"];
const ticked = new Set();
/** The row that keys move from: the last that was ticked or moved to. */
let current = null;
let asking = 0;
let waiting = null;

const boxes = () => [...document.querySelectorAll("[data-tick]")];
const boxOf = (key) => boxes().find((box) => box.dataset.tick === key);

/** What a value that is asked for is called, how it is read, and how a field says it. */
const VALUES = {
  taint: { label: "key=value:Effect", parts: (text) => ({ taints: text.split(/[\s,]+/).filter(Boolean) }) },
  label: { label: "key=value, or key-", parts: (text) => ({ labels: Object.fromEntries(text.split(/[\s,]+/).filter(Boolean).map(labelIn)) }) },
};

function labelIn(text) {
  const [key, ...value] = text.split("=");
  return text.includes("=") ? [key, value.join("=")] : [text.replace(/-$/, ""), null];
}

/** The edit of all that is ticked, in the order in which it was. */
function editOf(op, text = "") {
  if (op === "delete") return { op, kind: "Node", names: [...ticked] };
  return { op, [NAMES]: [...ticked], ...VALUES[op]?.parts(text) };
}

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
  part("ticked-count").textContent = `${count(ticked.size)} ${ticked.size === 1 ? list.slice(0, -1) : list} ticked:`;
  drawMatching();
  clearTimeout(waiting);
  asking++;
  if (!ticked.size) return;
  part("ticked-effect").textContent = "asking the engine …";
  waiting = setTimeout(() => askEngine(asking), ASK_AFTER);
}

/** Offer to tick what else the table would show on its other pages. */
function drawMatching() {
  const total = Number(document.querySelector("[data-total]")?.dataset.total ?? 0);
  const button = part("tick-matching");
  const all = document.querySelector("[data-tick-all]")?.checked;
  button.hidden = !all || total <= ticked.size;
  button.textContent = `Tick all ${count(total)}`;
}

async function askEngine(number) {
  const answer = await ask("POST", foot.dataset.try, { snapshot: Number(snapshot), edits: [editOf(ASKED)] });
  if (number !== asking) return;
  part("ticked-effect").textContent = effectOf(answer);
  if (answer.body.preparing) setTimeout(() => number === asking && askEngine(number), ASK_AGAIN_AFTER);
}

function effectOf(answer) {
  if (!answer.ok) return complaint(answer);
  const { problems, edits, untried, preparing } = answer.body;
  if (problems.length) return problems[0].message;
  if (preparing) return "the cluster is being read …";
  if (!edits.length) return untried;
  const [{ evictions, budgets }] = edits;
  const leave = `${count(evictions)} ${evictions === 1 ? "pod leaves" : "pods leave"}${list === "nodes" ? " in a drain" : ""}`;
  return budgets ? `${leave}, ${count(budgets)} ${budgets === 1 ? "budget is" : "budgets are"} touched` : `${leave}, no budget is touched`;
}

// --- acting -------------------------------------------------------------------------------------------------

/** Make the edit; an operation that needs a value asks for it first. */
function act(op) {
  if (!ticked.size) return;
  const value = part("ticked-value");
  const box = value.closest("label");
  const wanted = VALUES[op];
  if (wanted && (box.hidden || box.dataset.of !== op || !value.value.trim())) {
    box.hidden = false;
    box.dataset.of = op;
    box.querySelector("span").textContent = wanted.label;
    value.focus();
    return;
  }
  foot.querySelector("[name=edit]").value = JSON.stringify(editOf(op, value.value));
  foot.submit();
}

for (const button of foot.querySelectorAll("[data-ticked-op]")) button.addEventListener("click", () => act(button.dataset.tickedOp));
part("ticked-value")?.addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  act(event.target.closest("label").dataset.of);
});
part("untick").addEventListener("click", () => {
  tick([...ticked], false);
  boxOf(current)?.focus();
});
part("tick-matching").addEventListener("click", async () => {
  const address = new URL(location.href);
  address.searchParams.delete("page");
  address.searchParams.set("format", "json");
  const answer = await ask("GET", address.href);
  const key = (row) => (list === "nodes" ? row.name : `${row.namespace}/${row.name}`);
  if (answer.ok) tick(answer.body.map(key), true);
  else part("ticked-effect").textContent = complaint(answer);
});

document.addEventListener("change", (event) => {
  const target = /** @type {HTMLInputElement} */ (event.target);
  if (target.matches("[data-tick-all]")) tick(boxes().map((box) => box.dataset.tick), target.checked);
  if (!target.matches("[data-tick]")) return;
  current = target.dataset.tick;
  tick([current], target.checked);
});

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
  ready(document.getElementById("table"));
  draw();
});
ready(document);
draw();
