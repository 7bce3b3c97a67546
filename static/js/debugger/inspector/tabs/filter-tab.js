// The Filter tab: the funnel, the nodes of the pressed band with exact numbers, and one node's verdicts.

import { drawBands } from "./bands.js";
import { drawClosest } from "./closest.js";
import { h } from "../../../drawing/dom.js";
import { extenderCalls } from "./extender-calls.js";
import { filterFunnel, isOverlapping, overlapWords } from "./funnel.js";
import { filterVerdicts, question } from "./node-section.js";
import { tellingReasons } from "../../words/reasons.js";
import { count, plural, telling, verdictNumber } from "../../words/units.js";

const LISTED = 100;

export function drawFilter(tools, event) {
  if (event.outcome === "gated")
    return [h("p", { class: "empty" }, "The pod was held back before the queue; no node was filtered.")];
  const { reading, scheduler, evidence } = tools;
  const bands = filterFunnel(event, scheduler);
  return [
    reading.node && nodeVerdicts(tools, event),
    event.prefilter
      ? prefiltered(event)
      : drawBands(bands, {
          label: `Nodes by ${scheduler.counting.lists_all ? "every" : "the first"} ${scheduler.terms.filter} that rejected them`,
          pressed: tools.band?.key,
          onPress: (band) => tools.pressBand(band, () => evidence.band(event.seq, band)),
        }),
    isOverlapping(bands) && h("p", { class: "muted small" }, overlapWords(scheduler)),
    event.visited === 1 &&
      event.visited < event.nodes &&
      event.nominated_before &&
      h(
        "p",
        { class: "muted small" },
        `The node it was nominated to is asked first, and it fits: the other ${count(event.nodes - 1)} were not looked at.`,
      ),
    tools.band ? bandNodes(tools) : closest(tools, event),
    extenderCalls(event),
  ];
}

/** While the nodes of a band are listed, they stand there instead. */
function closest(tools, event) {
  const unplaced = tools.kind.unplaced(event);
  return unplaced && tools.later(tools.evidence.why(event.seq, unplaced), (why) => drawClosest(tools, why));
}

function prefiltered({ prefilter, nodes }) {
  return h(
    "div",
    { class: "verdict failed" },
    h("b", {}, prefilter.plugin),
    ` turned the pod away in PreFilter, before any of the ${plural(nodes, "node")} was asked:`,
    h(
      "ul",
      { class: "plain" },
      prefilter.reasons.map((reason) => h("li", {}, reason)),
    ),
  );
}

/** What each filter says of the selected node. */
export function nodeVerdicts(tools, event) {
  const { node } = tools.reading;
  return h(
    "section",
    { class: "node-section" },
    h("h3", {}, question(event, node), tools.closeNode()),
    tools.later(tools.evidence.node(event.seq, node), (explanation) =>
      filterVerdicts(explanation, tools.scheduler),
    ),
  );
}

function bandNodes(tools) {
  const { band, bandRows } = tools;
  const heading = h("h3", {}, `${plural(band.size, "node")}: ${band.title ?? band.label}`);
  const origin = [band.plugin, band.note].filter(Boolean).join(" · ");
  return h(
    "section",
    { class: "band-nodes" },
    heading,
    origin && h("p", { class: "muted small band-origin" }, origin),
    tools.later(bandRows, (rows) => [
      h(
        "ul",
        { class: "plain node-list" },
        rows.slice(0, LISTED).map((row) =>
          h(
            "li",
            {},
            tools.nodeButton(row.node),
            h("span", { class: "numbers" }, rowWords(band, row)),
          ),
        ),
      ),
      rows.length > LISTED &&
        h(
          "p",
          { class: "muted small" },
          `and ${count(rows.length - LISTED)} more, lit on the map; all are in the REST API`,
        ),
    ]),
  );
}

/** A node's numbers; and, where all failures are listed, what else it fails. */
function rowWords({ reason }, { numbers, status }) {
  const figures = telling(numbers ?? []).map(verdictNumber);
  if (!reason) return figures.join("; ");
  const others = tellingReasons(status?.reasons ?? []).filter((other) => other !== reason);
  const own = /^Insufficient /.test(reason) ? figures : [];
  return [...own, others.length && `also ${others.join(", ")}`].filter(Boolean).join("; ");
}
