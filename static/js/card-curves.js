/* Draws the cards of runs with Plotly: what is given out and what is lost, against what has arrived or against the
   decisions; published curves stand behind them, muted. Every point opens the debugger of its run at its decision.
   One JSON block has the figures of all pictures; colours are the page's own and change with its theme. */

import { colour, drawWhenSeen, layoutWithin, offerPngs, openPoints } from "./plots.js";
import { ready } from "./ready.js";

const MARGIN = { l: 48, r: 12, t: 8, b: 40 };
const TITLES = { arrived: "asked for by arrived pods, % of all cards", seq: "decision" };
/** A line has so many marks of its own shape; all other points are there to be pointed at. */
const MOST_SYMBOLS = 14;
/** In the legend what is published comes after the runs; Plotly gives those 1000. */
const BEHIND = 1001;

const places = [...document.querySelectorAll("[data-measure]")];
const choices = [...document.querySelectorAll("[data-curves-axis] input")];
const curves = places.length ? JSON.parse(document.getElementById(places[0].dataset.curves).textContent) : null;

function axis() {
  return choices.find((choice) => choice.checked)?.value ?? "arrived";
}

function lineOf(side, measure, along) {
  return {
    x: side[along],
    y: side[measure],
    type: "scatter",
    mode: "lines+markers",
    name: side.name,
    customdata: side.queries.map((query) => side.debugger + query),
    text: side.texts.map((text, point) => `${text}<br>${side.arrived[point]} % arrived`),
    hovertemplate: `${side.name}<br>%{y} %<br>%{text}<extra></extra>`,
    line: { width: 1.8, color: colour(side.colour), dash: side.dash },
    marker: { symbol: side.symbol, size: 8, color: colour(side.colour), maxdisplayed: MOST_SYMBOLS },
  };
}

/** What others published knows what has arrived, and no decisions of ours. */
function publishedOf(curve, measure) {
  return {
    x: curve[measure].map((_, arrived) => arrived),
    y: curve[measure],
    type: "scatter",
    mode: "lines",
    name: curve.name,
    hovertemplate: `${curve.name}, published<br>%{y} %<br>%{x} % arrived<extra></extra>`,
    line: { width: 1, color: colour("--muted"), dash: curve.dash },
    opacity: 0.7,
    legendrank: BEHIND,
  };
}

function layoutOf(along, number) {
  const lines = { gridcolor: colour("--line"), zeroline: false, fixedrange: true, rangemode: "tozero" };
  return {
    ...layoutWithin(MARGIN, 0.2),
    showlegend: number > 1,
    xaxis: { ...lines, title: { text: TITLES[along], standoff: 4 }, ticksuffix: along === "arrived" ? " %" : "", tickformat: along === "seq" ? ",d" : "" },
    yaxis: { ...lines, ticksuffix: " %", nticks: 6 },
  };
}

function draw(place, Plotly) {
  const along = axis();
  const { measure } = place.dataset;
  const behind = along === "arrived" ? curves.published.map((curve) => publishedOf(curve, measure)) : [];
  const traces = [...behind, ...curves.sides.map((side) => lineOf(side, measure, along))];
  Plotly.react(place, traces, layoutOf(along, traces.length), { displayModeBar: false, responsive: true });
}

if (curves) {
  const again = drawWhenSeen(places, draw, (place) => openPoints(place, (address) => address));
  for (const choice of choices) choice.addEventListener("change", again);
  offerPngs(places);
}
ready(document.querySelector("[data-card-plots]") ?? document);
