// The decision inspector: who, the sentence, the trust line, and the tabs. What needs the server's help (each
// node's verdict, scores, reprieves) comes in when it arrives; the sentence never waits for it.

import { copy, fill, h } from "./dom.js";
import { Superseded } from "./evidence.js";
import { drawFilter } from "./filter-tab.js";
import { asMarkdown } from "./markdown.js";
import { nodeLink, nodeText } from "./node-link.js";
import { pastOf } from "./past.js";
import { podCard } from "./pod-card.js";
import { drawPreemption } from "./preemption-tab.js";
import { drawScores } from "./scores-tab.js";
import { leadSentence, plain, sentence } from "./sentence.js";
import { drawTrust } from "./trust.js";
import { requests } from "./units.js";
import { drawEvents, drawRaw } from "./words-tabs.js";

/** Who sees one decision for so many milliseconds isn't passing any more, whether they or the run paused. */
const PASSED = 1200;
const TABS = [
  { key: "filter", label: "Filter", draw: drawFilter },
  { key: "scores", label: "Scores", draw: drawScores },
  { key: "preemption", label: "Preemption", draw: drawPreemption },
  { key: "events", label: "Events", draw: drawEvents },
  { key: "raw", label: "Raw", draw: drawRaw },
];
const OUTCOME_WORDS = {
  scheduled: "placed",
  nominated: "preempts",
  unschedulable: "unschedulable",
  gated: "gated",
  error: "error",
  evicted: "evicted",
  refused: "eviction refused",
  skipped: "skipped",
};

