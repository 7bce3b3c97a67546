/* The scenario editor: holds the draft, saves it a moment after each change (with the version it is based on),
   asks the engine what it would do, and shows that beside each edit and in sums. */

import { h } from "../drawing/dom.js";
import { byName } from "../names.js";
import { BesideFields } from "./beside.js";
import { ClockFields } from "./clock.js";
import { Foreseen } from "./foreseen.js";
import { ready } from "../ready.js";
import { History } from "./history.js";
import { blankOf, learn } from "./operations.js";
import { ask, complaint } from "../rest.js";
import { SchedulerFields } from "./scheduler.js";
import { Stack } from "./stack.js";
import { readWhole, Unread } from "./unread.js";
import { podsInWords, podsOf } from "./unserved.js";
import { drawUnserved } from "./unserved-notice.js";
import { OWN_FIELDS, sortProblems } from "./versions.js";

const SAVE_AFTER = 600;
/** The address that leads to the last edit, which a page has just added. */
const LAST_EDIT = "#last-edit";
const root = document.getElementById("editor");
const data = JSON.parse(document.getElementById("scenario-data").textContent);
const readOnly = root.dataset.readOnly === "true";
learn(data.operations);
const names = {
  most: data.most_names,
  nodes: data.nodes,
  groups: data.groups,
  pods: data.pods,
  workloads: data.workloads,
  present: data.present,
  cardsAddress: data.cards_address,
  namespaces: [...new Set([...data.workloads.map((row) => row[1]), ...data.pods.map((name) => name.split("/")[0])])].sort(byName),
};
const draft = { version: data.version, dirty: new Set(), saving: null, waiting: null, blocked: false, hasClock: null };
const verdict = { edits: [], problems: [], figures: null, trust: null, left_alone: [] };
const refused = new Map();
const unread = new Unread(showUnread);
const foreseen = new Foreseen(root, data);
const saveState = root.querySelector("[data-save-state]");
const stack = new Stack(
  root.querySelector("[data-edits]"),
  { names, textAddress: root.dataset.text, readOnly, unread: showUnread },
  (edits, why, entry) => {
    history.note(edits, entry);
    drawEmpty();
    if (why !== "changed") say(`Edit ${why}.`);
    touch("edits");
  },
);

const history = new History(data.edits.map(({ value }) => value));
const undoButton = root.querySelector("[data-undo]");

/** Bring back the edits as they were before the last change. */
function undo() {
  if (readOnly || history.isEmpty) return;
  stack.restore(history.back());
  drawEmpty();
  say("The last change is undone.");
  touch("edits");
}

undoButton?.addEventListener("click", undo);
root.addEventListener("focusin", () => history.part());
document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || event.key.toLowerCase() !== "z") return;
  const target = /** @type {Element} */ (event.target);
  if (target.closest("input:not([type=checkbox]), textarea, select")) return;
  event.preventDefault();
  undo();
});

function say(words) {
  root.querySelector("[data-said]").textContent = words;
}

function drawEmpty() {
  root.querySelector("[data-no-edits]").hidden = stack.entries.length > 0;
  if (undoButton) undoButton.disabled = readOnly || history.isEmpty;
}

// --- saving -------------------------------------------------------------------------------------------------

/** What JSON carries from here to Python and back without rounding. */
const SEEDS = { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER, optional: true };

const VALUES = {
  name: () => root.querySelector("#name").value.trim(),
  edits: () => stack.send(),
  controllers: () => root.querySelector("#controllers").value,
  seed: () => readWhole(root.querySelector("#seed").value, SEEDS).value,
  scheduler: () => scheduler.scheduler,
  driver: () => scheduler.driver,
  beside: () => beside.value,
  until: () => clock.value("until"),
  attempt_seconds: () => clock.value("attempt_seconds"),
  ready_seconds: () => clock.value("ready_seconds"),
};

/** What of a field stands in the way of sending it: its text is no value. */
const VALUE_UNREAD = {
  name: () => unread.has("name"),
  seed: () => unread.has("seed"),
  scheduler: () => unread.has("config"),
  beside: () => beside.isUnread,
  until: () => unread.has("until"),
  attempt_seconds: () => unread.has("attempt_seconds"),
  ready_seconds: () => unread.has("ready_seconds"),
};

