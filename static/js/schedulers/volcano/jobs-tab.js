// The Jobs tab of a session's two ends: at its opening the queues and their jobs in order, at its close the phase of each
// pod group and why it isn't ready.

import { jobName } from "../../job-names.js";
import { h } from "../../drawing/dom.js";
import { count, percent } from "../../debugger/words/units.js";

const LISTED = 200;

export function drawJobsAtOpening(_tools, { queues, jobs, shares, invalid }) {
  const why = new Map(invalid.map((one) => [one.job, one]));
  return [
    h("p", { class: "muted small" }, "In the order of this moment; it moves as the session hands out room."),
    queues.map((queue) => [
      h("h3", {}, queue),
      h(
        "ol",
        { class: "changes" },
        jobs[queue].slice(0, LISTED).map((job) =>
          h("li", {}, h("b", { title: job }, jobName(job)), shareWords(shares[job]), why.has(job) && h("span", { class: "is-unsched" }, ` can't take part: ${invalidWords(why.get(job))}`)),
        ),
      ),
      more(jobs[queue].length),
    ]),
  ];
}

export function drawJobsAtClose(_tools, { groups, shares }) {
  const row = ({ job, phase, reason, message }) =>
    h(
      "tr",
      {},
      h("th", { scope: "row", title: job }, jobName(job)),
      h("td", {}, phase),
      h("td", { class: "num" }, shares[job] ? percent(shares[job].share) : "–"),
      h("td", { class: "why" }, message || reason || "–"),
    );
  const headings = ["job", "phase", "share", "condition"];
  return [
    h(
      "div",
      { class: "table-scroll", tabindex: "0", role: "region", aria: { label: "pod groups at the close" } },
      h(
        "table",
        { class: "compact groups-table" },
        h("thead", {}, h("tr", {}, headings.map((words) => h("th", { scope: "col", class: words === "share" ? "num" : "" }, words)))),
        h("tbody", {}, groups.slice(0, LISTED).map(row)),
      ),
    ),
    more(groups.length),
  ];
}

function shareWords(share) {
  return share?.resource ? h("span", { class: "muted" }, ` has ${percent(share.share)} of ${share.resource}`) : "";
}

function invalidWords({ reason, message }) {
  return message || reason;
}

function more(all) {
  return all > LISTED && h("p", { class: "muted small" }, `The first ${LISTED} of ${count(all)}; Raw has all.`);
}
