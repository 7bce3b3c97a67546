// "Why not node X?": what each filter said about one node with its numbers, and, if the node passed, by which
// plugins it is behind or ahead of the node that was taken.

import { h } from "../../../drawing/dom.js";
import { nodeText } from "../../names/node-link.js";
import { drawDevicesTried } from "./devices-tried.js";
import { exactTotal, gapBetween } from "./points.js";
import { count, telling, verdictNumber } from "../../words/units.js";

/** The heading that fits: why this node, why not this node. */
export function question(event, node) {
  if (event.chosen === node || event.preemption?.nominated === node) return `Why ${node}?`;
  return `Why not ${node}?`;
}

/** The filters for which a node is counted: the first that rejected it, or where all are listed each of them. */
export function failingFilters(filters, scheduler) {
  const failing = filters.filter((filter) => filter.code);
  const first = failing.length ? scheduler.askedBy(failing[0].plugin) : null;
  return failing.filter(({ plugin }) => scheduler.counting.lists_all || scheduler.askedBy(plugin) === first);
}

export function filterVerdicts(explanation, scheduler) {
  const { filters } = explanation;
  const failing = filters.filter((filter) => filter.code);
  const counted = new Set(failingFilters(filters, scheduler));
  const passed = filters.filter((filter) => !filter.code);
  return [
    failing.length === 0 &&
      h(
        "p",
        { class: "verdict passed" },
        h("b", {}, "It fits."),
        ` All ${passed.length} ${scheduler.terms.filters} let the pod pass.`,
      ),
    failing.map((filter) =>
      h(
        "div",
        { class: "verdict failed" },
        h(
          "div",
          {},
          h("b", {}, filter.plugin),
          " ",
          h(
            "span",
            { class: "code", title: codeMeaning(filter.code) },
            filter.code === "Unschedulable"
              ? "evicting could help"
              : filter.code === "Error"
                ? "error"
                : "evicting can't help",
          ),
          !counted.has(filter) && h("span", { class: "muted" }, " (would fail too)"),
        ),
        h(
          "ul",
          { class: "plain" },
          filter.reasons.map((reason) => h("li", {}, reasonWords(reason, scheduler))),
          telling(filter.numbers).map((number) => h("li", { class: "numbers" }, verdictNumber(number))),
        ),
      ),
    ),
    failing.length > 0 &&
      passed.length > 0 &&
      h("p", { class: "muted small" }, `passes ${passed.map((filter) => filter.plugin).join(", ")}`),
    explanation.nominated_pods_counted?.length > 0 &&
      h(
        "p",
        { class: "muted small" },
        `counted as if already there: ${explanation.nominated_pods_counted.map(nameOf).join(", ")}`,
      ),
    drawDevicesTried(explanation.devices),
  ];
}

/** A reason, and what it stands for where it is a name. */
function reasonWords(reason, scheduler) {
  const meaning = scheduler.meaningOf(reason);
  return meaning ? [reason, h("span", { class: "muted" }, `: ${meaning}`)] : reason;
}

function nameOf(pod) {
  return typeof pod === "string" ? pod : `${pod.namespace}/${pod.name}`;
}

function codeMeaning(code) {
  if (code === "Unschedulable") return "Unschedulable: evicting less important pods could make room";
  return code === "Error" ? "Error" : "UnschedulableAndUnresolvable: evicting pods can't help here";
}

/** The gap to the node that was taken, plugin by plugin, largest first. */
export function scoreGap(row, winner, { names, scheduler, colours }) {
  if (row.node === winner.node)
    return h(
      "p",
      { class: "verdict passed" },
      h("b", {}, "It is the node that was taken"),
      `, with ${exactTotal(row, scheduler)} points.`,
    );
  const gaps = [...new Set([...Object.keys(row.plugins), ...Object.keys(winner.plugins)])]
    .map((plugin) => ({ plugin, gap: (row.plugins[plugin] ?? 0) - (winner.plugins[plugin] ?? 0) }))
    .filter(({ gap }) => gap !== 0)
    .sort((a, b) => Math.abs(b.gap) - Math.abs(a.gap));
  const behind = gapBetween(winner, row);
  const widest = Math.max(1, ...gaps.map(({ gap }) => Math.abs(gap)));
  return [
    h(
      "p",
      { class: "verdict" },
      behind === 0
        ? h("b", {}, "Equally good.")
        : h("b", {}, `${count(behind)} points behind `, nodeText(names, winner.node)),
      behind === 0
        ? [" ", nodeText(names, winner.node), ` was taken; the real scheduler ${scheduler.scoring.ties}.`]
        : gaps.length > 1
          ? `, by ${scheduler.terms.score}:`
          : ".",
    ),
    gaps.length > 0 &&
      h(
        "div",
        { class: "gaps" },
        gaps.map(({ plugin, gap }) =>
          h(
            "div",
            { class: "gap-row" },
            h("span", {}, h("i", { class: `swatch ${colours.of(plugin)}` }), plugin),
            h(
              "span",
              { class: "gap-track" },
              h("i", {
                class: gap < 0 ? "gap behind" : "gap ahead",
                style: { width: `${(Math.abs(gap) / widest) * 50}%`, [gap < 0 ? "right" : "left"]: "50%" },
              }),
            ),
            h("span", { class: "num" }, signed(gap)),
          ),
        ),
      ),
  ];
}

export function signed(number) {
  return number > 0 ? `+${count(number)}` : `−${count(Math.abs(number))}`;
}
