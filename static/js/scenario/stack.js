/* The stack of edits: each a sentence with its form and its YAML, in an order that mouse and keyboard change.
   The stack draws what the editor's state says and reports what the reader does; it holds no state of its own
   but which edits are open, on which side, and what is typed in them and not read yet. */

import { instant } from "../debugger/words/units.js";
import { h } from "../drawing/dom.js";
import { besideField, buildForm, problemOf, showYaml, shownBeside } from "./fields.js";
import { labelOf, missing, sentence, titleOf } from "./operations.js";
import "../presses.js";
import { readYaml } from "./yaml.js";
import { showMeant } from "./targets.js";
import { inTime, instantOf, isLater, withoutTimes } from "./times.js";
import { Unread } from "./unread.js";

const WHOLE = "yaml";
let problemsMade = 0;

export class Stack {
  /** `place`: the list element; `options`: names, textAddress, readOnly, unread(); `changed(edits, why, entry)`, with the entry of an edit whose fields change. */
  constructor(place, options, changed) {
    this.place = place;
    this.options = options;
    this.changed = changed;
    this.entries = [];
    this.hasClock = false;
    this.isRefused = false;
    this.dragged = null;
    /** Those that were removed, by their edits: undone, they are back with what was typed. */
    this.removed = new WeakMap();
  }

  /** Take over edits as [{value, yaml}] and draw them; with `opensLast` the last one is open. */
  show(edits, { opensLast = false } = {}) {
    const isOpen = (place) => opensLast && place === edits.length - 1;
    this.entries = edits.map(({ value, yaml }, stored) => this.entry(value, { yaml: yaml ?? null, stored, open: isOpen(stored) }));
    this.arrange();
    this.draw();
  }

  /** Let edits have instants, or set those that they have aside. */
  takeClock(hasClock) {
    this.hasClock = hasClock;
    for (const entry of this.entries) ["at", "duration", "timeout", "gracePeriod", "together", "back"].forEach((name) => entry.unread.release(name));
    this.arrange();
    this.draw();
  }

  /** With a clock, put the edits in their order of time; those of one instant stay as they are. */
  arrange() {
    if (this.hasClock) this.entries = inTime(this.entries);
  }

  entry(value, parts) {
    const entry = { value, yaml: null, open: false, side: "form", stored: null, result: null, problems: [], ...parts };
    entry.unread = new Unread(() => {
      this.drawUnread(entry);
      this.options.unread();
    });
    return entry;
  }

  /** How many fields show what their edits do not hold. */
  get unread() {
    return this.entries.reduce((sum, entry) => sum + entry.unread.size, 0);
  }

  /** How many of these are faulty. */
  get faults() {
    return this.entries.reduce((sum, entry) => sum + entry.unread.faults.length, 0);
  }

  /** How many problems are not said, since a text of the same edit has to be mended first. */
  get unsaid() {
    return this.entries.reduce((sum, entry) => sum + (entry.unread.faults.length ? entry.problems.length : 0), 0);
  }

  /** Wait until what is typed has been read. */
  async settle() {
    await Promise.all(this.entries.map((entry) => entry.unread.settle()));
  }

  get edits() {
    return this.entries.map((entry) => entry.value);
  }

  /** The edits as they are to be stored: from now on what the engine says of a place is said of them. */
  send() {
    this.entries.forEach((entry, place) => (entry.stored = place));
    return this.hasClock ? this.edits : this.edits.map(withoutTimes);
  }

  /** How many edits that take part happen after the run's start. */
  get later() {
    return this.hasClock ? this.edits.filter((edit) => edit.enabled !== false && isLater(edit)).length : 0;
  }

  add(value) {
    const entry = this.entry(value, { open: true });
    this.entries.push(entry);
    this.arrange();
    this.draw();
    entry.element.querySelector(".edit-body input, .edit-body textarea, .edit-body select")?.focus();
    this.report("added");
  }

  /** Show what the engine said: results and problems, both by the place under which an edit is stored. */
  /** Show what the engine says of each edit; where `isRefused`, no edit is stored until the problems are mended. */
  judge(results, problems, isRefused = false) {
    this.isRefused = isRefused;
    this.entries.forEach((entry) => {
      entry.result = results.get(entry.stored) ?? null;
      entry.problems = problems.get(entry.stored) ?? [];
      this.drawUnread(entry);
    });
  }

