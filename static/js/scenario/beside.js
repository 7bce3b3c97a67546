/* The schedulers beside the scenario's own: each with a name, and a configuration that says whose pods are its own.
   A version that acts alone sets them aside; they stay here until the page is left, so that going back brings them
   back. */

import { h } from "../drawing/dom.js";
import { ask } from "../rest.js";
import { configurationFor } from "../schedulers/configurations.js";
import { readYaml } from "./yaml.js";

const FIELDS = ["scheduler", "name", "config"];

export class BesideFields {
  changed;
  readOnly;
  say;
  textAddress;
  unread;

  /** `changed()` is called after each change; `unread` holds YAML until it is a document; `say(words)` to readers. */
  constructor(root, data, { textAddress, readOnly, changed, unread, say }) {
    Object.assign(this, { textAddress, readOnly, changed, unread, say });
    this.box = root.querySelector("[data-beside]");
    this.list = root.querySelector("[data-companions]");
    this.aside = root.querySelector("[data-beside-aside]");
    this.fault = root.querySelector('[data-problem-of="beside"]');
    this.template = root.ownerDocument.getElementById("companion-template");
    this.entries = [];
    this.made = 0;
    this.forms = data.configuration_forms;
    for (const { value, yaml } of data.beside) this.#insert(value, yaml);
    root.querySelector("[data-add-companion]")?.addEventListener("click", () => this.#add());
    this.#number();
  }

  /** Whether others can act beside the version; where they can't, they are out of sight and not stored. */
  show(takesCompany) {
    this.box.hidden = !takesCompany;
    this.aside.hidden = takesCompany || this.entries.length === 0;
    if (takesCompany) for (const entry of this.entries) this.#read(entry, { ifChanged: true });
    else for (const { key } of this.entries) this.unread.release(key);
  }

  /** The entries as REST takes them. */
  get value() {
    return this.box.hidden ? [] : this.entries.map(({ value }) => value);
  }

  get isUnread() {
    return this.entries.some(({ key }) => this.unread.has(key));
  }

  /** What of an entry's YAML is wrong as a problem, null where `key` is none of ours. */
  problemOf(key, message) {
    const place = this.entries.findIndex((entry) => entry.key === key);
    return place < 0 ? null : { object: `beside[${place}]`, field: "config", message };
  }

  /** Show problems beside the fields that they are about; what is about no field of an entry stands with its name. */
  judge(problems) {
    const ofNone = problems.filter(({ object }) => !/^beside\[\d+\]$/.test(object));
    this.fault.textContent = ofNone.map(({ message }) => message).join("; ");
    this.entries.forEach((entry, place) => {
      const own = problems.filter(({ object }) => object === `beside[${place}]`);
      for (const field of FIELDS) {
        const words = own.filter((problem) => fieldOf(problem) === field).map((problem) => wordsOf(problem));
        entry.element.querySelector(`[data-fault="${field}"]`).textContent = words.join("; ");
        entry.element.querySelector(`[data-field="${field}"]`).setAttribute("aria-invalid", String(words.length > 0));
      }
    });
  }

  #add() {
    const entry = this.#insert({ name: "" }, "");
    entry.text.value = entry.beginning = firstConfiguration(this.entries.length);
    this.#number();
    this.#read(entry);
    entry.name.focus();
    this.say(`Scheduler ${this.entries.length + 1} added.`);
  }

