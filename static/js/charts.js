/* Draws the charts of a page with Plotly: horizontal bars of requested in percent of allocatable.
   Colours are the page's own and change with its theme. The data stands in a JSON block beside each chart. */

import { colour, drawWhenSeen } from "./plots.js";

const BAR = 22;
const MARGIN = { left: 8, right: 24, top: 4, bottom: 30 };
const charts = [...document.querySelectorAll("[data-chart]")];

function tracesOf(chart) {
  const names = chart.rows.map((row) => row.name);
  return chart.series.map((series) => ({
    type: "bar",
    orientation: "h",
    name: series.name,
    y: names,
    x: series.shares,
    customdata: chart.rows.map((row) => row.text),
    marker: { color: colour(series.colour) },
    hovertemplate: `%{y}: %{x} %<br>%{customdata}<extra>${series.name}</extra>`,
  }));
}

function heightOf(chart) {
  return chart.rows.length * (BAR * chart.series.length + 12) + MARGIN.top + MARGIN.bottom;
}

function layoutOf(chart) {
  const highest = Math.max(100, ...chart.series.flatMap((series) => series.shares));
  const font = { family: getComputedStyle(document.body).fontFamily, size: 12, color: colour("--muted") };
  return {
    margin: { l: MARGIN.left, r: MARGIN.right, t: MARGIN.top, b: MARGIN.bottom },
    bargap: 0.35,
    bargroupgap: 0.12,
    showlegend: chart.series.length > 1,
    legend: { orientation: "h", x: 1, xanchor: "right", y: 1, yanchor: "bottom", font },
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font,
    hoverlabel: { bgcolor: colour("--panel"), bordercolor: colour("--line-strong"), font: { ...font, color: colour("--ink") } },
    xaxis: {
      range: [0, highest * 1.02], ticksuffix: " %", gridcolor: colour("--line"), zeroline: false, fixedrange: true,
      dtick: highest > 200 ? undefined : 25,
    },
    yaxis: { autorange: "reversed", automargin: true, ticksuffix: "  ", fixedrange: true, tickfont: { ...font, color: colour("--ink") } },
    shapes: highest > 100 ? [{ type: "line", x0: 100, x1: 100, yref: "paper", y0: 0, y1: 1, line: { color: colour("--unsched"), width: 1 } }] : [],
  };
}

const dataOf = (place) => JSON.parse(document.getElementById(place.dataset.chart).textContent);

function draw(place, Plotly) {
  const chart = dataOf(place);
  Plotly.react(place, tracesOf(chart), layoutOf(chart), { displayModeBar: false, responsive: true });
}

// The element has the height, not the layout: Plotly forgets a layout's when the window changes its size.
for (const place of charts) place.style.height = `${heightOf(dataOf(place))}px`;
drawWhenSeen(charts, draw);