  report(why, entry = null) {
    this.changed(this.edits, why, entry);
  }

  /** Show the list as it was; what is open stays open. What was typed and not read is let go, but not that of a removed edit. */
  restore(edits) {
    const before = this.entries;
    for (const entry of before) for (const [name] of [...entry.unread.held]) entry.unread.release(name);
    this.entries = edits.map((value, place) => {
      const same = [...before, this.removed.get(value)].find((entry) => entry?.value === value);
      if (same) return same;
      const { open, side } = before[place] ?? {};
      return this.entry(value, before[place]?.value.op === value.op ? { open, side } : {});
    });
    this.arrange();
    this.draw();
  }

  draw() {
    this.place.replaceChildren(...this.entries.map((entry, place) => this.element(entry, place)));
  }

  element(entry, place) {
    const item = document.getElementById("edit-template").content.firstElementChild.cloneNode(true);
    entry.element = item;
    const toggle = item.querySelector(".edit-toggle");
    toggle.setAttribute("aria-expanded", String(entry.open));
    toggle.addEventListener("click", () => this.toggle(entry));
    const enabled = item.querySelector("[data-enabled]");
    enabled.checked = entry.value.enabled !== false;
    enabled.addEventListener("change", () => this.enable(entry, enabled.checked));
    item.querySelector("[data-up]").addEventListener("click", () => this.move(entry, -1, "[data-up]"));
    item.querySelector("[data-down]").addEventListener("click", () => this.move(entry, 1, "[data-down]"));
    item.querySelector("[data-remove]").addEventListener("click", () => this.remove(entry));
    for (const button of item.querySelectorAll("[data-side]")) {
      button.addEventListener("click", () => this.turn(entry, button.dataset.side));
    }
    item.addEventListener("keydown", (event) => this.key(event, entry));
    item.addEventListener("change", () => this.takeTime(entry));
    this.makeDraggable(item, entry);
    this.drawPlace(entry, place);
    this.drawBody(entry);
    this.drawVerdict(entry);
    return item;
  }

  drawPlace({ element: item }, place) {
    item.querySelector(".edit-number").textContent = place + 1;
    item.querySelector("[data-enabled]").setAttribute("aria-label", `Edit ${place + 1} takes part`);
    item.querySelector("[data-remove]").setAttribute("aria-label", `Delete edit ${place + 1}`);
    item.querySelector("[data-up]").setAttribute("aria-label", `Move edit ${place + 1} up`);
    item.querySelector("[data-down]").setAttribute("aria-label", `Move edit ${place + 1} down`);
    item.querySelector("[data-up]").disabled = !this.canMove(place, -1);
    item.querySelector("[data-down]").disabled = !this.canMove(place, 1);
  }

  /** An edit keeps its instant where it is moved to, so with a clock only edits of one instant change places. */
  canMove(place, step) {
    const [entry, other] = [this.entries[place], this.entries[place + step]];
    return Boolean(other) && (!this.hasClock || instantOf(entry.value) === instantOf(other.value));
  }

  /** Bring an edit to its place in time once its instant has been typed. */
  async takeTime(entry) {
    if (!this.hasClock) return;
    await entry.unread.settle();
    const from = this.entries.indexOf(entry);
    this.arrange();
    const to = this.entries.indexOf(entry);
    if (from !== to) {
      const focused = document.activeElement;
      this.place.append(...this.entries.map(({ element }) => element));
      focused?.focus();
    }
    this.entries.forEach((one, place) => this.drawPlace(one, place));
    if (from !== to) this.report(`moved to place ${to + 1}`);
  }

  toggle(entry) {
    entry.open = !entry.open;
    entry.element.querySelector(".edit-toggle").setAttribute("aria-expanded", String(entry.open));
    this.drawBody(entry);
    this.drawVerdict(entry);
  }

  /** Show the edit's other side, once what was typed on this one has been read. */
  async turn(entry, side) {
    if (entry.unread.size) await entry.unread.settle();
    if (entry.unread.size) return;
    entry.side = side;
    this.drawBody(entry);
  }

  enable(entry, on) {
    const { enabled: _, ...rest } = entry.value;
    entry.value = on ? rest : { ...rest, enabled: false };
    entry.yaml = null;
    if (entry.open && entry.side === "yaml") this.drawBody(entry);
    this.drawVerdict(entry);
    this.report("changed");
  }

