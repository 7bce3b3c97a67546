// What the card of a job, which is a pod group, says: its share, its pods, its sessions, its row.

import { jobName } from "../../job-names.js";
import { h } from "../../drawing/dom.js";
import { amount, number } from "../../amounts.js";
import { keyOf } from "../../debugger/inspector/object-key.js";
import { whyIgnored } from "./unasked.js";
import { drawRow, drawSessions } from "./card-tabs.js";
import { cellWords, drawCells, gangOf, gangWords } from "./gang-cells.js";
import { inUnits } from "./queue-figures.js";
import { drawShares, shareAt } from "./share-chart.js";
import { FATES } from "../sessions/statement.js";

const CHART = { width: 400, height: 190, most: 10 };
const PODS = 200;

export const JOB_TABS = [
  { key: "card-pods", label: "Pods", draw: drawPods },
  { key: "card-share", label: "Share", draw: drawShare },
  { key: "card-sessions", label: "Sessions", draw: (card, { name }) => drawSessions(card, card.sessions.aboutJob(name), besides(card, name)) },
  { key: "card-raw", label: "Raw", draw: (card, { row }) => drawRow(card, row) },
];

/** What sessions say of a job beside the decisions about it. */
function besides({ sessions }, name) {
  return sessions.sayings.ofJob(name).filter(({ what }) => what === "invalid" || what === "status");
}

export function jobHead({ colours, fold, reading, scheduler }, { name, row, moment }, close) {
  const gang = gangOf(fold, name, moment.fates, moment.refusedOf(name));
  const ignored = row.phase === "Completed" ? "" : whyIgnored(fold, name, scheduler);
  const toQueue = () => reading.set({ card: keyOf("queue", row.queue) });
  const path = name.split("/").map(encodeURIComponent).join("/");
  return [
    h("h3", { title: name }, jobName(name), h("span", { class: "badge" }, row.phase), close),
    h(
      "p",
      { class: "muted small" },
      "job in ",
      h("i", { class: `swatch ${colours.classOf(row.queue)}` }),
      h("button", { type: "button", class: "link", onclick: toQueue }, row.queue),
      ` · priority ${row.priority} · needs ${row.min_member} at once`,
      jobName(name) !== name && ` · pod group ${name}`,
      requested(row.min_resources) && ` · asks its queue for ${requested(row.min_resources)}`,
    ),
    h("p", { class: "card-say" }, h("b", {}, gangWords(gang)), "."),
    h("p", { class: "volcano-gang" }, drawCells(gang), h("span", { class: "small muted" }, cellWords(gang))),
    ignored && h("p", { class: "small card-message is-unsched" }, ignored),
    row.message && h("p", { class: "small card-message" }, row.reason && h("b", {}, `${row.reason}: `), row.message),
    h("p", { class: "small" }, h("a", { href: `/runs/${reading.run.id}/groups/${path}/` }, "Its page: its whole life in the run")),
  ];
}

/** "16 cpu, 32 GiB memory, 4 gpu" */
function requested(resources) {
  return Object.entries(resources)
    .filter(([, value]) => value)
    .map(([resource, value]) => `${amount(resource, inUnits(resource, value))} ${resource.slice(resource.lastIndexOf("/") + 1)}`)
    .join(", ");
}

function drawPods({ fold, names, onPod }, { name, moment }) {
  const { cells, min } = gangOf(fold, name, moment.fates, moment.refusedOf(name));
  if (!cells.length) return h("p", { class: "empty" }, "None of its pods is there.");
  const where = (pod, state) => {
    const { node, nominated } = fold.pods[pod];
    const tried = moment.statement.get(pod);
    if (tried) return [FATES[tried.fate].sign, ` ${FATES[tried.fate].word}: `, names.shown(fold.nodes[tried.node]?.name ?? "")];
    if (node) return `on ${names.shown(node)}`;
    if (nominated) return `nominated to ${names.shown(nominated)}`;
    return state === "refused" ? "✕ fits nowhere in this session" : "waiting";
  };
  const row = ([pod, state], i) =>
    h(
      "tr",
      { class: i === min - 1 && cells.length > min ? "gang-reached" : null },
      h("th", { scope: "row" }, h("button", { type: "button", class: "link", onclick: () => onPod(fold.pods[pod].uid) }, fold.pods[pod].name)),
      h("td", { class: "role" }, where(pod, state)),
    );
  return [
    h(
      "table",
      { class: "dense card-jobs" },
      h("thead", {}, h("tr", {}, ["pod", "at this decision"].map((word) => h("th", { scope: "col" }, word)))),
      h("tbody", {}, cells.slice(0, PODS).map(row)),
    ),
    min > 0 && cells.length > min && h("p", { class: "muted small" }, `The thick line is the minimum, ${min}.`),
  ];
}

function drawShare({ colours, fold, reading, sessions }, { name }) {
  const share = shareAt(sessions.shares.get(name) ?? [], sessions.placeAt(fold.at));
  const onJob = (job) => reading.set({ card: keyOf("group", job) });
  const drawn = drawShares({ sessions, fold, colours, at: fold.at }, { ...CHART, chosen: name, onJob });
  return [
    share !== null && h("p", { class: "small" }, "Its dominant share as this session leaves it: ", h("b", {}, number(share)), "."),
    h("h3", {}, "Dominant share of each job", h("span", { class: "muted" }, "by session; pale: to come")),
    drawn ?? h("p", { class: "muted small" }, "No session has ended yet, or drf isn't asked."),
  ];
}
