/* The form of one edit: an input for each field of its operation, completed with names of the snapshot.
   A change is reported as a new edit; the edit itself is never changed in place. */

import { OPERATIONS, STARTERS } from "./operations.js";
import { complaint, post } from "./rest.js";

let counter = 0;

export function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** Build the form of `edit`; `changed(edit)` is called with each new version, `names` completes. */
export function buildForm(edit, names, textAddress, changed) {
  const operation = OPERATIONS[edit.op];
  if (!operation) return make("p", { className: "muted", textContent: "This operation has no form; change its YAML." });
  const form = make("div", { className: "edit-fields" });
  const state = { edit };
  const set = (parts) => {
    const next = { ...state.edit };
    for (const [name, value] of Object.entries(parts)) {
      if (value === undefined) delete next[name];
      else next[name] = value;
    }
    state.edit = next;
    changed(next);
  };
  for (const field of operation.fields) form.append(buildField(field, state, names, textAddress, set));
  return form;
}

function buildField(field, state, names, textAddress, set) {
  const id = `field-${++counter}`;
  const label = make("label", { htmlFor: id, textContent: field.label });
  if (field.optional) label.append(make("span", { className: "faint", textContent: " (optional)" }));
  const build = BUILDERS[field.type];
  const box = make("div", { className: `field is-${field.type}` }, label);
  box.append(...build(field, state, set, { id, names, textAddress }));
  return box;
}

function textInput(id, value, onInput, list = []) {
  const input = make("input", { id, type: "text", value: value ?? "", autocomplete: "off", spellcheck: false });
  input.addEventListener("input", () => onInput(input.value.trim()));
  if (!list.length) return [input];
  const options = make("datalist", { id: `${id}-names` });
  options.append(...list.map((value) => make("option", { value })));
  input.setAttribute("list", options.id);
  return [input, options];
}

function yamlArea(id, text, onInput, rows = 8) {
  const area = make("textarea", { id, className: "code", value: text, rows, spellcheck: false });
  let waiting;
  area.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => onInput(area.value), 400);
  });
  return area;
}

const plain = (pick) => (field, state, set, { id, names }) =>
  textInput(id, state.edit[field.name], (value) => set({ [field.name]: value === "" && field.optional ? undefined : value }), pick(names));

const BUILDERS = {
  text: plain(() => []),
  node: plain((names) => names.nodes),
  pod: plain((names) => names.pods),
  namespace: plain((names) => names.namespaces),

  name(field, state, set, { id, names }) {
    const known = namesOf(state.edit.kind, names);
    return textInput(id, state.edit.name, (value) => set({ name: value }), known);
  },

  count(field, state, set, { id }) {
    const input = make("input", { id, type: "number", min: 0, max: 100000, step: 1, value: state.edit[field.name] ?? "" });
    input.addEventListener("input", () => {
      if (input.value === "") set({ [field.name]: field.optional ? undefined : 0 });
      else if (input.checkValidity()) set({ [field.name]: Number(input.value) });
    });
    return [input];
  },

  choice(field, state, set, { id }) {
    const select = make("select", { id });
    const choices = field.choices.includes(state.edit[field.name]) ? field.choices : [state.edit[field.name], ...field.choices];
    select.append(...choices.map((value) => make("option", { value, textContent: value, selected: value === state.edit[field.name] })));
    select.addEventListener("change", () => set({ [field.name]: select.value }));
    return [select];
  },

  workload(field, state, set, { id, names }) {
    const { kind, namespace, name } = state.edit;
    const known = names.workloads.map(([kind, namespace, name]) => `${kind}/${namespace}/${name}`);
    const parts = textInput(id, name ? `${kind}/${namespace}/${name}` : "", (value) => {
      const [newKind, newNamespace, newName] = value.split("/");
      if (newName !== undefined) set({ kind: newKind, namespace: newNamespace, name: newName });
    }, known);
    return [...parts, make("span", { className: "hint", textContent: "Kind/namespace/name" })];
  },

  manifest(field, state, set, { id, textAddress }) {
    const value = state.edit[field.name];
    const area = yamlArea(id, typeof value === "string" ? value : "", (text) => set({ [field.name]: text }), 12);
    if (value && typeof value === "object") showYaml(area, value, textAddress);
    const starters = make("div", { className: "starters" }, make("span", { className: "muted small", textContent: "Begin with " }));
    for (const [name, text] of Object.entries(STARTERS)) {
      const button = make("button", { type: "button", className: "as-link small", textContent: name });
      button.addEventListener("click", () => {
        area.value = text;
        set({ [field.name]: text });
      });
      starters.append(button, " ");
    }
    return [area, starters];
  },

  yaml(field, state, set, { id, textAddress }) {
    const problem = make("p", { className: "error" });
    const area = yamlArea(id, "", async (text) => {
      const answer = await post(textAddress, { yaml: text });
      problem.textContent = answer.ok ? "" : complaint(answer);
      area.setAttribute("aria-invalid", String(!answer.ok));
      if (answer.ok) set({ [field.name]: answer.body.value });
    });
    showYaml(area, state.edit[field.name], textAddress);
    return [area, problem];
  },
};

async function showYaml(area, value, textAddress) {
  const answer = await post(textAddress, { value });
  if (answer.ok && document.activeElement !== area) area.value = answer.body.yaml;
}

function namesOf(kind, names) {
  if (kind === "Node") return names.nodes;
  if (kind === "Pod") return names.pods.map((name) => name.split("/")[1]);
  return names.workloads.filter((row) => row[0] === kind).map((row) => row[2]);
}
