// The card of a selected object in the inspector (a queue, a job, a device card): what it has at the reader's decision, in a
// sentence and in tabs of its own, in place of the decision's. What it says is its kind's business.

import { fill, h } from "../../drawing/dom.js";
import { readKey } from "./object-key.js";
import { TabList } from "./tab-list.js";

export class ObjectCard {
  about;
  /** @type {import("../../cluster.js").Cluster} */
  fold;
  /** @type {import("./inspector.js").Inspector} */
  inspector;
  more;
  /** @type {import("../reading.js").Reading} */
  reading;
  /** @type {import("../log/standing.js").Standing} */
  standing;

  /**
   * `parts`: {fold, reading, standing, inspector, about, …}. `about` has for each kind of object {label, called(name): how readers call it, if not so, find(fold, name): its row or
   * nothing, head(card, subject, close), tabs: [{key, label, draw(card, subject)}]}; `more(event)` is what else a subject
   * {name, row} has. Other parts are for heads and tabs.
   */
  constructor({ more = () => ({}), ...parts }) {
    Object.assign(this, parts, { more });
    this.tab = null;
    const panel = `card-panel-${Object.keys(this.about)[0]}`;
    this.tabs = new TabList({ panel, onChoose: (key) => this.#chooseTab(key) });
    this.tabs.element.setAttribute("aria-label", "What is known of it");
    this.head = h("div", {});
    this.panel = h("div", { class: "tab-panel", role: "tabpanel", id: panel, tabindex: "-1" });
    this.element = h("section", { class: "object-card", hidden: true }, this.head, this.tabs.element, this.panel);
    this.inspector.podSection.after(this.element);
    this.reading.when([this, this.standing, "card", "resource", "wholeNames", "mix"], () => this.draw());
  }

  draw() {
    const chosen = readKey(this.reading.card);
    const about = chosen && this.about[chosen.kind];
    const row = about?.find(this.fold, chosen.name);
    this.element.hidden = !row;
    const { element } = this.inspector;
    element.classList.toggle("has-card", element.querySelector(":scope > .object-card:not([hidden])") !== null);
    if (!row) return;
    const { name } = chosen;
    const called = about.called?.(name) ?? name;
    const subject = { name, row, ...this.more(this.standing.event) };
    const letGo = () => this.reading.set({ card: null });
    const close = h("button", { type: "button", class: "close", aria: { label: `let go of ${called}` }, onclick: letGo }, "×");
    this.element.setAttribute("aria-label", `${about.label} ${called}`);
    fill(this.head, about.head(this, subject, close));
    const tab = about.tabs.find(({ key }) => key === this.tab) ?? about.tabs[0];
    this.tabs.show(about.tabs, tab.key);
    this.panel.setAttribute("aria-labelledby", `tab-${tab.key}`);
    fill(this.panel, tab.draw(this, subject));
  }

  #chooseTab(key) {
    this.tab = key;
    this.draw();
  }
}