  #remove(entry) {
    const place = this.entries.indexOf(entry);
    this.entries.splice(place, 1);
    this.unread.release(entry.key);
    entry.element.remove();
    this.#number();
    this.say(`Scheduler ${place + 2} removed.`);
    const next = this.entries[place] ?? this.entries[place - 1];
    (next?.name ?? this.box.querySelector("[data-add-companion]")).focus();
    this.changed();
  }

  #insert(value, yaml) {
    const key = `beside-${++this.made}`;
    const element = this.template.content.cloneNode(true).firstElementChild;
    const part = (name) => element.querySelector(`[data-field="${name}"]`);
    const entry = { key, value, element, kind: part("scheduler"), name: part("name"), text: part("config"), taken: yaml };
    for (const field of FIELDS) tie(element, field, `${key}-${field}`);
    entry.name.value = value.name ?? "";
    entry.text.value = yaml;
    showKind(entry.kind, value);
    entry.name.addEventListener("input", () => this.#set(entry, { name: entry.name.value.trim() }));
    entry.kind.addEventListener("change", () => this.#choose(entry));
    entry.text.addEventListener("input", () => this.#read(entry));
    element.querySelector("[data-remove-companion]")?.addEventListener("click", () => this.#remove(entry));
    this.entries.push(entry);
    this.list.append(element);
    this.#drawForm(entry);
    return entry;
  }

  /** Another kind: what its configuration began with is no use to it, if nobody has changed that. */
  #choose(entry) {
    if (entry.text.value === entry.beginning && formOf(entry)) entry.text.value = "";
    this.#set(entry, { scheduler: entry.kind.value });
    this.#read(entry);
  }

  /** Draw the form of a configuration that has one; while its text is no document it rests. */
  #drawForm(entry) {
    const { element, key, value } = entry;
    const place = element.querySelector("[data-companion-form]");
    const [Form, known] = [formOf(entry), this.forms[configurationFor(entry.kind.value)?.document]];
    place.hidden = !Form || !known;
    place.inert = this.readOnly || this.unread.has(key);
    if (place.hidden || this.unread.has(key)) return;
    new Form(place, known, (document) => this.#take(entry, document), `${key}-`).show(value.config ?? null);
  }

  /** Take a document over from the form; the text follows. */
  async #take(entry, document) {
    this.#set(entry, { config: document });
    const answer = await ask("POST", this.textAddress, { value: document });
    if (entry.value.config === document && answer.ok) entry.text.value = entry.taken = answer.body.yaml;
  }

  #set(entry, values) {
    entry.value = { ...entry.value, ...values };
    this.changed();
  }

  #read(entry, { ifChanged = false } = {}) {
    if (ifChanged && entry.text.value === entry.taken) return;
    const asDocument = (text) => readYaml(this.textAddress, text, { blank: true });
    this.unread.read(entry.key, entry.text.value, asDocument, (config, text) => {
      entry.taken = text;
      this.#set(entry, { config });
      this.#drawForm(entry);
    });
    this.#drawForm(entry);
  }

  /** The scenario's own scheduler is the first. */
  #number() {
    this.entries.forEach(({ element }, place) => {
      element.querySelector("legend").textContent = `Scheduler ${place + 2}`;
      element.querySelector("[data-remove-companion]")?.setAttribute("aria-label", `Remove scheduler ${place + 2}`);
    });
  }
}

/** Tie a field's label and the place of its problem to it. */
function tie(element, field, id) {
  const input = element.querySelector(`[data-field="${field}"]`);
  const fault = element.querySelector(`[data-fault="${field}"]`);
  Object.assign(input, { id });
  Object.assign(fault, { id: `${id}-problem` });
  element.querySelector(`[data-label="${field}"]`).htmlFor = id;
  input.setAttribute("aria-describedby", fault.id);
}

/** Choose the kind; one that isn't offered is shown, and its problem beside it. */
function showKind(select, { scheduler }) {
  if (!scheduler) return;
  if (![...select.options].some(({ value }) => value === scheduler)) {
    select.append(h("option", { value: scheduler }, scheduler));
  }
  select.value = scheduler;
}

/** What draws the configuration of an entry's kind as a form; undefined where there is only the text. */
const formOf = ({ kind }) => configurationFor(kind.value)?.form;

/** A configuration whose pods are not those of another. */
function firstConfiguration(number) {
  const name = number > 1 ? `second-scheduler-${number}` : "second-scheduler";
  return `apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles:\n  - schedulerName: ${name}\n`;
}

function fieldOf({ field }) {
  if (field === "config" || field.startsWith("config.")) return "config";
  return field === "name" ? "name" : "scheduler";
}

function wordsOf({ field, message }) {
  const within = field.replace(/^config\.?/, "");
  return within && !FIELDS.includes(within) && within !== "release" ? `${within}: ${message}` : message;
}
