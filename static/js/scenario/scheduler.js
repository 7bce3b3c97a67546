/* The fields that say which scheduler decides: its version, its driver, and its configuration.
   What is set aside by a change of the version (a configuration that the other one does not take) stays here, so
   that going back brings it back. */

import { h } from "../drawing/dom.js";
import { readYaml } from "./yaml.js";
import { FoundConfigurations } from "./found.js";
import { ask } from "../rest.js";
import { beginningOf, BY_EDITS, configOf, driverUnder, formOf, hasSwitches, mayHaveClock } from "./versions.js";

const CONFIG = "config";

export class SchedulerFields {
  /** `changed()` is called after each change; `unread` holds the YAML until it is a document. */
  constructor(root, data, { textAddress, changed, unread }) {
    this.part = (selector) => root.querySelector(selector);
    this.versions = data.schedulers;
    this.textAddress = textAddress;
    this.changed = changed;
    this.unread = unread;
    this.profile = this.part("#profile");
    this.drivers = this.part("#driver");
    this.podPriority = this.part("#pod-priority");
    this.text = this.part("#config");
    this.found = new FoundConfigurations(this.part("[data-found]"), data.found, (yaml) => {
      this.text.value = yaml;
      this.read();
    });
    this.forms = data.configuration_forms;
    this.start(data);
    this.listen();
  }

  start(data) {
    if (!this.versions.some((version) => version.profile === data.profile)) this.addUnknown(data);
    this.profile.value = data.profile;
    this.choice = data.driver_choice;
    this.document = this.version.configuration ? data.config : null;
    this.text.value = this.version.configuration ? data.config_yaml : "";
    this.documentText = this.text.value;
    this.podPriority.checked = data.config?.podPriority !== false;
    this.draw(data.driver ?? BY_EDITS);
  }

  /** A scenario may name a version that there is not: it is shown, and its problem beside it. */
  addUnknown({ profile, driver, driver_choice: choice }) {
    const drivers = [{ driver: driver ?? choice.driver, summary: "" }];
    this.versions = [...this.versions, { profile, drivers, configuration: "unknown", settings: [] }];
    this.profile.append(h("option", { value: profile }, profile));
  }

  listen() {
    this.profile.addEventListener("change", () => {
      this.draw(driverUnder(this.version, this.drivers.value));
      if (this.version.configuration && this.text.value !== this.documentText) this.read();
      this.changed();
    });
    this.drivers.addEventListener("change", () => this.changed());
    this.podPriority.addEventListener("change", () => this.changed());
    this.text.addEventListener("input", () => this.read());
  }

  get version() {
    return this.versions.find((version) => version.profile === this.profile.value);
  }

  /** The driver that somebody chose; null where the edits choose it. */
  get driver() {
    return this.drivers.value || null;
  }

  /** Whether time may pass under the driver, so that edits may have instants. */
  get hasClock() {
    return mayHaveClock(this.version, this.drivers.value);
  }

  /** Show which driver the edits ask for, and why: {driver, because}. */
  sayChoice(choice) {
    this.choice = choice;
    const option = this.drivers.querySelector('option[value=""]');
    if (option) option.textContent = this.choiceInWords();
  }

  choiceInWords() {
    const { driver, because } = this.choice;
    return because ? `by what is asked: ${driver}, since ${because}` : "by what is asked";
  }

  /** Whether others can act beside it: a version that reads no configuration has one schedulerName. */
  get takesCompany() {
    return Boolean(this.version.configuration);
  }

  /** Profile and configuration as REST takes them. */
  get scheduler() {
    const kept = { document: this.document, podPriority: this.podPriority.checked };
    return { profile: this.profile.value, config: configOf(this.version, kept) };
  }

  draw(driver) {
    const { version } = this;
    this.drivers.replaceChildren(
      h("option", { value: BY_EDITS }, this.choiceInWords()),
      ...version.drivers.map(({ driver, summary }) => h("option", { value: driver }, summary ? `${driver}: ${summary}` : driver)),
    );
    this.drivers.value = driver;
    if (this.drivers.selectedIndex < 0) this.addStrayDriver(driver);
    this.part("[data-configuration]").hidden = !version.configuration;
    this.part("[data-settings]").hidden = !version.settings.includes("podPriority");
    this.part("[data-set-aside]").hidden = Boolean(version.configuration) || !this.document;
    if (!version.configuration) this.unread.release(CONFIG);
    this.part("[data-config-label]").textContent = `${version.configuration} as YAML`;
    this.text.placeholder = beginningOf(version);
    this.found.offer(version);
    this.listGates();
    const switches = this.part("[data-hami-switches]");
    if (switches) switches.hidden = !hasSwitches(version);
    this.sayDefault();
    this.drawForm();
  }

  /** List the feature gates that a configuration of the version can set: those that are played, and the others. */
  listGates() {
    const { feature_gates: gates = {}, played_gates: played = [] } = this.version;
    const others = Object.keys(gates).filter((name) => !played.includes(name));
    const item = (name) => h("li", {}, h("code", {}, `${name}: ${gates[name]}`));
    this.part("[data-feature-gates]").hidden = Object.keys(gates).length === 0;
    this.part("[data-no-played-gates]").hidden = played.length > 0;
    this.part("[data-gates]").replaceChildren(...played.map(item));
    this.part("[data-other-gates]").replaceChildren(...others.map(item));
  }

  /** Draw the form of the document, where a version's configuration has one; while its text is no document it rests. */
  drawForm() {
    const place = this.part("[data-configuration-form]");
    const [Form, known] = [formOf(this.version), this.forms[this.version.configuration]];
    place.hidden = !Form || !known;
    place.inert = this.unread.has(CONFIG);
    if (!place.hidden && !place.inert) new Form(place, known, (document) => this.take(document)).show(this.document);
  }

  /** Take a document over from the form; the text follows. */
  async take(document) {
    this.document = document;
    this.changed();
    const answer = await ask("POST", this.textAddress, { value: document });
    if (this.document !== document || !answer.ok) return;
    this.text.value = this.documentText = answer.body.yaml;
    this.sayDefault();
  }

  sayDefault() {
    this.part("[data-default]").hidden = this.text.value.trim() !== "";
  }

  addStrayDriver(value) {
    this.drivers.append(h("option", { value }, value));
    this.drivers.value = value;
  }

  /** Show problems beside their fields: {profile, driver, config}, each a list. */
  judge(sorted) {
    const inputs = { profile: this.profile, driver: this.drivers, config: this.version.configuration ? this.text : this.podPriority };
    for (const [name, input] of Object.entries(inputs)) {
      const words = sorted[name].map((problem) => (name === "config" ? [problem.field, problem.message].filter(Boolean).join(": ") : problem.message));
      this.part(`[data-problem-of="${name}"]`).textContent = words.join("; ");
      input.setAttribute("aria-invalid", String(words.length > 0));
    }
    if (sorted.config.length) this.part("[data-configuration]").open = true;
  }

  read() {
    this.sayDefault();
    const ask = (text) => readYaml(this.textAddress, text, { blank: true });
    this.unread.read(CONFIG, this.text.value, ask, (value, text) => {
      this.document = value;
      this.documentText = text;
      this.changed();
      this.drawForm();
    });
    this.drawForm();
  }
}
