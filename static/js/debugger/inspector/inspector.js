// The decision inspector: who, the sentence, the trust line, and the tabs of the decision's kind. What needs the
// server's help (each node's verdict, scores, reprieves) comes in when it arrives; the sentence never waits for it.

import { kindOf } from "../../decisions/registry.js";
import { bindingSentence } from "../../decisions/attempt-sentence.js";
import { copy, fill, h, keep } from "../../drawing/dom.js";
import { announce, openInspector } from "../parts.js";
import { asksWords } from "../words/asks.js";
import { asMarkdown } from "./markdown.js";
import { nodeText } from "../names/node-link.js";
import { pastOf } from "./past.js";
import { plain } from "../words/phrases.js";
import { drawPodCard } from "../pod/pod-card.js";
import { drawBeginning, drawOpening } from "./beginning.js";
import { TabList } from "./tab-list.js";
import { TabTools } from "./tab-tools.js";
import { drawTrust } from "./trust.js";
import { WAITING, waitingTab } from "./tabs/waiting-tab.js";
import { CauseBox } from "./cause-box.js";

const PANEL = "inspector-panel";
/** The tabs that come behind Waiting, the first of which each kind has. */
const BEHIND_WAITING = ["events", "raw"];

export class Inspector {
  element;
  past = {};
  wantedTime;
  answer;
  /** @type {import("./evidence.js").Evidence} */
  evidence;
  linkOf;
  /** @type {import("../log/log.js").Log} */
  log;
  /** @type {import("../names/node-names.js").NodeNames} */
  names;
  onPod;
  /** @type {import("../reading.js").Reading} */
  reading;
  /** @type {import("../words/scheduler.js").Scheduler} */
  scheduler;
  /** @type {import("../log/standing.js").Standing} */
  standing;

  /**
   * `parts`: {element, answer, log, figures, names, reading, scale, scheduler, standing, evidence, addressOf(seq), linkOf(),
   * onNode(name), onPod(uid), onReveal(node), onSeek(seq), onLoss(), wantedTime}. `answer` repeats
   * the sentence where the inspector itself is closed; pressing it opens the inspector.
   */
  constructor(parts) {
    Object.assign(this, parts);
    const { element, answer, log, names, reading, scheduler, standing, evidence } = parts;
    const { addressOf, onNode, onPod, onReveal, onSeek } = parts;
    this.fold = log.fold;
    answer.onclick = openInspector;
    this.who = keep(h("div", { class: "who" }));
    this.binding = keep(h("p", { class: "binding" }));
    this.say = keep(h("p", { class: "say", aria: { live: "polite" } }));
    this.cause = new CauseBox({ log, reading, standing, phrase: (parts) => this.tools.phrase(parts) });
    this.below = keep(h("div", { class: "below-sentence" }));
    this.trust = keep(h("div", { class: "trust-line" }));
    this.podSection = keep(h("div", {}));
    this.tabs = new TabList({ panel: PANEL, onChoose: (key) => reading.set({ tab: key }) });
    this.panel = keep(h("div", { class: "tab-panel", role: "tabpanel", id: PANEL, tabindex: "-1" }));
    const parties = { addressOf, onNode, onPod, onReveal, onSeek };
    const { figures, scale } = parts;
    const shared = { fold: this.fold, log, figures, scale, sessions: figures.sessions, names, reading, scheduler, evidence, ...parties };
    this.tools = new TabTools({ panel: this.panel, ...shared, redraw: () => this.drawTab() });
    this.#forget();
    const { who, binding, say, cause, below, trust, podSection, tabs, panel } = this;
    fill(element, who, binding, say, cause.element, below, trust, podSection, tabs.element, panel);
    this.#listen();
  }