  move(entry, step, focus) {
    const from = this.entries.indexOf(entry);
    const to = from + step;
    if (!this.canMove(from, step)) return;
    this.entries.splice(from, 1);
    this.entries.splice(to, 0, entry);
    this.draw();
    const again = entry.element.querySelector(focus);
    (again.disabled ? entry.element.querySelector(".edit-toggle") : again).focus();
    this.report(`moved to place ${to + 1}`);
  }

  remove(entry) {
    const place = this.entries.indexOf(entry);
    this.entries.splice(place, 1);
    this.removed.set(entry.value, entry);
    this.draw();
    const next = this.entries[Math.min(place, this.entries.length - 1)];
    (next?.element.querySelector(".edit-toggle") ?? document.querySelector("[data-add]"))?.focus();
    this.report("removed");
  }

  key(event, entry) {
    if (!event.altKey || !["ArrowUp", "ArrowDown"].includes(event.key)) return;
    event.preventDefault();
    this.move(entry, event.key === "ArrowUp" ? -1 : 1, ".edit-toggle");
  }

  makeDraggable(item, entry) {
    const grip = item.querySelector(".grip");
    grip?.addEventListener("pointerdown", () => (item.draggable = true));
    item.addEventListener("dragstart", (event) => {
      this.dragged = entry;
      event.dataTransfer.effectAllowed = "move";
      item.classList.add("dragging");
    });
    item.addEventListener("dragend", () => {
      item.draggable = false;
      this.dragged = null;
      this.draw();
    });
    item.addEventListener("dragover", (event) => {
      if (!this.dragged) return;
      event.preventDefault();
      const box = item.getBoundingClientRect();
      item.dataset.dropAt = event.clientY < box.top + box.height / 2 ? "before" : "after";
    });
    item.addEventListener("dragleave", () => delete item.dataset.dropAt);
    item.addEventListener("drop", (event) => {
      event.preventDefault();
      event.stopPropagation();
      this.drop(entry, item.dataset.dropAt);
    });
  }

  drop(target, side) {
    const moved = this.dragged;
    if (!moved || moved === target) return;
    this.entries.splice(this.entries.indexOf(moved), 1);
    this.entries.splice(this.entries.indexOf(target) + (side === "after" ? 1 : 0), 0, moved);
    this.arrange();
    this.report(`moved to place ${this.entries.indexOf(moved) + 1}`);
  }

  drawBody(entry) {
    const body = entry.element.querySelector(".edit-body");
    body.hidden = !entry.open;
    for (const button of entry.element.querySelectorAll("[data-side]")) {
      button.setAttribute("aria-pressed", String(button.dataset.side === entry.side));
    }
    const side = body.querySelector(".edit-side");
    if (!entry.open) return side.replaceChildren();
    side.replaceChildren(entry.side === "form" ? this.form(entry) : this.yaml(entry));
    this.drawUnread(entry);
    if (this.options.readOnly) side.querySelectorAll("input, select, textarea, button").forEach((one) => (one.disabled = true));
  }

  /** Say beside each field what is wrong with it; till its text can be read, the other side cannot show it. */
  drawUnread(entry) {
    const told = entry.unread.faults.length || missing(entry.value).length ? [] : entry.problems;
    for (const problem of entry.element.querySelectorAll("[data-unread]")) {
      const ofField = told.filter((one) => shownBeside(entry.element, one.field) === problem.dataset.unread).map((one) => besideField(problem.dataset.unread, one));
      const message = entry.unread.message(problem.dataset.unread) || ofField.join("; ");
      const input = entry.element.querySelector(`[data-reads="${problem.dataset.unread}"]`);
      if (problem.textContent !== message) problem.textContent = message;
      input.setAttribute("aria-invalid", String(message !== ""));
    }
    for (const button of entry.element.querySelectorAll("[data-side]")) {
      button.disabled = entry.unread.faults.length > 0 && button.dataset.side !== entry.side;
      button.title = button.disabled ? "First mend what cannot be read" : "";
    }
    this.drawVerdict(entry);
  }

  form(entry) {
    const { names, textAddress } = this.options;
    return buildForm(entry, { names, textAddress, hasClock: this.hasClock }, (value) => {
      entry.yaml = null;
      this.take(entry, value);
    });
  }

