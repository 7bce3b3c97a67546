/* The form of one edit: an input for each field of its operation, completed with names of the snapshot.
   A change is reported as a new edit; the edit itself is never changed in place. Text that is no value (yet) is
   held by the entry, and what is wrong with it stands beside the field. */

import { fieldsOf, OPERATIONS, STARTERS } from "./operations.js";
import { complaint, post, readYaml } from "./rest.js";
import { readSeconds } from "./seconds.js";
import { readWhole } from "./unread.js";

const MOST = 100_000;

let counter = 0;

export function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** Build the form of an entry's edit; `changed(edit)` is called with each new version, `names` completes. */
export function buildForm(entry, { names, textAddress, hasClock }, changed) {
  if (!OPERATIONS[entry.value.op]) return make("p", { className: "muted", textContent: "This operation has no form; change its YAML." });
  const form = make("div", { className: "edit-fields" });
  const set = (parts) => {
    const next = { ...entry.value };
    for (const [name, value] of Object.entries(parts)) {
      if (value === undefined) delete next[name];
      else next[name] = value;
    }
    changed(next);
  };
  for (const field of fieldsOf(entry.value, hasClock)) form.append(buildField(field, entry, names, textAddress, set));
  return form;
}

function buildField(field, entry, names, textAddress, set) {
  const id = `field-${++counter}`;
  const label = make("label", { htmlFor: id, textContent: field.label });
  if (field.optional) label.append(make("span", { className: "faint", textContent: " (optional)" }));
  const build = BUILDERS[field.type];
  const box = make("div", { className: `field is-${field.type}` }, label);
  const [input, ...rest] = build(field, entry, set, { id, names, textAddress });
  box.append(input, ...rest, problemOf(input, field.name, `${id}-problem`));
  return box;
}

/** The place for what is wrong with a field; the stack fills it from what the entry holds under this name. */
export function problemOf(input, name, id) {
  input.dataset.reads = name;
  input.setAttribute("aria-describedby", id);
  const problem = make("p", { className: "error-text small", id });
  problem.dataset.unread = name;
  problem.setAttribute("role", "alert");
  return problem;
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

function textArea(id, text, onInput, rows = 8) {
  const area = make("textarea", { id, className: "code", value: text, rows, spellcheck: false });
  area.addEventListener("input", () => onInput(area.value));
  return area;
}

const plain = (pick) => (field, entry, set, { id, names }) =>
  textInput(id, entry.value[field.name], (value) => set({ [field.name]: value === "" && field.optional ? undefined : value }), pick(names));

const BUILDERS = {
  text: plain(() => []),
  node: plain((names) => names.nodes),
  pod: plain((names) => names.pods),
  namespace: plain((names) => names.namespaces),

  name(field, entry, set, { id, names }) {
    const known = namesOf(entry.value.kind, names);
    return textInput(id, entry.value.name, (value) => set({ name: value }), known);
  },

  count(field, entry, set, { id }) {
    const bounds = { min: 0, max: MOST, optional: field.optional };
    const shown = entry.unread.text(field.name) ?? entry.value[field.name] ?? "";
    const input = make("input", { id, type: "number", min: 0, max: MOST, step: 1, value: shown });
    input.addEventListener("input", () => {
      const { value, message } = readWhole(input.value, { ...bounds, unreadable: input.validity.badInput });
      if (message) return entry.unread.hold(field.name, input.value, message);
      entry.unread.release(field.name);
      set({ [field.name]: value ?? undefined });
    });
    return [input];
  },

  seconds(field, entry, set, { id }) {
    const shown = entry.unread.text(field.name) ?? String(entry.value[field.name] ?? "");
    const [input] = textInput(id, shown, (text) => {
      const { value, message } = readSeconds(text, field);
      if (message) return entry.unread.hold(field.name, text, message);
      entry.unread.release(field.name);
      set({ [field.name]: value ?? undefined });
    });
    return [input, make("span", { className: "hint", textContent: "seconds, or as 5m, 1h30m" })];
  },

  choice(field, entry, set, { id }) {
    const select = make("select", { id });
    const choices = field.choices.includes(entry.value[field.name]) ? field.choices : [entry.value[field.name], ...field.choices];
    select.append(...choices.map((value) => make("option", { value, textContent: value, selected: value === entry.value[field.name] })));
    select.addEventListener("change", () => set({ [field.name]: select.value }));
    return [select];
  },

  workload(field, entry, set, { id, names }) {
    const { kind, namespace, name } = entry.value;
    const known = names.workloads.map(([kind, namespace, name]) => `${kind}/${namespace}/${name}`);
    const shown = entry.unread.text(field.name) ?? (name ? `${kind}/${namespace}/${name}` : "");
    const parts = textInput(id, shown, (text) => {
      const named = text.split("/");
      const whole = named.length === 3 && named.every(Boolean);
      if (text && !whole) return entry.unread.hold(field.name, text, "Write it as Kind/namespace/name.");
      entry.unread.release(field.name);
      set(whole ? { kind: named[0], namespace: named[1], name: named[2] } : { namespace: "", name: "" });
    }, known);
    return [...parts, make("span", { className: "hint", textContent: "Kind/namespace/name" })];
  },

  manifest(field, entry, set, { id, textAddress }) {
    const value = entry.value[field.name];
    const shown = entry.unread.text(field.name) ?? (typeof value === "string" ? value : "");
    const take = (text) => set({ [field.name]: text });
    const area = textArea(id, shown, (text) => entry.unread.read(field.name, text, async () => ({ value: text }), take), 12);
    if (value && typeof value === "object" && !entry.unread.has(field.name)) showYaml(area, value, textAddress);
    const starters = make("div", { className: "starters" }, make("span", { className: "muted small", textContent: "Begin with " }));
    for (const [name, text] of Object.entries(STARTERS)) {
      const button = make("button", { type: "button", className: "as-link small", textContent: name });
      button.addEventListener("click", () => {
        area.value = text;
        entry.unread.release(field.name);
        set({ [field.name]: text });
      });
      starters.append(button, " ");
    }
    return [area, starters];
  },

  yaml(field, entry, set, { id, textAddress }) {
    const ask = (text) => readYaml(textAddress, text);
    const take = (value) => set({ [field.name]: value });
    const area = textArea(id, entry.unread.text(field.name) ?? "", (text) => entry.unread.read(field.name, text, ask, take));
    if (!entry.unread.has(field.name)) showYaml(area, entry.value[field.name], textAddress);
    return [area];
  },
};

/** Fill an area with a value as YAML. Until then nothing can be typed: it would not start from what is in force. */
export async function showYaml(area, value, textAddress) {
  area.readOnly = true;
  const answer = await post(textAddress, { value });
  area.placeholder = answer.ok ? "" : complaint(answer);
  area.readOnly = !answer.ok;
  if (answer.ok) area.value = answer.body.yaml;
  if (answer.body.note) area.after(make("p", { className: "small muted", textContent: answer.body.note }));
  return answer.body.yaml;
}

function namesOf(kind, names) {
  if (kind === "Node") return names.nodes;
  if (kind === "Pod") return names.pods.map((name) => name.split("/")[1]);
  return names.workloads.filter((row) => row[0] === kind).map((row) => row[2]);
}
