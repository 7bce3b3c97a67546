// The card of a selected queue or job in the inspector: what it has at the reader's decision, in a sentence and in tabs of
// its own, in place of the decision's. Its parts are in queue-card.js and job-card.js.

import { groupRows, queueRows } from "../../volcano.js";
import { fill, h } from "../dom.js";
import { TabList } from "../tab-list.js";
import { readCard } from "./card-key.js";
import { JOB_TABS, jobHead } from "./job-card.js";
import { momentOf } from "./moment.js";
import { QUEUE_TABS, queueHead } from "./queue-card.js";

const PANEL = "card-panel";
const ABOUT = {
  queue: { rows: queueRows, head: queueHead, tabs: QUEUE_TABS },
  group: { rows: groupRows, head: jobHead, tabs: JOB_TABS },
};

export class Card {
  /**
   * `parts`: {fold, log, figures, loads, reading, sessions, colours, names, rest, run, scheduler, inspector, onPod(uid),
   * onSeek(seq)}
   */
  constructor(parts) {
    Object.assign(this, parts);
    this.event = null;
    this.tab = null;
    this.tabs = new TabList({ panel: PANEL, onChoose: (key) => this.#chooseTab(key) });
    this.tabs.element.setAttribute("aria-label", "What is known of it");
    this.head = h("div", {});
    this.panel = h("div", { class: "tab-panel", role: "tabpanel", id: PANEL, tabindex: "-1" });
    this.element = h("section", { class: "object-card", hidden: true }, this.head, this.tabs.element, this.panel);
    this.inspector.podSection.after(this.element);
    this.reading.when(["card", "resource", "wholeNames"], () => this.draw());
  }

  show(event) {
    this.event = event;
    this.draw();
  }

  draw() {
    const chosen = readCard(this.reading.card);
    const about = chosen && ABOUT[chosen.kind];
    const row = about?.rows(this.fold).get(chosen.name);
    this.inspector.element.classList.toggle("has-card", Boolean(row));
    this.element.hidden = !row;
    if (!row) return;
    const { name } = chosen;
    const subject = { name, row, moment: momentOf(this, this.event) };
    const letGo = () => this.reading.set({ card: null });
    const close = h("button", { type: "button", class: "close", aria: { label: `let go of ${name}` }, onclick: letGo }, "×");
    this.element.setAttribute("aria-label", `${chosen.kind === "queue" ? "queue" : "job"} ${name}`);
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
