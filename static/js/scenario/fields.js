/* The form of one edit: an input for each field of its operation, completed with names of the snapshot.
   A change is reported as a new edit; the edit itself is never changed in place. Text that is no value (yet) is
   held by the entry, and what is wrong with it stands beside the field. */

import { h } from "../drawing/dom.js";
import { cardField } from "./card-field.js";
import { readLabels } from "../labels.js";
import { fieldsOf, isKnown, STARTERS, WAYS } from "./operations.js";
import { ask, complaint } from "../rest.js";
import { readSeconds } from "./seconds.js";
import { readWhole } from "./unread.js";
import { targetField } from "./targets.js";
import { readYaml } from "./yaml.js";

const MOST = 100_000;

let counter = 0;

/** Build the form of an entry's edit; `changed(edit)` is called with each new version, `names` completes. */
export function buildForm(entry, { names, textAddress, hasClock }, changed) {
  if (!isKnown(entry.value.op)) return h("p", { class: "muted" }, "This operation has no form; change its YAML.");
  const form = h("div", { class: "edit-fields" });
  const set = (parts) => {
    const next = { ...entry.value };
    for (const [name, value] of Object.entries(parts)) {
      if (value === undefined) delete next[name];
      else next[name] = value;
    }
    changed(next);
  };
  const follow = (listener) => {
    form.addEventListener("input", listener);
    form.addEventListener("change", listener);
  };
  for (const field of fieldsOf(entry.value, hasClock)) form.append(buildField(field, entry, { names, textAddress, follow }, set));
  const showPresent = () => strike(form, entry.value, names.present);
  follow(showPresent);
  showPresent();
  return form;
}

function buildField(field, entry, around, set) {
  const { names } = around;
  const id = `field-${++counter}`;
  const label = h("label", { for: id }, field.label, field.optional && h("span", { class: "faint" }, " (optional)"));
  const [input, ...rest] = BUILDERS[field.type](field, entry, set, { id, ...around });
  const present = names.present?.[entry.value.op] && h("span", { class: "hint", data: { present: field.name } });
  return h("div", { class: `field is-${field.type}` }, label, present, input, rest, problemOf(input, field.name, `${id}-problem`));
}

/** Show what the snapshot has of each field; it is struck through where the edit gives another value. */
function strike(form, edit, present) {
  const now = present?.[edit.op]?.[edit.name] ?? {};
  for (const place of form.querySelectorAll("[data-present]")) {
    const text = now[place.dataset.present];
    const isGiven = edit[place.dataset.present] !== undefined && edit[place.dataset.present] !== null;
    place.replaceChildren(text === undefined ? "" : isGiven ? h("del", { title: "in the snapshot" }, text) : `now ${text}`);
  }
}

/** The place for what is wrong with a field; the stack fills it from what the entry holds under this name. */
export function problemOf(input, name, id) {
  input.dataset.reads = name;
  input.setAttribute("aria-describedby", id);
  return h("p", { class: "error-text small", id, role: "alert", data: { unread: name } });
}

/** The name of the field in an open form beside which a problem stands that the engine has with `field`, or within it; else null. */
export function shownBeside(form, field) {
  const places = [...form.querySelectorAll("[data-unread]")].map((place) => place.dataset.unread);
  return places.find((name) => name === field || WAYS[name]?.includes(field) || field.startsWith(`${name}.`)) ?? null;
}

/** A problem as it stands beside the field `name`: of what is within it, with the place there. */
export function besideField(name, { field, message }) {
  return field.startsWith(`${name}.`) ? `${field.slice(name.length + 1)}: ${message}` : message;
}

function textInput(id, value, onInput, list = []) {
  const known = list.length ? `${id}-names` : null;
  const oninput = ({ target }) => onInput(target.value.trim());
  const input = h("input", { id, type: "text", value: value ?? "", autocomplete: "off", spellcheck: "false", list: known, oninput });
  return known ? [input, h("datalist", { id: known }, list.map((value) => h("option", { value })))] : [input];
}

function textArea(id, text, onInput, rows = 8) {
  return h("textarea", { id, class: "code", value: text, rows, spellcheck: "false", oninput: ({ target }) => onInput(target.value) });
}

const plain = (pick) => (field, entry, set, { id, names }) =>
  textInput(id, entry.value[field.name], (value) => set({ [field.name]: value === "" && field.optional ? undefined : value }), pick(names));

