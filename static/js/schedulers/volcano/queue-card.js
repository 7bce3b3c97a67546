// What the card of a queue says: its share, its jobs, its sessions, its row.

import { jobName } from "../../job-names.js";
import { byName } from "../../names.js";
import { groupRows } from "./rows.js";
import { h } from "../../drawing/dom.js";
import { amount } from "../../amounts.js";
import { count } from "../../debugger/words/units.js";
import { drawRow, drawSessions } from "./card-tabs.js";
import { keyOf } from "../../debugger/inspector/object-key.js";
import { drawCells, gangOf, gangWords } from "./gang-cells.js";
import { drawBar } from "./queue-bar.js";
import { figureOf, scaleOf } from "./queue-figures.js";
import { drawShares } from "./share-chart.js";

const CHART = { width: 400, height: 190, most: 10 };
const FIGURES = ["allocated", "deserved", "guarantee", "capability", "request", "inqueue"];

export const QUEUE_TABS = [
  { key: "card-share", label: "Share", draw: drawShare },
  { key: "card-jobs", label: "Jobs", draw: drawJobs },
  { key: "card-sessions", label: "Sessions", draw: (card, { name }) => drawSessions(card, card.sessions.aboutQueue(name)) },
  { key: "card-raw", label: "Raw", draw: (card, { row }) => drawRow(card, row) },
];

export function queueHead({ colours, reading }, subject, close) {
  const { name, row } = subject;
  const weight = [`weight ${row.weight}`, row.priority && `priority ${row.priority}`, row.parent && `child of ${row.parent}`];
  return [
    h("h3", {}, h("i", { class: `swatch ${colours.classOf(name)}` }), name, h("span", { class: "badge" }, `queue${row.state ? `, ${row.state}` : ""}`), close),
    h("p", { class: "muted small" }, weight.filter(Boolean).join(" · ")),
    h("p", { class: "card-say" }, queueSentence(subject, reading.resource)),
  ];
}

/** "Holds 4 of 12 cpu that it deserves: 8 under." as children of an element. */
export function queueSentence({ name, row, moment }, resource) {
  const tries = moment.triesOf(name, resource);
  const { isKnown, allocated, deserved, over, under } = moment.figuresOf(name, row, resource);
  const unit = resource.slice(resource.lastIndexOf("/") + 1);
  const say = (number) => amount(resource, number);
  if (!isKnown) return ["Its pods on nodes hold ", h("b", {}, `${say(allocated)} ${unit}`), "; what it deserves isn't known before a session, or nothing shares out."];
  if (deserved === null) return ["Holds ", h("b", {}, `${say(allocated)} ${unit}`), "; of this it deserves no set amount."];
  const isTakenFrom = over > 0 && row.reclaimable && moment.opening?.actions.includes("reclaim");
  const balance = over > 0 ? `${say(over)} over` : under > 0 ? `${say(under)} under` : "exactly its share";
  return [
    ...(deserved === 0 && over === 0
      ? ["Deserves ", h("b", {}, `no ${unit}`), " and holds none."]
      : ["Holds ", h("b", {}, `${say(allocated)} of ${say(deserved)} ${unit}`), " that it deserves: ", h("b", {}, balance), "."]),
    tries.tried > 0 && ` A statement ${tries.isBack ? `has tried ${say(tries.tried)} more and takes it back` : `tries ${say(tries.tried)} more`}.`,
    moment.overused.has(name) && " This session passes its jobs over.",
    isTakenFrom && " Queues that have less than they deserve may reclaim what is over.",
  ];
}

function drawShare({ colours, fold, loads, reading, sessions }, { name, row, moment }) {
  const { resource } = reading;
  const figures = moment.figuresOf(name, row, resource);
  const whole = fold.presentNodes().reduce((sum, node) => sum + loads.capacity(node, resource), 0);
  const chosen = moment.job || null;
  const onJob = (job) => reading.set({ card: keyOf("group", job) });
  return [
    drawBar(figures, scaleOf([figures], whole), resource, colours.classOf(name)),
    drawFigures(row),
    h("h3", {}, "Dominant share of each job", h("span", { class: "muted" }, "by session; pale: to come")),
    drawShares({ sessions, fold, colours, at: fold.at }, { ...CHART, chosen, onJob }) ??
      h("p", { class: "muted small" }, "No session has ended yet, or drf isn't asked."),
  ];
}

/** A queue's figures, one resource a row. */
function drawFigures(row) {
  const resources = [...new Set(FIGURES.flatMap((figure) => Object.keys(row[figure])))];
  const shown = FIGURES.filter((figure) => resources.some((resource) => figureOf(row, figure, resource) !== undefined));
  if (!resources.length) return h("p", { class: "muted small" }, "Its figures come with the first session.");
  const cell = (figure, resource) => {
    const number = figureOf(row, figure, resource);
    return number === null ? "no limit" : number === undefined ? "–" : amount(resource, number);
  };
  return h(
    "div",
    { class: "card-table", tabindex: "0", role: "region", aria: { label: "figures of the queue" } },
    h(
      "table",
      { class: "dense" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "resource"), shown.map((figure) => h("th", { scope: "col", class: "num" }, figure)))),
      h(
        "tbody",
        {},
        resources.map((resource) =>
          h("tr", {}, h("th", { scope: "row" }, resource), shown.map((figure) => h("td", { class: "num" }, cell(figure, resource)))),
        ),
      ),
    ),
  );
}

function drawJobs({ fold, reading }, { name, moment }) {
  const groups = groupRows(fold);
  const inOrder = moment.orderOf(name).jobs;
  const others = [...groups].filter(([job, row]) => row.queue === name && !inOrder.includes(job)).map(([job]) => job);
  const jobs = [...inOrder, ...others.sort(byName)];
  if (!jobs.length) return h("p", { class: "empty" }, "No job is in this queue.");
  const row = (job, i) => {
    const gang = gangOf(fold, job, moment.fates, moment.refusedOf(job));
    const group = groups.get(job);
    const press = () => reading.set({ card: keyOf("group", job) });
    return h(
      "tr",
      {},
      h("td", { class: "num" }, i < inOrder.length ? count(i + 1) : "–"),
      h("th", { scope: "row" }, h("button", { type: "button", class: "link", onclick: press, title: job }, jobName(job))),
      h("td", { class: "num" }, group ? group.priority : "–"),
      h("td", {}, group?.phase ?? "gone"),
      h("td", {}, drawCells(gang), h("div", { class: "muted" }, gangWords(gang))),
    );
  };
  return h(
    "table",
    { class: "dense card-jobs" },
    h("thead", {}, h("tr", {}, ["order", "job", "priority", "phase", "gang"].map((word) => h("th", { scope: "col", class: word === "priority" || word === "order" ? "num" : null }, word)))),
    h("tbody", {}, jobs.map(row)),
  );
}