/** The scheduler is sent by itself, so that a fault in it does not hold up what else has changed. */
const OF_SCHEDULER = ["scheduler", "driver", "beside", "until", "attempt_seconds", "ready_seconds"];
const SCHEDULER = "scheduler";
const REST = "rest";
const OF_EDIT = /^edits\[(\d+)\]\s*(.*)/;

function touch(field) {
  if (readOnly) return;
  draft.dirty.add(field);
  clearTimeout(draft.waiting);
  showSaving("unsaved", "not saved yet");
  draft.waiting = setTimeout(save, SAVE_AFTER);
}

function showSaving(state, words) {
  saveState.dataset.state = state;
  saveState.textContent = words;
}

/** Text that the draft does not hold is not saved either: say so until there is none. */
function showUnread() {
  if (unread.faults.length || stack.faults) showSaving("failed", "not saved");
  else if (unreadFields()) showSaving("unsaved", "not saved yet");
  else if (!draft.dirty.size && !draft.saving) showSaving("saved", "saved");
  drawVerdict();
}

const unreadFields = () => unread.size + stack.unread;

/** Save what is dirty; one request at a time. Resolves to whether all that is shown is saved. */
async function save() {
  clearTimeout(draft.waiting);
  while (draft.saving) await draft.saving;
  if (draft.blocked) return false;
  const fields = [...draft.dirty].filter((field) => !VALUE_UNREAD[field]?.());
  for (const field of fields) draft.dirty.delete(field);
  if (fields.length) {
    showSaving("saving", "saving …");
    draft.saving = sendParts(fields);
    await draft.saving;
    draft.saving = null;
    if (unreadFields() || !draft.dirty.size) showUnread();
  }
  return !draft.dirty.size && !unreadFields();
}

async function sendParts(fields) {
  // Instants of edits and the clock come and go together.
  const ofScheduler = scheduler.hasClock === draft.hasClock ? OF_SCHEDULER : [...OF_SCHEDULER, "edits"];
  const parts = [
    [SCHEDULER, fields.filter((field) => ofScheduler.includes(field))],
    [REST, fields.filter((field) => !ofScheduler.includes(field))],
  ];
  let stored = false;
  for (const [part, names] of parts) {
    if (!names.length) continue;
    if (!draft.blocked && (await send(part, names))) stored = true;
    else names.forEach((name) => draft.dirty.add(name));
  }
  if (stored && !draft.blocked) validate();
}

/** Send the named fields; whether they are saved. */
async function send(part, names) {
  const { hasClock } = scheduler;
  const body = Object.fromEntries(names.map((name) => [name, VALUES[name]()]));
  const answer = await ask("PATCH", root.dataset.address, body, { "If-Match": `"${draft.version}"` });
  if (answer.ok) {
    draft.version = answer.body.version;
    refused.delete(part);
    const { driver, driver_because: because } = answer.body;
    if (because !== null) scheduler.sayChoice({ driver, because });
    if ("driver" in body) draft.hasClock = hasClock;
    return true;
  }
  if (answer.status === 412) conflict();
  else refuse(part, answer);
  return false;
}

function refuse(part, answer) {
  const entries = answer.body.errors?.length ? answer.body.errors : [{ object: "", field: "", message: complaint(answer) }];
  refused.set(part, entries);
  showSaving("failed", answer.status === 0 ? "not saved: the server cannot be reached" : "not saved");
  drawVerdict();
}

function conflict() {
  draft.blocked = true;
  showSaving("failed", "not saved");
  root.querySelector("[data-conflict]").hidden = false;
}

root.querySelector("[data-reload]").addEventListener("click", () => location.reload());
root.querySelector("[data-overwrite]").addEventListener("click", async () => {
  const answer = await ask("GET", root.dataset.address);
  if (!answer.ok) return;
  draft.version = answer.body.version;
  draft.hasClock = null;
  draft.blocked = false;
  root.querySelector("[data-conflict]").hidden = true;
  for (const field of Object.keys(VALUES)) draft.dirty.add(field);
  save();
});

// --- validating ---------------------------------------------------------------------------------------------

let validation = 0;
let validating = null;
/** How long to wait before asking again what a worker still tries, in milliseconds. */
const ASK_AGAIN_AFTER = 1000;

function validate() {
  validating = askEngine(++validation);
}

