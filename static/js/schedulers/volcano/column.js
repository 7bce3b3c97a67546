// The left column of a run with Volcano: the queues in queue order with a bar each, the jobs of the queue at hand in job
// order with the reason between two neighbours, the jobs of the others folded, and the jobs' shares over the sessions.

import { jobName } from "../../job-names.js";
import { isOfSessions } from "../facts.js";
import { groupRows, membersOf, queueRows } from "./rows.js";
import { fill, h } from "../../drawing/dom.js";
import { amount, number } from "../../amounts.js";
import { count, plural } from "../../debugger/words/units.js";
import { keyOf, isKey } from "../../debugger/inspector/object-key.js";
import { drawCells, gangOf, gangWords } from "./gang-cells.js";
import { drawBar } from "./queue-bar.js";
import { balanceOf, scaleOf, termsOf } from "./queue-figures.js";
import { drawShares } from "./share-chart.js";
import { momentOf } from "./moment.js";
import { term } from "../../terms.js";

/** So many jobs of a queue are listed; more by a press. */
const JOBS = 12,
  MORE = 200;
/** So many jobs of queues that don't exist are named. */
const LOST = 3;
const CHART = { width: 240, height: 118, most: 5 };

export class VolcanoColumn {
  below;
  colours;
  element;
  /** @type {import("../../cluster.js").Cluster} */
  fold;
  /** @type {import("../../debugger/map/loads.js").Loads} */
  loads;
  /** @type {import("../../debugger/log/log.js").Log} */
  log;
  onChoose;
  /** @type {import("../../debugger/reading.js").Reading} */
  reading;
  sessions;
  /** @type {import("../../debugger/log/standing.js").Standing} */
  standing;

  /**
   * `parts`: {element, fold, log, figures, loads, reading, standing, sessions, colours, below, onChoose(key)}; `below` is the element
   * with the queues of schedulers beside it, or null.
   */
  constructor(parts) {
    Object.assign(this, parts);
    this.open = new Set();
    this.reading.when([this.standing, "resource", "card"], () => this.draw());
  }

  draw() {
    const { element, fold } = this;
    this.moment = momentOf(this, this.standing.event);
    const all = this.#queues();
    const scale = scaleOf(all.map(({ figures }) => figures), this.#whole());
    fill(
      element,
      h("div", { class: "volcano-head" }, h("h2", { class: "label" }, "Queues"), this.#resourceChoice()),
      h("ul", { class: "volcano-queues", aria: { label: "queues in queue order" } }, all.map((queue) => this.#queue(queue, scale))),
      this.#signs(all),
      this.#jobsOf(this.moment.queue, true),
      this.#others(),
      this.#apart(),
      this.#shares(),
      this.below,
    );
    if (!this.moment.isWhole) this.#fetch(fold.at);
  }

  /** The session's opening isn't held any more: read it again. */
  #fetch(at) {
    this.log
      .fetch(this.moment.session.first)
      .then((event) => event && this.fold.at === at && this.draw())
      .catch(() => {});
  }

  #resourceChoice() {
    const { loads, reading } = this;
    const choices = loads.resources.map((name) => h("option", { value: name, selected: name === reading.resource }, shortened(name)));
    const choose = ({ target }) => {
      reading.set({ resource: target.value });
    };
    const whole = this.#whole();
    return h(
      "label",
      {},
      "in ",
      h("select", { class: "inline", data: { key: "resource" }, onchange: choose, aria: { label: "resource of the bars" } }, choices),
      ` of ${amount(reading.resource, whole)}`,
    );
  }

  #whole() {
    const { fold, loads, reading } = this;
    return fold.presentNodes().reduce((sum, node) => sum + loads.capacity(node, reading.resource), 0);
  }

  /** All queues in order with what their bars draw: [{name, row, figures, tries}]. */
  #queues() {
    const { fold, moment, reading } = this;
    const rows = queueRows(fold);
    return moment.queues
      .filter((name) => rows.has(name))
      .map((name) => {
        const tries = moment.triesOf(name, reading.resource);
        return { name, row: rows.get(name), tries, figures: moment.figuresOf(name, rows.get(name), reading.resource) };
      });
  }