export class Inspector {
  /** `answer` repeats the sentence where the inspector itself is closed; pressing it opens the inspector. */
  constructor(page, element, answer) {
    this.page = page;
    this.answer = answer;
    answer.onclick = () => page.openInspector();
    this.element = element;
    this.event = null;
    this.reset();
    this.who = h("div", { class: "who" });
    this.say = h("p", { class: "say", aria: { live: "polite" } });
    this.trust = h("div", { class: "trust-line" });
    this.tabs = h("div", {
      class: "tabs",
      role: "tablist",
      aria: { label: "What the decision rests on" },
      onkeydown: (event) => this.#arrows(event),
    });
    this.panel = h("div", { class: "tab-panel", role: "tabpanel", id: "inspector-panel", tabindex: "-1" });
    this.podSection = h("div", {});
    fill(element, this.who, this.say, this.trust, this.podSection, this.tabs, this.panel);
    drawTrust(this.trust, page.run);
    page.reading.when(["tab", "node"], () => this.drawTab());
    page.reading.when(["pod"], () => this.#drawPod());
    page.reading.when(["wholeNames"], () => this.#drawAgain());
  }

  /** Forget what belongs to one decision only. */
  reset() {
    Object.assign(this, { band: null, bandRows: null, strip: null, unfolded: new Set() });
    Object.assign(this, { lead: [], past: {} });
  }

  /** Show a decision; null while it is being read, "start" before the first one. */
  show(event) {
    this.event = event;
    this.reset();
    if (event === "start") this.#drawStart();
    else if (event) {
      this.past = pastOf(this.page.log, event, this.page.release);
      this.#drawHead(event);
      this.#drawTabs();
      this.drawTab();
      this.#findLead(event);
    }
    this.#drawPod();
  }

  get tab() {
    return this.page.reading.tab ?? automaticTab(this.event);
  }

  chooseTab(number) {
    this.page.reading.set({ tab: TABS[number].key });
  }

  drawTab() {
    const { event, panel } = this;
    if (!event || event === "start") return;
    this.#drawTabs();
    const { key, draw } = TABS.find((tab) => tab.key === this.tab);
    panel.dataset.tab = key;
    panel.setAttribute("aria-labelledby", `tab-${key}`);
    fill(panel, draw(this.page, event));
  }

  /** Light a band's nodes and list them, or let go of it. */
  pressBand(band, ask) {
    const { reading, fold } = this.page;
    if (this.band?.key === band.key) {
      Object.assign(this, { band: null, bandRows: null });
      reading.set({ lit: null });
      return this.drawTab();
    }
    const { event } = this;
    this.band = band;
    this.bandRows = ask();
    this.bandRows
      .then((rows) => {
        if (this.event !== event || this.band !== band) return;
        reading.set({
          lit: new Set(
            rows.map((row) => fold.nodeIndex.get(row.node)).filter((node) => node !== undefined),
          ),
        });
      })
      .catch(() => {});
    this.drawTab();
    this.panel.querySelector(`[data-band="${CSS.escape(band.key)}"]`)?.focus({ preventScroll: true });
  }

  /** An element that fills when an answer arrives. */
  later(promise, draw) {
    const element = h("div", { class: "later" });
    const { playing, follow, status } = this.page.reading;
    const passing = playing || (follow && status === "running");
    if (passing)
      fill(element, h("p", { class: "working" }, "Each node's figures are worked out when you pause."));
    const isBeingMade = () => fill(element, h("p", { class: "working" }, "working it out…"));
    const patience = setTimeout(isBeingMade, passing ? PASSED : 250);
    promise
      .then(
        (answer) => fill(element, draw(answer)),
        (problem) => {
          if (!(problem instanceof Superseded))
            fill(
              element,
              h("p", { class: problem.status === 409 ? "notice warning" : "notice error" }, problem.message),
            );
        },
      )
      .finally(() => clearTimeout(patience));
    return element;
  }

  nodeButton(name, more) {
    return nodeLink(this.page.names, name, (node) => this.page.pickNode(node), more);
  }

  closeNode() {
    return h(
      "button",
      {
        type: "button",
        class: "close",
        aria: { label: "let go of the node" },
        onclick: () => this.page.reading.set({ node: null }),
      },
      "×",
    );
  }

  stepReprieve(by) {
    if (!this.strip) return;
    const { reprieve } = this.page.reading;
    const now = reprieve?.node === this.strip.node ? reprieve.step : -1;
    this.strip.show(Math.max(0, Math.min(this.strip.last, now + by)));
  }

  markStrip(step) {
    for (const card of this.panel.querySelectorAll(".strip-card")) {
      const pressed = Number(card.dataset.step) === step;
      card.setAttribute("aria-pressed", String(pressed));
      if (pressed) card.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
  }

  copyMarkdown(button = this.copyButton) {
    const { event } = this;
    if (!event || event === "start") return;
    const { page, lead, past } = this;
    const told = { event, run: page.run, link: page.link(), extra: plain(lead), past };
    copy(asMarkdown(told), button);
    page.announce("The decision is copied as Markdown.");
  }

  #drawStart() {
    const { run, log } = this.page;
    fill(this.who, "Before the first decision");
    fill(
      this.say,
      log.head && this.page.reading.loaded
        ? ["The cluster as the scenario starts. ", h("b", {}, "→"), " steps to the first decision."]
        : whyNothing(run),
    );
    this.answer.textContent = this.say.textContent;
    fill(this.tabs);
    fill(
      this.panel,
      (run.edit_results ?? []).length > 0 &&
        h(
          "section",
          {},
          h("h3", {}, "What the edits changed"),
          h(
            "ol",
            { class: "edits" },
            run.edit_results.map(({ sentence: text, changes, problems }) =>
              h(
                "li",
                {},
                text,
                (problems ?? []).map((problem) => h("p", { class: "error-text" }, problem)),
                changes?.length > 0 &&
                  h(
                    "ul",
                    {},
                    changes.slice(0, 12).map((change) => h("li", {}, change)),
                  ),
              ),
            ),
          ),
        ),
    );
  }

  #drawHead(event) {
    const { page } = this;
    const pod = page.fold.podIndex.get(event.pod.uid);
    const card = page.fold.pods[pod];
    const notes = [
      `priority ${event.pod.priority}`,
      card && `asks ${requests(card.requests)}`,
      event.attempt > 1 && `attempt ${event.attempt}`,
    ].filter(Boolean);
    this.copyButton = h(
      "button",
      {
        type: "button",
        class: "ghost copy-markdown",
        title: "copy as Markdown (c)",
        onclick: (press) => this.copyMarkdown(press.currentTarget),
      },
      "copy",
    );
    fill(
      this.who,
      h(
        "div",
        { class: "who-line" },
        h(
          "button",
          { type: "button", class: "link who-name", onclick: () => page.pickPod(event.pod.uid) },
          `${event.pod.namespace}/${event.pod.name}`,
        ),
        h("span", { class: `badge outcome-${event.outcome}` }, OUTCOME_WORDS[event.outcome] ?? event.outcome),
        this.copyButton,
      ),
      h("small", {}, notes.join(" · ")),
    );
    this.#drawSentence();
  }

  #drawSentence() {
    const { event, page } = this;
    const { release, run } = page;
    const told = sentence(event, { seed: run.seed, release, ...this.past });
    const parts = [...told, ...(this.lead.length ? [{ text: " " }, ...this.lead] : [])];
    fill(
      this.say,
      parts.map((part) => {
        if (part.node) return this.nodeButton(part.node, { kind: "strong" });
        if (part.pod)
          return h(
            "button",
            { type: "button", class: "link strong", onclick: () => page.pickPod(part.pod) },
            part.text,
          );
        return part.strong ? h("b", {}, part.text) : part.text;
      }),
    );
    const words = parts.map((part) => (part.node ? nodeText(page.names, part.node) : part.text));
    fill(this.answer, `${event.pod.namespace}/${event.pod.name}: `, words);
  }

