// The gang under the sentence: one cell a pod, a thick line at the minimum, and in words how many are missing.

import { jobName } from "../../job-names.js";
import { h } from "../../drawing/dom.js";
import { cellsOf } from "./gang-states.js";
import { withGang } from "./gang.js";

export function drawGangStrip(tools, event) {
  if (!tools.sessions.spanOf("job", event.seq)) return null;
  return withGang(tools, event, (gang) => {
    const { states, min, size, job, standing } = gang;
    const label = `gang of ${jobName(job)}: ${size} pods, ${standing.words}`;
    return h(
      "div",
      { class: "gang" },
      h(
        "ol",
        { class: "gang-strip", aria: { label } },
        cellsOf(states, min).map((cell) => drawCell(tools, event, cell)),
      ),
      h("p", { class: "gang-words" }, h("span", {}, standing.words), settledLink(tools, event, gang)),
    );
  });
}

function drawCell(tools, event, { states, label, isLastNeeded }) {
  const [{ uid, name, node, mark, tone, words, short, state }] = states;
  const isOne = states.length === 1;
  const said = isOne && node ? tools.names.short(node) : short;
  const isHere = event.pod && states.some((one) => one.uid === event.pod.uid);
  const classes = ["gang-cell", `is-${tone}`, `gang-${state}`, isLastNeeded && "at-minimum", isHere && "is-here"];
  const inside = [
    h("span", { class: "cell-name" }, h("i", { aria: { hidden: true } }, mark), h("b", {}, label || "–")),
    h("span", { class: "cell-said" }, h("bdi", {}, said)),
  ];
  const title = isOne ? `${name || "a pod"}: ${words}${node ? ` ${node}` : ""}` : `${label}: ${words}`;
  const press = () => tools.onPod(uid);
  return h(
    "li",
    { class: classes.filter(Boolean).join(" ") },
    isOne && uid ? h("button", { type: "button", title, aria: { label: title }, onclick: press }, inside) : h("span", { title }, inside),
  );
}

/** Where the tries of this statement end, if that is still ahead. */
function settledLink({ onSeek }, { seq }, { settledAt }) {
  if (settledAt === null || settledAt <= seq) return null;
  const press = () => onSeek(settledAt);
  return h("button", { type: "button", class: "link", onclick: press }, `settled by decision ${settledAt}`);
}
