// The Changes tab: what the decision changed in the cluster and in the queue, a line each.

import { changeLines } from "../kinds/changes.js";
import { h } from "./dom.js";

const LISTED = 200;

export function drawChanges(tools, event) {
  const { fold } = tools;
  const lines = changeLines(event, (uid) => fold.pods[fold.podIndex.get(uid)]);
  if (!lines.length) return [h("p", { class: "empty" }, "This decision changed nothing.")];
  return [
    h(
      "ol",
      { class: "changes" },
      lines.slice(0, LISTED).map((parts) => h("li", {}, tools.phrase(parts))),
    ),
    lines.length > LISTED && h("p", { class: "muted small" }, `The first ${LISTED} of ${lines.length}; Raw has all.`),
  ];
}