  yaml(entry) {
    const { textAddress } = this.options;
    const ask = (text) => readYaml(textAddress, text);
    const take = (value, text) => {
      entry.yaml = text;
      this.take(entry, value);
    };
    const area = h("textarea", {
      class: "code",
      rows: 10,
      spellcheck: "false",
      value: entry.unread.text(WHOLE) ?? entry.yaml ?? "",
      aria: { label: "The edit as YAML" },
      oninput: ({ target }) => entry.unread.read(WHOLE, target.value, ask, take),
    });
    if (entry.yaml === null && !entry.unread.has(WHOLE)) this.fetchYaml(entry, area);
    return h("div", {}, area, problemOf(area, WHOLE, `yaml-problem-${++problemsMade}`));
  }

  take(entry, value) {
    entry.value = value;
    this.drawUnread(entry);
    this.report("changed", entry);
  }

  async fetchYaml(entry, area) {
    const { value } = entry;
    const yaml = await showYaml(area, value, this.options.textAddress);
    if (entry.value === value) entry.yaml = yaml ?? null;
  }

  drawVerdict(entry) {
    const item = entry.element;
    const off = entry.value.enabled === false;
    item.classList.toggle("off", off);
    const blanks = isDone(entry) ? [] : missing(entry.value);
    const faults = entry.unread.faults;
    item.classList.toggle("faulty", faults.length > 0 || (entry.problems.length > 0 && !blanks.length));
    const words = faults.length ? titleOf(entry.value) : entry.result?.sentence || sentence(entry.value);
    item.querySelector(".edit-sentence").textContent = capitalised(words);
    item.querySelector(".edit-instant").textContent = this.hasClock && isLater(entry.value) ? `at ${span(entry.value.at)}` : "";
    const enabled = item.querySelector("[data-enabled]");
    enabled.title = off ? "Switched off" : "Takes part";
    if (faults.length) return item.querySelector(".edit-verdict").replaceChildren(...this.faultLines(entry));
    const apart = entry.problems.filter((one) => !shownBeside(item, one.field)).map(({ field, message }) => (field ? `${field}: ${message}` : message));
    const problems = [...apart, ...(entry.result?.problems ?? [])];
    showMeant(item, entry.result);
    const lines = blanks.length ? [] : problems.map((text) => h("li", { class: "error-text" }, text));
    if (blanks.length) {
      lines.push(h("li", { class: "is-preempt" }, `still to fill in: ${blanks.join(", ")}`));
      if (this.isRefused && entry.problems.length) lines.push(h("li", { class: "error-text" }, "No change of edits is saved until then."));
    }
    if (off) lines.push(h("li", { class: "muted" }, "switched off: takes no part"));
    else lines.push(...shortened(entry.result?.changes ?? []).map((text) => h("li", { class: "muted" }, text)));
    lines.push(...this.timeLines(entry.value));
    item.querySelector(".edit-verdict").replaceChildren(...lines);
  }

  /** How long what an edit adds runs, or a drain asks again; or what of its times the driver sets aside. */
  timeLines({ at, duration, timeout }) {
    const line = (text) => [h("li", { class: "muted" }, text)];
    const spans = [
      typeof duration === "number" ? `pods run for ${span(duration)}` : "",
      typeof timeout === "number" ? `a drain gives up after ${span(timeout)}` : "",
    ].filter(Boolean);
    if (this.hasClock) return spans.flatMap(line);
    const times = [at == null ? "" : `at ${span(at)}`, ...spans].filter(Boolean);
    return times.length ? line(`set aside until you leave the page: ${times.join(", ")}; this driver has no clock`) : [];
  }

  /** What is wrong with the fields of an edit that is closed; in an open one it stands beside them. */
  faultLines(entry) {
    if (entry.open) return [];
    return entry.unread.faults.map(([name, message]) => {
      const label = name === WHOLE ? "YAML" : labelOf(entry.value, name);
      return h("li", { class: "error-text" }, `${label}: ${message}`);
    });
  }
}

/** Seconds in words; what is no number stands as it is. */
const span = (seconds) => (typeof seconds === "number" ? instant(seconds * 1000) : String(seconds));

const capitalised = (words) => words.charAt(0).toUpperCase() + words.slice(1);

/** Whether the engine could do the edit as it stands: what is absent has a value of its own then. */
function isDone({ result, problems }) {
  return Boolean(result?.sentence) && !problems.length && !result.problems?.length;
}

function shortened(changes) {
  return changes.length <= 8 ? changes : [...changes.slice(0, 7), `and ${changes.length - 7} more changes`];
}