  #queue({ name, row, figures, tries }, scale) {
    const { colours, moment, reading } = this;
    const { resource } = reading;
    const isOverused = moment.overused.has(name);
    const balance = balanceOf(figures, resource, { isOverused, ...tries });
    const deserved = figures.deserved === null ? "" : ` of ${amount(resource, figures.deserved)}`;
    return h(
      "li",
      {},
      h(
        "button",
        {
          type: "button",
          data: { key: `queue ${name}` },
          class: `volcano-queue${name === moment.queue ? " at-hand" : ""}`,
          aria: { pressed: isKey(reading.card, "queue", name) },
          onclick: () => this.#choose("queue", name),
        },
        h(
          "span",
          { class: "volcano-line" },
          h("span", { class: "volcano-name", title: name }, h("i", { class: `swatch ${colours.classOf(name)}` }), h("b", {}, name)),
          h("span", { class: "volcano-amounts" }, h("b", {}, amount(resource, figures.allocated)), deserved),
        ),
        drawBar(figures, scale, resource, colours.classOf(name)),
        h(
          "span",
          { class: "volcano-line small muted" },
          h("span", { class: balance.isOver ? "is-over" : null }, balance.text),
          h("span", {}, row.share !== null && [h("span", { class: row.share > 1 ? "is-over" : null }, `share ${number(row.share)}`), " · "], termsOf(row, figures, resource)),
        ),
      ),
    );
  }

  /** What the bars' signs mean, as far as they are there. */
  #signs(all) {
    const some = (is) => all.some(({ figures }) => is(figures));
    const signs = [
      [some(({ deserved }) => deserved !== null), "sign-deserved", term("deserved share", "deserved")],
      [some(({ guarantee }) => guarantee > 0), "sign-guarantee", "guarantee"],
      [some(({ capability }) => capability !== null), "sign-capability", "capability"],
      [some(({ over }) => over > 0), "sign-over", "over"],
      [some(({ tried }) => tried > 0), "sign-tried", "tried"],
    ];
    const shown = signs.filter(([is]) => is);
    if (!shown.length) return null;
    return h("p", { class: "volcano-signs" }, shown.map(([, sign, words]) => h("span", {}, h("i", { class: sign }), words)));
  }

  /** A queue's jobs in job order, as the session's opening has them. */
  #jobsOf(queue, isAtHand = false) {
    if (!queue) return null;
    const { moment } = this;
    const { jobs, deciders } = moment.orderOf(queue);
    const key = `jobs ${queue}`;
    const most = this.open.has(key) ? MORE : JOBS;
    const shown = jobs.slice(0, most);
    const rest = jobs.length - shown.length;
    return h(
      "section",
      { class: "volcano-jobs", aria: { label: `jobs of ${queue}, in order` } },
      isAtHand && h("h3", {}, h("span", {}, "jobs of ", h("b", {}, queue), ", in order"), h("span", {}, count(jobs.length))),
      jobs.length === 0 && h("p", { class: "queue-none" }, "no jobs"),
      h("ol", {}, shown.map((job, i) => this.#job(job, i, i < shown.length - 1 ? deciders[i] : null, jobs[i + 1]))),
      rest > 0 && this.#toggle(key, `${count(rest)} more`),
      rest <= 0 && jobs.length > JOBS && this.#toggle(key, "fewer"),
    );
  }

  #job(job, place, decider, next) {
    const { fold, moment, reading } = this;
    const row = groupRows(fold).get(job);
    const gang = gangOf(fold, job, moment.fates, moment.refusedOf(job));
    const isNow = job === moment.job;
    return h(
      "li",
      {},
      h(
        "button",
        {
          type: "button",
          data: { key: `job ${job}` },
          class: `volcano-job${isNow ? " at-hand" : ""}`,
          aria: { pressed: isKey(reading.card, "group", job) },
          onclick: () => this.#choose("group", job),
        },
        h(
          "span",
          { class: "volcano-line" },
          h("span", { class: "volcano-place" }, count(place + 1)),
          h("span", { class: "volcano-name", title: job }, isNow ? h("b", {}, jobName(job)) : jobName(job)),
          row && h("span", { class: "muted" }, row.priority ? `priority ${row.priority}` : row.phase),
        ),
        h("span", { class: "volcano-gang" }, drawCells(gang), h("span", { class: "small" }, gangWords(gang))),
      ),
      decider !== null && h("p", { class: "volcano-decider" }, deciderWords(decider, row, groupRows(fold).get(next))),
    );
  }

  /** The other queues: how many jobs each has, unfolded by a press. */
  #others() {
    const { colours, moment } = this;
    const others = moment.queues.filter((name) => name !== moment.queue && moment.orderOf(name).jobs.length > 0);
    if (!others.length) return null;
    return h(
      "section",
      { class: "volcano-others", aria: { label: "jobs of the other queues" } },
      h("h3", {}, h("span", {}, "jobs of the others"), h("span", {}, "wait")),
      others.map((name) => {
        const { jobs } = moment.orderOf(name);
        const key = `other ${name}`;
        const waiting = jobs.filter((job) => membersOf(this.fold, job).some((pod) => !this.fold.pods[pod].node)).length;
        const isOpen = this.open.has(key);
        return [
          h(
            "button",
            { type: "button", class: "queue-row", data: { key }, aria: { expanded: isOpen }, onclick: () => this.#fold(key) },
            h("span", { class: "volcano-name" }, h("i", { class: `swatch ${colours.classOf(name)}` }), name),
            h("span", {}, moment.overused.has(name) ? `${count(waiting)}, passed over` : `${count(waiting)} of ${count(jobs.length)}`),
          ),
          isOpen && this.#jobsOf(name),
        ];
      }),
    );
  }

  /** Pods for Volcano that are in no pod group it knows, and so in no queue; jobs whose queue isn't there. */
  #apart() {
    const { fold } = this;
    const groups = groupRows(fold);
    const lone = [...fold.waiting].filter((pod) => isOfSessions(fold, pod) && !groups.has(fold.pods[pod].group));
    const queues = queueRows(fold);
    const lost = [...groups].filter(([, row]) => row.phase !== "Completed" && !queues.has(row.queue));
    return [
      lone.length > 0 && h("p", { class: "queue-apart" }, `${plural(lone.length, "pod")} in no pod group: in no queue`),
      lost.length > 0 &&
        h(
          "p",
          { class: "queue-apart is-unsched" },
          `${plural(lost.length, "job")} of queues that don't exist: no session looks at `,
          lost.slice(0, LOST).map(([name], i) => [i > 0 && ", ", h("button", { type: "button", class: "link", onclick: () => this.#choose("group", name) }, jobName(name))]),
          lost.length > LOST && ` and ${count(lost.length - LOST)} more`,
        ),
    ];
  }

  #shares() {
    const { sessions, fold, colours } = this;
    const chosen = this.moment.job;
    const look = { ...CHART, chosen, onJob: (job) => this.#choose("group", job) };
    const drawn = drawShares({ sessions, fold, colours, at: fold.at }, look);
    if (!drawn) return null;
    return h("section", { class: "volcano-shares" }, h("h3", {}, h("span", {}, "dominant share of each job"), h("span", {}, "sessions")), drawn);
  }

  #toggle(key, words) {
    return h("button", { type: "button", class: "queue-more", data: { key }, aria: { expanded: this.open.has(key) }, onclick: () => this.#fold(key) }, words);
  }

  #fold(key) {
    if (!this.open.delete(key)) this.open.add(key);
    this.draw();
  }

  #choose(kind, name) {
    const card = keyOf(kind, name);
    this.onChoose(this.reading.card === card ? null : card);
  }
}

/** "↑ by priority, 200 before 100", "↑ by gang", "↑ by age or name" */
export function deciderWords(decider, row, next) {
  if (!decider) return ["↑ by age or name: no plugin tells them apart"];
  const why = {
    priority: row && next && row.priority !== next.priority ? `, ${row.priority} before ${next.priority}` : "",
    gang: ", not ready before ready",
    drf: ", the smaller share first",
  };
  return ["↑ by ", h("b", {}, decider), why[decider] ?? ""];
}

function shortened(resource) {
  return resource.slice(resource.lastIndexOf("/") + 1);
}