  #listen() {
    const { reading, standing } = this;
    // What waits changes with the selected pod and with the time between two decisions, where a clock moves.
    const [pod, time] = this.fold.hasClock ? [["pod"], ["time"]] : [[], []];
    reading.derive([standing], () => this.#forget());
    reading.derive(pod, () => this.#isShown() && (this.present = this.#presentTabs()));
    reading.derive(time, () => this.#isShown() && this.tab.key === WAITING && reading.tell(this.tabs));
    reading.when(["run"], () => drawTrust(this.trust, this.run));
    reading.when([standing], () => this.#drawHead());
    reading.when(["wholeNames"], (changed) => this.#isShown() && !changed.has(standing) && this.#drawSentence());
    reading.when([standing, "head", "end", "status"], (changed) => this.#drawStart(changed.has(standing)));
    reading.when([standing, this.tabs, "tab", "node", "wholeNames", ...pod], () => this.drawTab());
    reading.when([standing, "pod", "wholeNames", ...time], () => this.#drawPod());
  }

  get event() {
    return this.standing.event;
  }

  get run() {
    return this.reading.run;
  }

  /** The chosen tab if this kind of decision has it, else the one that answers best. */
  get tab() {
    const { present: tabs } = this;
    const wanted = [this.reading.tab, this.kind.opening(this.event)];
    return wanted.map((key) => tabs.find((tab) => tab.key === key)).find(Boolean) ?? tabs[0];
  }

  chooseTab(place) {
    this.tabs.choose(place);
  }

  drawTab() {
    const { event, panel } = this;
    if (!this.#isShown()) return;
    const { key, draw } = this.tab;
    this.tabs.show(this.present, key);
    panel.dataset.tab = key;
    panel.setAttribute("aria-labelledby", `tab-${key}`);
    fill(panel, draw(this.tools, event));
  }

  letGo() {
    this.tools.closeBand();
    this.drawTab();
  }

  stepReprieve(by) {
    this.tools.stepReprieve(by);
  }

  copyMarkdown(button = this.copyButton) {
    if (!this.#isShown()) return;
    const { event, run, scheduler, lead, past } = this;
    copy(asMarkdown({ event, run, scheduler, link: this.linkOf(), extra: plain(lead), past }), button);
    announce("The decision is copied as Markdown.");
  }

  /** Another decision is shown: what is known of the last one is no more needed. */
  #forget() {
    const { event, log, scheduler } = this;
    this.kind = event && kindOf(event);
    this.present = event && this.#presentTabs();
    Object.assign(this, { lead: [], past: event ? pastOf(log, event, scheduler) : {} });
    this.tools.reset(this.kind);
    fill(this.binding);
    this.binding.classList.remove("is-due");
    if (event) this.#findLead(event);
    if (event) this.#findBinding(event);
  }

  /** The tabs of the decision's kind, and where a clock moves that of the selected pod's or the decision's waiting. */
  #presentTabs() {
    const { event, fold, kind, reading } = this;
    const [selected, decided] = [reading.pod, event.pod?.uid].map((uid) => fold.podIndex.get(uid));
    const waiting = waitingTab(fold, selected) ?? waitingTab(fold, decided);
    if (!waiting) return kind.tabs;
    const place = kind.tabs.findIndex(({ key }) => BEHIND_WAITING.includes(key));
    return kind.tabs.toSpliced(place, 0, waiting);
  }

  #isShown() {
    return this.event !== null;
  }

  /** Before the first decision; while it is read up to where the page opens, it says how far it is. */
  #drawStart(isNew) {
    if (!this.standing.isBefore || (this.reading.loaded && !isNew)) return;
    this.tabs.show([], null);
    if (this.reading.isOpening) drawOpening(this);
    else drawBeginning(this, { hasDecisions: this.log.head > this.log.first, unserved: this.fold.unserved });
    this.answer.textContent = this.say.textContent;
  }

  #drawHead() {
    if (!this.#isShown()) return fill(this.below);
    const { event, kind, scheduler } = this;
    const { name, pod, title: own } = kind.who(event);
    const press = (pressed) => this.copyMarkdown(pressed.currentTarget);
    this.copyButton = h("button", { type: "button", class: "ghost copy-markdown", title: "copy as Markdown (c)", onclick: press }, "copy");
    const badge = event.outcome && [
      h(
        "span",
        { class: `badge outcome-${event.outcome}` },
        scheduler.outcome(event.kind, event.outcome).word,
      ),
    ];
    fill(
      this.who,
      h("div", { class: "who-line" }, this.#nameOf(name, pod, own), badge, this.copyButton),
      h("small", {}, this.#notes().join(" · ")),
    );
    this.#drawSentence();
    return fill(this.below, kind.below(this.tools, event));
  }

  #nameOf(name, pod, title) {
    if (!pod) return h("b", { class: "who-name", title }, name);
    const press = () => this.onPod(pod);
    return h("button", { type: "button", class: "link who-name", onclick: press }, name);
  }

  /** Short facts about the pod and the decision. */
  #notes() {
    const { event, fold, kind } = this;
    const { pod } = event;
    const card = pod && fold.pods[fold.podIndex.get(pod.uid)];
    const ofPod = [pod && `priority ${pod.priority}`, card && `asks ${asksWords(fold, card)}`];
    return [...ofPod.filter(Boolean), ...kind.notes(event, fold.schedulers)];
  }

  #drawSentence() {
    const { event, kind, names, run, scheduler, lead } = this;
    const told = kind.sentence(event, { scheduler, seed: run.seed, ...this.past });
    const parts = [...told, ...(lead.length ? [{ text: " " }, ...lead] : [])];
    fill(this.say, this.tools.phrase(parts));
    const words = parts.map((part) => (part.node ? nodeText(names, part.node) : part.text));
    fill(this.answer, `${kind.who(event).name}: `, words);
  }

  #findLead(event) {
    this.kind
      .lead(event, this.evidence)
      .then((lead) => {
        if (this.event !== event || !lead.length) return;
        this.lead = lead;
        this.#drawSentence();
      })
      .catch(() => {});
  }

  /** What binds, where a pod or a job waits: the log doesn't hold it. Its place is kept, so that nothing moves when it comes. */
  #findBinding(event) {
    const { classList } = this.binding;
    const unplaced = this.kind.unplaced(event);
    classList.toggle("is-due", unplaced !== null);
    if (unplaced === null) return;
    this.evidence
      .why(event.seq, unplaced)
      .then(({ cause, says }) => bindingSentence(says, cause.held?.[0]?.node ?? ""))
      .then((parts) => this.event === event && fill(this.binding, this.tools.phrase(parts)))
      .catch(() => this.event === event && classList.remove("is-due"));
  }

  #drawPod() {
    const { reading, fold } = this;
    const pod = reading.pod === null ? undefined : fold.podIndex.get(reading.pod);
    fill(this.podSection, pod === undefined ? null : drawPodCard(this, pod));
  }
}
