/* The scenario editor: holds the draft, saves it a moment after each change (with the version it is based on),
   asks the engine what it would do, and shows that beside each edit and in sums. */

import { make } from "./fields.js";
import { OPERATIONS } from "./operations.js";
import { complaint, post, request } from "./rest.js";
import { Stack } from "./stack.js";

const SAVE_AFTER = 600;
const root = document.getElementById("editor");
const data = JSON.parse(document.getElementById("scenario-data").textContent);
const readOnly = root.dataset.readOnly === "true";
const names = {
  nodes: data.nodes,
  pods: data.pods,
  workloads: data.workloads,
  namespaces: [...new Set([...data.workloads.map((row) => row[1]), ...data.pods.map((name) => name.split("/")[0])])].sort(),
};
const draft = { version: data.version, dirty: new Set(), saving: null, waiting: null, blocked: false };
const saveState = root.querySelector("[data-save-state]");
const stack = new Stack(
  root.querySelector("[data-edits]"),
  { names, textAddress: root.dataset.text, readOnly },
  (_, why) => {
    drawEmpty();
    if (why !== "changed") say(`Edit ${why}.`);
    touch("edits");
  },
);

function say(words) {
  root.querySelector("[data-said]").textContent = words;
}

function drawEmpty() {
  root.querySelector("[data-no-edits]").hidden = stack.entries.length > 0;
}

// --- saving -------------------------------------------------------------------------------------------------

const VALUES = {
  name: () => root.querySelector("#name").value.trim(),
  edits: () => stack.edits,
  controllers: () => root.querySelector("#controllers").value,
  seed: () => {
    const text = root.querySelector("#seed").value.trim();
    return text === "" ? null : Number(text);
  },
  scheduler: () => ({ profile: root.querySelector("#profile").value, config: draft.config ?? null }),
};

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

/** Save what is dirty; one request at a time. Resolves to whether all is saved. */
async function save() {
  clearTimeout(draft.waiting);
  if (draft.saving) await draft.saving;
  if (!draft.dirty.size || draft.blocked) return !draft.blocked;
  const fields = [...draft.dirty];
  draft.dirty.clear();
  showSaving("saving", "saving …");
  draft.saving = send(fields);
  const saved = await draft.saving;
  draft.saving = null;
  return saved;
}

async function send(fields) {
  const body = Object.fromEntries(fields.map((field) => [field, VALUES[field]()]));
  const answer = await request("PATCH", root.dataset.address, body, { "If-Match": `"${draft.version}"` });
  if (answer.ok) {
    draft.version = answer.body.version;
    showSaving("saved", "saved");
    validate();
    return true;
  }
  fields.forEach((field) => draft.dirty.add(field));
  if (answer.status === 412) conflict();
  else refuse(answer);
  return false;
}

function refuse(answer) {
  showSaving("failed", answer.status === 0 ? "not saved: the server cannot be reached" : "not saved");
  showVerdict({ edits: [], problems: answer.body.errors ?? [{ object: "", field: "", message: complaint(answer) }], figures: null });
}

function conflict() {
  draft.blocked = true;
  showSaving("failed", "not saved");
  root.querySelector("[data-conflict]").hidden = false;
}

root.querySelector("[data-reload]").addEventListener("click", () => location.reload());
root.querySelector("[data-overwrite]").addEventListener("click", async () => {
  const answer = await request("GET", root.dataset.address);
  if (!answer.ok) return;
  draft.version = answer.body.version;
  draft.blocked = false;
  root.querySelector("[data-conflict]").hidden = true;
  for (const field of Object.keys(VALUES)) draft.dirty.add(field);
  save();
});

// --- validating ---------------------------------------------------------------------------------------------

let validation = 0;

async function validate() {
  const number = ++validation;
  root.classList.add("validating");
  const answer = await post(root.dataset.validate);
  if (number !== validation) return;
  root.classList.remove("validating");
  if (answer.ok) showVerdict(answer.body);
  else showVerdict({ edits: [], problems: [{ object: "", field: "", message: complaint(answer) }], figures: null });
}

