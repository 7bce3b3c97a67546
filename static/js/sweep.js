/* Draws the pictures of a sweep with Plotly: each point is a setting and opens its run; its shape tells what its
   colour tells. Colours are the page's own and change with its theme. */

import { colour, drawWhenSeen, layoutWithin, offerPngs, openPoints } from "./plots.js";
import { ready } from "./ready.js";

const MARGIN = { l: 52, r: 12, t: 8, b: 44 };
const FEW = 8;
const chosen = document.getElementById("sweep-chosen");
const places = [...document.querySelectorAll("[data-sweep]")];

const chartOf = (place) => JSON.parse(document.getElementById(place.dataset.sweep).textContent);

function traceOf(series, mode) {
  return {
    x: series.x,
    y: series.y,
    type: "scatter",
    mode,
    name: series.name,
    customdata: series.points,
    text: series.texts,
    hovertemplate: "%{text}<extra></extra>",
    cliponaxis: false,
    line: { width: 1.6, color: colour(series.colour), dash: series.dash },
    marker: { symbol: series.symbol, size: series.sizes, color: colour(series.colour), opacity: 0.9, line: { width: 1, color: colour("--panel") } },
  };
}

/** Whole numbers: few of them have a mark each. */
function axis(values, title, rangemode) {
  const spread = Math.max(...values) - Math.min(0, ...values);
  return {
    gridcolor: colour("--line"), zeroline: false, fixedrange: true, rangemode, tickformat: ",~r", nticks: 8,
    ticks: "outside", ticklen: 10, tickcolor: "transparent", // room for points that lie on the axis
    dtick: spread <= FEW && values.every(Number.isInteger) ? 1 : undefined, title: { text: title, standoff: 5 },
  };
}

function layoutOf(chart) {
  return {
    ...layoutWithin(MARGIN, 0.2),
    showlegend: chart.series.length > 1,
    xaxis: axis(chart.series.flatMap((series) => series.x), chart.across, "normal"),
    yaxis: axis(chart.series.flatMap((series) => series.y), chart.up, "tozero"),
  };
}

function draw(place, Plotly) {
  const chart = chartOf(place);
  const traces = chart.series.map((series) => traceOf(series, chart.mode));
  Plotly.react(place, traces, layoutOf(chart), { displayModeBar: false, responsive: true });
}

/** Take a run with shift, and with the second one go to both beside each other; a second time lets it be. */
function taken(run) {
  const before = chosen.dataset.run;
  if (before && before !== run) return `${chosen.dataset.compare}?a=${before}&b=${run}`;
  chosen.dataset.run = before ? "" : run;
  chosen.textContent = before ? "" : `Run ${run} is taken: press another one with shift to compare the two.`;
  return "";
}

drawWhenSeen(places, draw, (place) =>
  openPoints(place, ({ address, run }, event) => (event.shiftKey ? taken(String(run)) : address)),
);
for (const link of document.querySelectorAll(".sweep-grid a[data-run]"))
  link.addEventListener("click", (event) => {
    if (!event.shiftKey) return;
    event.preventDefault();
    const address = taken(link.dataset.run);
    if (address) location.assign(address);
  });
offerPngs(places);
ready(document);
