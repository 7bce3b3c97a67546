// Which events came since a pod's last attempt and did not wake it, by kind and plugin, with what the hint meant: the
// server hears them by replay.

import { h } from "../../drawing/dom.js";
import { clock, count, plural } from "../words/units.js";

const COLUMNS = ["event", "times", "why it did not wake the pod"];

/** The section for a pod by uid; it fills when the answer arrives. */
export function drawWhyNotEarlier(tools, uid) {
  const { evidence, fold } = tools;
  return tools.later(evidence.waiting(fold.at, uid), (answer) => draw(answer));
}

function draw({ attempt, since, heard }) {
  const rows = heard.answers.filter(({ answer }) => answer === "QueueSkip" || !answer);
  const counted = `${sinceWords(attempt, since)}: ${countWords(heard)}`;
  const heads = COLUMNS.map((text) => h("th", { scope: "col" }, text));
  return h(
    "section",
    { class: "why-not-earlier" },
    h("h3", {}, "Why not earlier?", h("span", { class: "muted" }, counted)),
    rows.length > 0 &&
      h(
        "table",
        { class: "dense" },
        h("thead", { class: "visually-hidden" }, h("tr", {}, heads)),
        h("tbody", {}, rows.map(drawRow)),
      ),
  );
}

function drawRow({ event, happened, plugin, reason, count: times, last }) {
  return h(
    "tr",
    { title: `${event}, the last at ${clock(last)}` },
    h("th", { scope: "row" }, happened),
    h("td", { class: "num" }, count(times)),
    h("td", { class: "why" }, plugin ? `${plugin}: ${reason}` : h("span", { class: "muted" }, reason)),
  );
}

function sinceWords(attempt, since) {
  if (attempt === null) return since ? `since decision ${count(since)}` : "so far";
  return attempt === since ? "since its last attempt" : `since decision ${count(since)}, its last attempt was earlier`;
}

/** "9 events, 8 skipped, 1 of no concern" */
function countWords({ events, woke, skipped, unheard }) {
  const parts = [
    skipped && `${count(skipped)} skipped`,
    unheard && `${count(unheard)} of no concern`,
    woke && `${count(woke)} woke it`,
  ];
  return [events ? plural(events, "event") : "no event", ...parts.filter(Boolean)].join(", ");
}