function showVerdict({ edits, problems, figures }) {
  const results = new Map(edits.map((result) => [result.index, result]));
  const byPlace = new Map();
  const others = [];
  for (const problem of problems) {
    const found = /^edits\[(\d+)\]\s*(.*)/.exec(problem.object ?? "");
    if (!found) others.push(problem);
    else {
      const place = Number(found[1]);
      const field = [found[2], problem.field].filter(Boolean).join(" ");
      byPlace.set(place, [...(byPlace.get(place) ?? []), field ? `${field}: ${problem.message}` : problem.message]);
    }
  }
  stack.judge(results, byPlace);
  showProblems(others, problems.length);
  if (figures) showFigures(figures);
  runButton.disabled = readOnly || problems.length > 0;
}

function showProblems(others, total) {
  const list = root.querySelector("[data-problems]");
  list.replaceChildren(
    ...others.map((problem) => {
      const place = [problem.object, problem.field].filter(Boolean).join(" · ");
      const where = make("span", { className: "where", textContent: place });
      return place ? make("li", {}, where, document.createElement("br"), problem.message) : make("li", { textContent: problem.message });
    }),
  );
  const summary = root.querySelector("[data-verdict]");
  summary.textContent = total ? `${total} ${total === 1 ? "problem" : "problems"} to mend before it can run.` : "Nothing is wrong with it.";
  summary.className = total ? "is-unsched" : "muted";
}

function showFigures(figures) {
  if (!figures.length) return showNoFigures();
  const changed = figures.filter((row) => row.before !== row.after);
  const always = figures.filter((row) => !row.resource);
  const rows = [...always, ...changed.filter((row) => row.resource)];
  const body = root.querySelector("[data-figures]");
  body.replaceChildren(
    ...rows.map((row) => {
      const difference = row.after - row.before;
      const sign = difference > 0 ? "+" : "−";
      return make(
        "tr",
        { className: difference ? "changed" : "" },
        make("td", { textContent: row.what }),
        make("td", { className: "num muted", textContent: amount(row.before, row.resource) }),
        make("td", { className: "num", textContent: difference ? amount(row.after, row.resource) : "same" }),
        make("td", { className: "num", textContent: difference ? `${sign}${amount(Math.abs(difference), row.resource)}` : "" }),
      );
    }),
  );
}

function showNoFigures() {
  const words = make("td", { className: "faint", textContent: "known once the problems are mended" });
  root.querySelector("[data-figures]").replaceChildren(make("tr", {}, words));
}

function amount(value, resource) {
  if (resource === "cpu") return value % 1000 ? `${value.toLocaleString("en")}m` : (value / 1000).toLocaleString("en");
  if (resource === "memory" || resource.startsWith("hugepages-") || resource.endsWith("storage")) {
    const gib = value / 2 ** 30;
    return gib >= 1 ? `${gib.toLocaleString("en", { maximumFractionDigits: 1 })} GiB` : `${Math.round(value / 2 ** 20)} MiB`;
  }
  return value.toLocaleString("en");
}

// --- the rest of the page -----------------------------------------------------------------------------------

const runButton = root.querySelector("[data-run]");
runButton.form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target;
  if (await save()) form.submit();
});

for (const button of root.querySelectorAll("[data-add]")) {
  button.addEventListener("click", () => {
    button.closest("details")?.removeAttribute("open");
    stack.add(OPERATIONS[button.dataset.add].blank());
  });
}

for (const [selector, field] of [["#name", "name"], ["#controllers", "controllers"], ["#seed", "seed"], ["#profile", "scheduler"]]) {
  const input = root.querySelector(selector);
  input.addEventListener("input", () => input.checkValidity() && touch(field));
}

const config = root.querySelector("#config");
draft.config = data.config;
let configWaiting;
config.addEventListener("input", () => {
  clearTimeout(configWaiting);
  configWaiting = setTimeout(readConfig, 500);
});

async function readConfig() {
  const problem = root.querySelector("[data-config-problem]");
  const text = config.value;
  const answer = text.trim() ? await post(root.dataset.text, { yaml: text }) : { ok: true, body: { value: null } };
  if (config.value !== text) return;
  problem.textContent = answer.ok ? "" : complaint(answer);
  config.setAttribute("aria-invalid", String(!answer.ok));
  if (!answer.ok) return;
  draft.config = answer.body.value;
  touch("scheduler");
}

window.addEventListener("beforeunload", (event) => {
  if (draft.dirty.size || draft.saving) event.preventDefault();
});

stack.show(data.edits);
drawEmpty();
validate();