/** Ask what the stored scenario would change; `again`: also what somebody has ended. */
async function askEngine(number, again = false) {
  root.classList.add("validating");
  const answer = await ask("POST", root.dataset.validate + (again ? "?again=true" : ""));
  if (number !== validation) return;
  root.classList.remove("validating");
  const failure = { edits: [], problems: [{ object: "", field: "", message: complaint(answer) }], figures: null, trust: null, left_alone: [] };
  const old = answer.body.preparing ? verdict.figures : null;
  Object.assign(verdict, { preparing: false, ended: false }, answer.ok ? answer.body : failure);
  if (old?.length) verdict.figures = old;
  root.classList.toggle("old-figures", Boolean(old?.length));
  drawVerdict();
  if (verdict.preparing) setTimeout(() => number === validation && askEngine(number), ASK_AGAIN_AFTER);
}

/** What a worker tries takes long in a large cluster: it can be ended, and tried again. */
const trying = root.querySelector("[data-trying]");
trying?.addEventListener("click", async () => {
  const { ended } = verdict;
  const number = ++validation;
  if (!ended) await ask("DELETE", root.dataset.validate);
  if (number === validation) validating = askEngine(number, ended);
});

function drawTrying() {
  if (!trying) return;
  trying.hidden = !verdict.preparing && !verdict.ended;
  trying.textContent = verdict.ended ? "Try again" : "End";
}

/** Show what the engine says of the stored scenario, and what could not be stored. */
function drawVerdict() {
  drawTrying();
  const apart = sortProblems(verdict.problems);
  const ofScheduler = [...apart.profile, ...apart.driver, ...apart.config, ...apart.beside];
  const outdated = refused.has(SCHEDULER) || unread.has("config") || beside.isUnread ? ofScheduler : [];
  // Places are those of the edits that were sent last: what was said of those stored before is of others.
  const stored = verdict.problems.filter((problem) => !outdated.includes(problem) && !(refused.has(REST) && OF_EDIT.test(problem.object ?? "")));
  const problems = [...stored, ...[...refused.values()].flat(), ...unread.faults.map(unreadProblem)];
  const edits = refused.has(REST) ? [] : verdict.edits;
  const sorted = sortProblems(problems);
  scheduler.judge(sorted);
  beside.judge(sorted.beside);
  judgeOwn(sorted);
  const results = new Map(edits.map((result) => [result.index, result]));
  const byPlace = new Map();
  const others = [];
  for (const problem of sorted.others) {
    const found = OF_EDIT.exec(problem.object ?? "");
    if (!found) others.push(problem);
    else {
      const place = Number(found[1]);
      const field = [found[2], problem.field].filter(Boolean).join(" ");
      byPlace.set(place, [...(byPlace.get(place) ?? []), { field, message: problem.message }]);
    }
  }
  stack.judge(results, byPlace, refused.has(REST));
  const total = problems.length - stack.unsaid + stack.faults;
  const unserved = total ? [] : verdict.left_alone;
  drawUnserved(root, unserved, { own: data.suggestion, chosen: { ...scheduler.scheduler, beside: beside.value } });
  showProblems(others, total, { incomplete: edits.filter((result) => result.problems.length).length, unserved: podsOf(unserved) });
  const { later } = stack;
  if (verdict.figures) foreseen.showFigures(total ? [] : verdict.figures, verdict, { unserved: podsOf(verdict.left_alone), later });
  foreseen.showLater(later);
  foreseen.showTrust(total ? { not_modelled: [], missing: [] } : verdict.trust);
  runButton.disabled = readOnly || total > 0;
  for (const button of root.querySelectorAll("[data-run-under] button")) button.disabled = total > 0;
  for (const why of root.querySelectorAll("[data-run-under-why]")) why.hidden = total === 0;
}

/** @type {(fault: any[]) => {object: string, field: string, message: string}} */
function unreadProblem([field, message]) {
  const ofBeside = beside.problemOf(field, message);
  if (ofBeside) return ofBeside;
  return field === "config" ? { object: "KubeSchedulerConfiguration", field: "", message } : { object: "scenario", field, message };
}

/** Show problems of the scenario's own fields beside them. */
function judgeOwn(sorted) {
  for (const name of OWN_FIELDS) {
    const words = sorted[name].map((problem) => problem.message).join("; ");
    root.querySelector(`[data-problem-of="${name}"]`).textContent = words;
    root.querySelector(`#${name}`).setAttribute("aria-invalid", String(words !== ""));
  }
}

