// The Changes tab: what the decision changed in the cluster and in the queue, who was woken and why, and what the queue
// heard, a line each.

import { changeLines } from "../../../decisions/changes.js";
import { heardLines, wakeLines } from "../../../decisions/queue-words.js";
import { h } from "../../../drawing/dom.js";

const LISTED = 200;

export function drawChanges(tools, event) {
  const { fold } = tools;
  const cardOf = (uid) => fold.pods[fold.podIndex.get(uid)];
  const changed = changeLines(event, cardOf);
  return [
    ...(changed.length ? listed(tools, changed) : [h("p", { class: "empty" }, "This decision changed nothing.")]),
    section(tools, "Moved in the queue", wakeLines(event, cardOf)),
    section(tools, "Heard by the queue", heardLines(event)),
  ];
}

function section(tools, title, lines) {
  return lines.length > 0 && h("section", {}, h("h3", {}, title), listed(tools, lines));
}

function listed(tools, lines) {
  return [
    h(
      "ol",
      { class: "changes" },
      lines.slice(0, LISTED).map((parts) => h("li", {}, tools.phrase(parts))),
    ),
    lines.length > LISTED && h("p", { class: "muted small" }, `The first ${LISTED} of ${lines.length}; Raw has all.`),
  ];
}