const BUILDERS = {
  text: plain(() => []),
  node: plain((names) => names.nodes),
  nodes: targetField,
  pods: targetField,
  card: cardField,

  /** The name of an object of which the form shows what it says now. */
  present(field, entry, set, { id, names }) {
    return textInput(id, entry.value[field.name], (value) => set({ [field.name]: value }), Object.keys(names.present?.[entry.value.op] ?? {}));
  },

  /** Yes, no, or as it is. */
  switch(field, entry, set, { id }) {
    const choices = [["", "as it is"], ["true", "yes"], ["false", "no"]];
    const chosen = String(entry.value[field.name] ?? "");
    const options = choices.map(([value, words]) => h("option", { value, selected: value === chosen }, words));
    return [h("select", { id, onchange: ({ target }) => set({ [field.name]: target.value ? target.value === "true" : undefined }) }, options)];
  },

  /** Several texts, parted by commas or spaces. */
  texts(field, entry, set, { id }) {
    const shown = (entry.value[field.name] ?? []).join(", ");
    return textInput(id, shown, (text) => {
      const texts = text.split(/[\s,]+/).filter(Boolean);
      set({ [field.name]: texts.length || !field.optional ? texts : undefined });
    });
  },

  /** Labels as kubectl takes them: `key=value`, and `key-` for one that goes. */
  labels(field, entry, set, { id }) {
    const labels = Object.entries(entry.value[field.name] ?? {});
    const shown = entry.unread.text(field.name) ?? labels.map(([key, value]) => (value === null ? `${key}-` : `${key}=${value}`)).join(", ");
    return textInput(id, shown, (text) => {
      const { labels, message } = readLabels(text);
      if (message) return entry.unread.hold(field.name, text, message);
      entry.unread.release(field.name);
      set({ [field.name]: text || !field.optional ? labels : undefined });
    });
  },

  namespace: plain((names) => names.namespaces),

  name(field, entry, set, { id, names }) {
    const known = namesOf(entry.value.kind, names);
    return textInput(id, entry.value.name, (value) => set({ name: value }), known);
  },

  count(field, entry, set, { id }) {
    const bounds = { min: field.min, max: MOST, optional: field.optional };
    const shown = entry.unread.text(field.name) ?? entry.value[field.name] ?? "";
    const oninput = ({ target: input }) => {
      const { value, message } = readWhole(input.value, { ...bounds, unreadable: input.validity.badInput });
      if (message) return entry.unread.hold(field.name, input.value, message);
      entry.unread.release(field.name);
      set({ [field.name]: value ?? undefined });
    };
    return [h("input", { id, type: "number", min: field.min, max: MOST, step: 1, value: shown, oninput })];
  },

  seconds(field, entry, set, { id }) {
    const shown = entry.unread.text(field.name) ?? String(entry.value[field.name] ?? "");
    const [input] = textInput(id, shown, (text) => {
      const { value, message } = readSeconds(text, field);
      if (message) return entry.unread.hold(field.name, text, message);
      entry.unread.release(field.name);
      set({ [field.name]: value ?? undefined });
    });
    return [input, h("span", { class: "hint" }, "seconds, or as 5m, 1h30m")];
  },

  choice(field, entry, set, { id }) {
    const chosen = entry.value[field.name];
    const choices = field.choices.includes(chosen) ? field.choices : [chosen, ...field.choices];
    const options = choices.map((value) => h("option", { value, selected: value === chosen }, value));
    return [h("select", { id, onchange: ({ target }) => set({ [field.name]: target.value }) }, options)];
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
    return [...parts, h("span", { class: "hint" }, "Kind/namespace/name")];
  },

  manifest(field, entry, set, { id, textAddress }) {
    const value = entry.value[field.name];
    const shown = entry.unread.text(field.name) ?? (typeof value === "string" ? value : "");
    const take = (text) => set({ [field.name]: text });
    const area = textArea(id, shown, (text) => entry.unread.read(field.name, text, async () => ({ value: text }), take), 12);
    if (value && typeof value === "object" && !entry.unread.has(field.name)) showYaml(area, value, textAddress);
    const begin = (text) => {
      area.value = text;
      entry.unread.release(field.name);
      set({ [field.name]: text });
    };
    const starters = Object.entries(STARTERS).map(([name, text]) => [
      h("button", { type: "button", class: "as-link small", onclick: () => begin(text) }, name),
      " ",
    ]);
    return [area, h("div", { class: "starters" }, h("span", { class: "muted small" }, "Begin with "), starters)];
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
  const answer = await ask("POST", textAddress, { value });
  area.placeholder = answer.ok ? "" : complaint(answer);
  area.readOnly = !answer.ok;
  if (answer.ok) area.value = answer.body.yaml;
  if (answer.body.note) area.after(h("p", { class: "small muted" }, answer.body.note));
  return answer.body.yaml;
}

function namesOf(kind, names) {
  if (kind === "Node") return names.nodes;
  if (kind === "Pod") return names.pods.map((name) => name.split("/")[1]);
  return names.workloads.filter((row) => row[0] === kind).map((row) => row[2]);
}
