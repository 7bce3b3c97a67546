/* Draws a run over time with Plotly: pods waiting, stacked by part of the queue, and what is requested of the nodes.
   Every point opens the debugger at its decision. The data stands in a JSON block beside each chart; colours are the
   page's own and change with its theme. */

import { colour, drawWhenSeen, layoutWithin, offerPngs, openPoints } from "./plots.js";
import { ready } from "./ready.js";

const MARGIN = { l: 44, r: 12, t: 8, b: 28 };
/** Of more edits than this only the diamonds at the top are drawn. */
const MOST_LINES = 12;
const charts = [...document.querySelectorAll("[data-series]")];

/** A colour as `#rrggbb`, so pale that the grid is seen through it. */
function paler(hex) {
  const [red, green, blue] = [1, 3, 5].map((place) => parseInt(hex.slice(place, place + 2), 16));
  return `rgba(${red},${green},${blue},0.5)`;
}

/** A state holds until the next decision, and the last one to the end of the axis. */
function held(chart, values) {
  return { x: [...chart.places, chart.range[1]], y: [...values, values.at(-1)] };
}

function line(chart, series) {
  const ends = (list) => [...list, list.at(-1)];
  const known = series.texts ? series.texts.map((text) => `<br>${text}`) : chart.places.map(() => "");
  const unit = chart.percent ? " %" : "";
  return {
    ...held(chart, series.values),
    type: "scatter",
    mode: "lines",
    name: series.name,
    customdata: ends(chart.queries),
    text: ends(chart.texts.map((text, place) => `${text}${known[place]}`)),
    hovertemplate: `${series.name} %{y}${unit}<br>%{text}<extra></extra>`,
    line: { shape: "hv", width: chart.stacked ? 1 : 1.6, color: colour(series.colour), dash: series.dash ?? "solid" },
    ...(chart.stacked ? { stackgroup: "queue", fillcolor: paler(colour(series.colour)), fillpattern: hatch(series) } : {}),
  };
}

function hatch(series) {
  if (!series.fill) return { shape: "" };
  return {
    shape: series.fill, size: 7, solidity: 0.45, fillmode: "overlay",
    fgcolor: colour("--panel"), fgopacity: 0.75,
  };
}

/** Evictions stand on the axis as triangles. */
function evictions(chart) {
  return {
    type: "scatter",
    mode: "markers",
    name: "evictions",
    cliponaxis: false,
    x: chart.evictions.map((mark) => mark.place),
    y: chart.evictions.map(() => 0),
    customdata: chart.evictions.map((mark) => mark.query),
    text: chart.evictions.map((mark) => `${mark.text}<br>${mark.at}`),
    hovertemplate: "%{text}<extra></extra>",
    marker: { symbol: "triangle-up", size: 9, color: colour("--preempt"), line: { width: 1, color: colour("--bg") } },
  };
}

/** Edits are dashed lines that say what they do when pointed at: a marker at the top carries the words. */
function edits(chart) {
  return {
    type: "scatter",
    mode: "markers",
    name: "edits",
    cliponaxis: false,
    yaxis: "y2",
    x: chart.edits.map((mark) => mark.place),
    y: chart.edits.map(() => 1),
    customdata: chart.edits.map((mark) => mark.query),
    text: chart.edits.map((mark) => `${mark.text}<br>${mark.at}`),
    hovertemplate: "%{text}<extra></extra>",
    marker: { symbol: "diamond", size: 7, color: colour("--ink") },
  };
}

function tracesOf(chart) {
  const traces = chart.series.map((series) => line(chart, series));
  if (chart.evictions?.length) traces.push(evictions(chart));
  if (chart.edits?.length) traces.push(edits(chart));
  return traces;
}

function layoutOf(chart, place) {
  const highest = Math.max(100, ...(chart.percent ? chart.series.flatMap((series) => series.values) : []));
  const [start, end] = chart.range;
  const fitting = chart.ticks.filter((_, number) => number % Math.ceil(chart.ticks.length / most(place)) === 0);
  return {
    ...layoutWithin(MARGIN, 0.16),
    showlegend: !chart.percent,
    xaxis: {
      range: [start, Math.max(end, start + 1)], tickvals: fitting.map(([at]) => at), ticktext: fitting.map(([, label]) => label),
      tickangle: 0, gridcolor: colour("--line"), zeroline: false, fixedrange: true,
    },
    yaxis: chart.percent
      ? { range: [0, highest * 1.02], ticksuffix: " %", dtick: highest > 200 ? undefined : 50, gridcolor: colour("--line"), zeroline: false, fixedrange: true }
      : { rangemode: "tozero", tickformat: ",d", nticks: 5, gridcolor: colour("--line"), zeroline: false, fixedrange: true },
    yaxis2: { overlaying: "y", range: [0, 1], visible: false, fixedrange: true },
    shapes: (chart.edits?.length <= MOST_LINES ? chart.edits : []).map((mark) => ({
      type: "line", x0: mark.place, x1: mark.place, yref: "paper", y0: 0, y1: 1,
      line: { color: colour("--ink"), width: 1, dash: "dot" },
    })),
  };
}

/** How many ticks have room for their labels. */
function most(place) {
  return Math.max(1, Math.floor((place.clientWidth - MARGIN.l) / 80));
}

function draw(place, Plotly) {
  const chart = JSON.parse(document.getElementById(place.dataset.series).textContent);
  Plotly.react(place, tracesOf(chart), layoutOf(chart, place), { displayModeBar: false, responsive: true });
}

drawWhenSeen(charts, draw, (place) => openPoints(place, (query) => place.dataset.debugger + query));
offerPngs(charts);
ready();