/** What stands in the way of a run, how many edits (`incomplete`) do only a part of what they ask, whom nobody serves. */
function showProblems(others, total, { incomplete, unserved }) {
  const list = root.querySelector("[data-problems]");
  list.replaceChildren(
    ...others.map((problem) => {
      const place = [problem.object, problem.field].filter(Boolean).join(" · ");
      return h("li", {}, place && [h("span", { class: "where" }, place), h("br")], problem.message);
    }),
  );
  const summary = root.querySelector("[data-verdict]");
  summary.textContent = verdictWords(total, { incomplete, unserved });
  summary.className = total || incomplete || unserved ? "is-unsched" : "muted";
}

function verdictWords(total, { incomplete, unserved }) {
  if (total) return `${total} ${total === 1 ? "problem" : "problems"} to mend before it can run.`;
  const buts = [
    unserved && `${podsInWords(unserved)} ${unserved === 1 ? "gets" : "get"} no decision`,
    incomplete && `${incomplete === 1 ? "1 edit does" : `${incomplete} edits do`} not do all that is asked`,
  ].filter(Boolean);
  if (buts.length) return [`It can run, but ${buts.join(", and ")}.`, verdict.untried].filter(Boolean).join(" ");
  return verdict.untried || "Nothing is wrong with it.";
}

// --- the rest of the page -----------------------------------------------------------------------------------

const runButton = root.querySelector("[data-run]");
for (const form of [runButton.form, ...root.querySelectorAll("[data-run-under]")]) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    await Promise.all([unread.settle(), stack.settle()]);
    if (!(await save())) return;
    await validating;
    if (!runButton.disabled) submit(form, event.submitter);
  });
}

root.querySelector("[data-take-own]")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target;
  await Promise.all([unread.settle(), stack.settle()]);
  if (await save()) submit(form, event.submitter);
});

/** Go on with a submission: without its event, which would come back here, the pressed button is told by hand. */
function submit(form, button) {
  if (button?.name) form.append(h("input", { type: "hidden", name: button.name, value: button.value }));
  form.submit();
}

for (const button of root.querySelectorAll("[data-add]")) {
  button.addEventListener("click", () => {
    button.closest("details")?.removeAttribute("open");
    stack.add(blankOf(button.dataset.add));
  });
}

/**
 * Take what a field of the page says if `read(input)` finds nothing wrong with it.
 * @type {(field: string, read?: (input: any) => {message?: string}) => void}
 */
function listenTo(field, read = () => ({})) {
  const input = root.querySelector(`#${field}`);
  input.addEventListener("input", () => {
    const { message } = read(input);
    if (message) return unread.hold(field, input.value, message);
    unread.release(field);
    touch(field);
  });
}

listenTo("name", (input) => {
  input.title = input.value;
  return { message: input.value.trim() ? "" : "Give it a name." };
});
listenTo("controllers");
listenTo("seed", (input) => readWhole(input.value, { ...SEEDS, unreadable: input.validity.badInput }));

const touchScheduler = () => OF_SCHEDULER.forEach(touch);
const scheduler = new SchedulerFields(root, data, {
  textAddress: root.dataset.text,
  changed: () => {
    touchScheduler();
    beside.show(scheduler.takesCompany);
    if (stack.hasClock !== scheduler.hasClock) takeClock();
  },
  unread,
});
const beside = new BesideFields(root, data, { textAddress: root.dataset.text, readOnly, changed: touchScheduler, unread, say });
const clock = new ClockFields(root, data, { changed: touch, unread });

/** Show what the driver has a clock for, or set it aside. */
function takeClock() {
  clock.show(scheduler.hasClock);
  stack.takeClock(scheduler.hasClock);
  touch("edits");
}

window.addEventListener("beforeunload", (event) => {
  if (draft.dirty.size || draft.saving || unreadFields()) event.preventDefault();
});

draft.hasClock = scheduler.hasClock;
clock.show(draft.hasClock);
beside.show(scheduler.takesCompany);
stack.hasClock = draft.hasClock;
stack.show(data.edits, { opensLast: location.hash === LAST_EDIT });
drawEmpty();
validate();
ready(root);
