/* Volcano's configuration as a form: its actions in order, its tiers with their plugins, each with its arguments and the
   functions that are switched, and ready variants. It draws the document that the text says and keeps nothing of its own;
   what runs don't play is named beside it. */

import { fill, h } from "../../drawing/dom.js";
import {
  actionsIn,
  addPlugin,
  argumentOf,
  isReadable,
  moveAction,
  movePlugin,
  removePlugin,
  tiersIn,
  variantsOf,
  withAction,
  withArgument,
  withFlag,
} from "./configuration-document.js";

export class ConfigurationForm {
  /**
   * `known`: {shipped, actions, plugins, flags, off, unplayed, variants} as the server tells; `changed(document)` with each new one;
   * `prefix`: of the ids, where a page has several.
   */
  constructor(place, known, changed, prefix = "") {
    this.place = place;
    this.prefix = prefix;
    this.known = known;
    this.changed = changed;
    this.document = known.shipped;
  }

  /** Draw a document, null for the one that a release installs. */
  show(document) {
    this.document = document ?? this.known.shipped;
    if (!isReadable(this.document)) return fill(this.place, h("p", { class: "small muted" }, "This text has no actions and tiers that a form could show: change the text."));
    fill(this.place, this.#variants(), h("div", { class: "conf-parts" }, this.#actions(), tiersIn(this.document).map((plugins, tier) => this.#tier(plugins, tier)), this.#newTier()));
  }

  #set(document) {
    this.changed(document);
    this.show(document);
  }

