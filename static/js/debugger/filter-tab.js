// The Filter tab: the funnel, the nodes of the pressed band with exact numbers, and one node's verdicts.

import { drawBands } from "./bands.js";
import { h } from "./dom.js";
import { filterFunnel } from "./funnel.js";
import { filterVerdicts, question } from "./node-section.js";
import { count, plural, telling, verdictNumber } from "./units.js";

const LISTED = 100;

export function drawFilter(page, event) {
  if (event.kind === "eviction")
    return [h("p", { class: "empty" }, "An edit asked for this eviction; no node was filtered.")];
  if (event.outcome === "gated")
    return [h("p", { class: "empty" }, "The pod was held back before the queue; no node was filtered.")];
  const { reading } = page;
  return [
    reading.node && nodeVerdicts(page, event),
    event.prefilter
      ? prefiltered(event)
      : drawBands(filterFunnel(event), {
          label: "Nodes by the first filter that rejected them",
          pressed: page.inspector.band?.key,
          onPress: (band) => page.inspector.pressBand(band, () => page.evidence.band(event.seq, band)),
        }),
    event.visited === 1 &&
      event.nominated_before &&
      h(
        "p",
        { class: "muted small" },
        `The node it was nominated to is asked first, and it fits: the other ${count(event.nodes - 1)} were not looked at.`,
      ),
    page.inspector.band && bandNodes(page, event),
  ];
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

function nodeVerdicts(page, event) {
  const { node } = page.reading;
  return h(
    "section",
    { class: "node-section" },
    h("h3", {}, question(event, node), page.inspector.closeNode()),
    page.inspector.later(page.evidence.node(event.seq, node), (explanation) => filterVerdicts(explanation)),
  );
}

function bandNodes(page) {
  const { band, bandRows } = page.inspector;
  const heading = h(
    "h3",
    {},
    `${plural(band.size, "node")}: ${band.title ?? band.label}`,
    band.plugin && h("span", { class: "muted" }, ` · ${band.plugin}`),
  );
  return h(
    "section",
    { class: "band-nodes" },
    heading,
    page.inspector.later(bandRows, (rows) => [
      h(
        "ul",
        { class: "plain node-list" },
        rows.slice(0, LISTED).map((row) =>
          h(
            "li",
            {},
            page.inspector.nodeButton(row.node),
            h(
              "span",
              { class: "numbers" },
              telling(row.numbers ?? [])
                .map(verdictNumber)
                .join("; "),
            ),
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