  /** What names nodes, once they are called otherwise. */
  #drawAgain() {
    if (this.event && this.event !== "start") this.#drawSentence();
    this.drawTab();
    this.#drawPod();
  }

  /** The plugin that decided is known once the scores have come. */
  #findLead(event) {
    if (event.kind !== "attempt" || event.total === null || event.best_count !== 1) return;
    this.page.evidence
      .scores(event.seq)
      .then((rows) => {
        if (this.event !== event) return;
        this.lead = leadSentence(rows, event.best);
        this.#drawSentence();
      })
      .catch(() => {});
  }

  #drawTabs() {
    const chosen = this.tab;
    if (this.tabs.childElementCount !== TABS.length) {
      fill(
        this.tabs,
        TABS.map(({ key, label }) =>
          h(
            "button",
            {
              type: "button",
              role: "tab",
              id: `tab-${key}`,
              data: { tab: key },
              aria: { controls: "inspector-panel" },
              onclick: () => this.page.reading.set({ tab: key }),
            },
            label,
          ),
        ),
      );
    }
    for (const tab of this.tabs.children) {
      const selected = tab.dataset.tab === chosen;
      tab.setAttribute("aria-selected", String(selected));
      tab.tabIndex = selected ? 0 : -1;
    }
  }

  #arrows(event) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const next = (TABS.findIndex(({ key }) => key === this.tab) + by + TABS.length) % TABS.length;
    this.chooseTab(next);
    this.tabs.children[next].focus();
  }

  #drawPod() {
    const { reading, fold } = this.page;
    const pod = reading.pod === null ? undefined : fold.podIndex.get(reading.pod);
    fill(this.podSection, pod === undefined ? null : podCard(this.page, pod));
  }
}

/** The tab that answers best when the reader hasn't chosen one. */
function automaticTab(event) {
  if (!event || event === "start") return "filter";
  if (event.outcome === "nominated") return "preemption";
  return event.outcome === "scheduled" && event.total !== null ? "scores" : "filter";
}

/** Why there is no decision to show yet. */
function whyNothing({ decisions, status }) {
  if (decisions > 0) return "Reading the log…";
  if (status === "failed") return "The run failed before its first decision.";
  if (status === "cancelled") return "The run was cancelled before its first decision.";
  if (status === "finished") return "Nothing was pending, so there was nothing to decide.";
  return "The worker hasn't decided anything yet.";
}