  #variants() {
    const buttons = variantsOf(this.document, this.known.variants).map(({ title, document }) => h("button", { type: "button", class: "as-link small", id: `${this.prefix}variant-${idOf(title)}`, onclick: () => this.#set(document) }, title));
    return h("p", { class: "small volcano-variants" }, h("span", { class: "muted" }, "Ready variants: "), buttons.flatMap((button, place) => (place ? [" · ", button] : [button])));
  }

  #actions() {
    const on = actionsIn(this.document);
    const off = this.known.actions.filter((name) => !on.includes(name));
    return h(
      "fieldset",
      {},
      h("legend", {}, "Actions, in order"),
      on.map((name, place) => this.#action(name, true, [place > 0, place < on.length - 1])),
      off.map((name) => this.#action(name, false, [false, false])),
    );
  }

  #action(name, isOn, [canRise, canSink]) {
    const isPlayed = this.known.actions.includes(name);
    const box = h("input", { type: "checkbox", id: `${this.prefix}action-${name}`, checked: isOn, onchange: ({ target }) => this.#set(withAction(this.document, name, target.checked)) });
    const move = (by) => () => this.#set(moveAction(this.document, name, by));
    return h(
      "div",
      { class: "conf-row" },
      h("label", { class: "check-line" }, box, name, !isPlayed && this.#unplayed("actions", name)),
      isOn && [arrow("↑", `Move ${name} up`, `${this.prefix}action-${name}-up`, move(-1), canRise), arrow("↓", `Move ${name} down`, `${this.prefix}action-${name}-down`, move(1), canSink)],
    );
  }

  #tier(plugins, tier) {
    return h("fieldset", {}, h("legend", {}, `Tier ${tier + 1}`), plugins.map((plugin, place) => this.#plugin(plugin, [tier, place])), this.#adding(tier, `Add to tier ${tier + 1}`));
  }

  /** The plugins that no tier has, to be added to one. */
  #adding(tier, label) {
    const there = new Set(tiersIn(this.document).flat().map(({ name }) => name));
    const names = Object.keys(this.known.plugins).filter((name) => !there.has(name));
    return names.length > 0 && picker(`${this.prefix}add-${tier}`, label, "add a plugin…", names, (name) => this.#set(addPlugin(this.document, tier, name)));
  }

  #newTier() {
    const tier = tiersIn(this.document).length;
    return h("fieldset", {}, h("legend", {}, `Tier ${tier + 1}`), this.#adding(tier, `Add to a new tier ${tier + 1}`) || h("span", { class: "small muted" }, "All plugins are in a tier."));
  }

  #plugin(plugin, at) {
    const [tier, place] = at;
    const { name, arguments: given, ...flags } = plugin;
    const known = this.known.plugins[name];
    const id = `${this.prefix}plugin-${tier}-${place}`;
    const tiers = tiersIn(this.document);
    const move = (by) => () => this.#set(movePlugin(this.document, at, by));
    const canSink = place < tiers[tier].length - 1 || tiers[tier].length > 1 || tier < tiers.length - 1;
    const missing = (known?.arguments ?? []).filter((key) => !(key in (given ?? {})));
    const unset = known ? this.known.flags.filter((flag) => !(flag in flags)) : [];
    return h(
      "div",
      { class: "conf-plugin" },
      h(
        "div",
        { class: "conf-row" },
        h("b", {}, name),
        !known && this.#unplayed("plugins", name),
        (missing.length > 0 || unset.length > 0) &&
          picker(`${id}-more`, `Set something of ${name}`, "+", [...missing, ...unset], (key) => this.#begin(at, id, key, missing.includes(key))),
        arrow("↑", `Move ${name} up`, `${id}-up`, move(-1), place > 0 || tier > 0),
        arrow("↓", `Move ${name} down`, `${id}-down`, move(1), canSink),
        arrow("×", `Remove ${name}`, `${id}-remove`, () => this.#set(removePlugin(this.document, at)), true),
      ),
      Object.entries(given ?? {}).map(([key, value]) => this.#argument(at, id, key, value)),
      Object.entries(flags).map(([flag, isOn]) => typeof isOn === "boolean" && this.#flag(at, id, flag, isOn)),
    );
  }

  /** Let an argument or a function be set: a function is switched off first, since almost all are on. */
  #begin(at, id, key, isArgument) {
    this.#set(isArgument ? withArgument(this.document, at, key, "") : withFlag(this.document, at, key, this.known.off.includes(key)));
    document.getElementById(`${id}-${idOf(key)}`)?.focus();
  }

  #argument(at, id, key, value) {
    const input = h("input", {
      type: "text",
      id: `${id}-${idOf(key)}`,
      value: typeof value === "object" ? JSON.stringify(value) : String(value),
      disabled: typeof value === "object",
      autocomplete: "off",
      spellcheck: "false",
      onchange: ({ target }) => this.#set(withArgument(this.document, at, key, argumentOf(target.value))),
    });
    return h("div", { class: "conf-row is-set" }, h("label", {}, key, " ", input), arrow("×", `Leave ${key} to its default`, `${id}-${idOf(key)}-off`, () => this.#set(withArgument(this.document, at, key, undefined)), true));
  }

  #flag(at, id, flag, isOn) {
    const box = h("input", { type: "checkbox", id: `${id}-${idOf(flag)}`, checked: isOn, onchange: ({ target }) => this.#set(withFlag(this.document, at, flag, target.checked)) });
    return h("div", { class: "conf-row is-set" }, h("label", { class: "check-line" }, box, flag), arrow("×", `Leave ${flag} to its default`, `${id}-${idOf(flag)}-off`, () => this.#set(withFlag(this.document, at, flag, undefined)), true));
  }

  #unplayed(what, name) {
    const isVolcanos = this.known.unplayed[what].includes(name);
    return h("span", { class: "small is-preempt" }, isVolcanos ? " not played" : " unknown to Volcano");
  }
}

const idOf = (text) => text.replace(/[^\w-]+/g, "-");

function arrow(sign, label, id, onclick, isPossible) {
  return h("button", { type: "button", class: "conf-arrow", id, aria: { label }, title: label, disabled: !isPossible, onclick }, sign);
}

/** A list of which choosing one does something. */
function picker(id, label, words, names, take) {
  const options = [h("option", { value: "" }, words), ...names.map((name) => h("option", { value: name }, name))];
  const onchange = ({ target }) => {
    const { value } = target;
    target.value = "";
    if (value) take(value);
  };
  return h("select", { id, class: "small", aria: { label }, onchange }, options);
}
