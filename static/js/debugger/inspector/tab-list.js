// The row of tabs: those of the present decision's kind, one of them chosen, by press or by arrow.

import { fill, h, keep } from "../../drawing/dom.js";

export class TabList {
  /** `onChoose(key)` is called for a tab that is pressed; `panel` is the id of the element that it fills. */
  constructor({ panel, onChoose }) {
    this.panel = panel;
    this.onChoose = onChoose;
    this.tabs = [];
    this.element = keep(h("div", {
      class: "tabs",
      role: "tablist",
      aria: { label: "What the decision rests on" },
      onkeydown: (event) => this.#arrows(event),
    }));
  }

  /** Show a kind's tabs ([{key, label}]), none for the time before the first decision. */
  show(tabs, chosen) {
    if (!areAlike(this.tabs, tabs)) fill(this.element, tabs.map((tab) => this.#button(tab)));
    this.tabs = tabs;
    this.chosen = chosen;
    for (const button of this.element.children) {
      const selected = button.dataset.tab === chosen;
      button.setAttribute("aria-selected", String(selected));
      button.tabIndex = selected ? 0 : -1;
    }
  }

  /** Choose by place, from 0; beyond the last one nothing happens. */
  choose(place) {
    if (this.tabs[place]) this.onChoose(this.tabs[place].key);
  }

  #button({ key, label }) {
    return h(
      "button",
      {
        type: "button",
        role: "tab",
        id: `tab-${key}`,
        data: { tab: key, key: `tab ${key}` },
        aria: { controls: this.panel },
        onclick: () => this.onChoose(key),
      },
      label,
    );
  }

  #arrows(event) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const all = this.tabs.length;
    const next = (this.tabs.findIndex(({ key }) => key === this.chosen) + by + all) % all;
    this.choose(next);
    this.element.children[next].focus();
  }
}

function areAlike(some, others) {
  return some.length === others.length && some.every(({ key, label }, i) => key === others[i].key && label === others[i].label);
}
