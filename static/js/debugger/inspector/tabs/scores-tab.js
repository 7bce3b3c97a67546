// The Scores tab: nodes by total, one stacked bar each, coloured and patterned by plugin; the same in a table.

import { h } from "../../../drawing/dom.js";
import { nodeVerdicts } from "./filter-tab.js";
import { nodeText } from "../../names/node-link.js";
import { filterVerdicts, question, scoreGap, signed } from "./node-section.js";
import { PluginColours } from "../../map/palette.js";
import { exactPoints, exactTotal, gapBetween, isQuotient } from "./points.js";
import { count, plural } from "../../words/units.js";

const BARS = 30;

export function drawScores(tools, event) {
  const none = whyNone(event);
  if (!none) return [tools.later(tools.evidence.scores(event.seq), (rows) => scored(tools, event, rows))];
  const wasTried = event.outcome !== "gated";
  return [tools.reading.node && wasTried && nodeVerdicts(tools, event), h("p", { class: "empty" }, none)];
}

/** Why nothing was scored, or null if something was. */
function whyNone(event) {
  if (event.outcome === "gated") return "Nothing was scored.";
  if (!event.feasible) return "No node fits, so nothing was scored. The Filter tab shows what each node lacks.";
  if (event.total !== null) return null;
  if (event.feasible !== 1) return "Nothing was scored.";
  if (event.visited < event.nodes && event.nominated_before === event.chosen)
    return "Only the node it was nominated to was asked, and it fits, so nothing had to be scored.";
  return "Only one node was left, so nothing had to be scored.";
}

function scored(tools, event, rows) {
  if (!rows.length) return h("p", { class: "empty" }, "No scores were recorded.");
  const { scheduler, reading, names } = tools;
  const { scores } = scheduler.profileOf(event.profile);
  const shared = { scheduler, names, colours: new PluginColours(scores) };
  const { node } = reading;
  const winner = rows.find((row) => row.node === event.chosen) ?? rows[0];
  const selected = node && rows.find((row) => row.node === node);
  const ordered = [winner, ...rows.filter((row) => row !== winner)];
  const shown = ordered.slice(0, BARS);
  if (selected && !shown.includes(selected)) shown.push(selected);
  const plugins = pluginsOf(rows);
  if (!plugins.length) return h("p", { class: "empty" }, "Every plugin that scores skipped this pod: all nodes that fit are equal.");
  const same =
    rows.length > 1
      ? plugins.filter((plugin) => rows.every((row) => row.plugins[plugin] === winner.plugins[plugin]))
      : [];
  const differing = plugins.filter((plugin) => !same.includes(plugin));
  return [
    node &&
      h(
        "section",
        { class: "node-section" },
        h("h3", {}, question(event, node), tools.closeNode()),
        selected
          ? scoreGap(selected, winner, shared)
          : tools.later(tools.evidence.node(event.seq, node), (found) => unlisted(found, winner, shared)),
      ),
    event.feasible === 1 &&
      h("p", { class: "muted small" }, `The only node that fits; ${scheduler.version} scores it all the same.`),
    legend(shared, winner, differing, same),
    rows.some(({ total }) => isQuotient(total, scheduler)) && quotientNote(scheduler),
    bars(tools, event, { shown, rows, plugins: differing.length ? differing : plugins, ...shared }),
    event.feasible > shown.length &&
      h(
        "p",
        { class: "muted small" },
        `${plural(event.feasible - shown.length, "node")} with lower or equal totals not drawn`,
      ),
    tools.details("numbers", { class: "numbers-table" }, "numbers", table(shared, shown, plugins)),
    meanings(tools, scheduler, scores, shared.colours),
  ];
}

function legend({ scheduler, colours }, winner, differing, same) {
  const given = (plugin) => `${plugin} ${exactPoints(winner.plugins[plugin], scheduler)}`;
  const swatch = (plugin) => h("i", { class: `swatch ${colours.of(plugin)}` });
  const alike = `the same for all of these: ${same.map(given).join(", ")}`;
  return h(
    "p",
    { class: "legend-line" },
    differing.map((plugin) => h("span", {}, swatch(plugin), plugin)),
    same.length > 0 && h("span", { title: "not drawn, since it sets no node apart" }, alike),
  );
}

/** What each score prefers, and what it can give: its highest points and its weight. */
function meanings(tools, { terms }, scores, colours) {
  return tools.details(
    "meanings",
    { class: "numbers-table score-meanings" },
    `what the ${terms.scores} prefer`,
    h(
      "dl",
      {},
      scores.map(({ name, weight, most, means }) => [
        h("dt", {}, h("i", { class: `swatch ${colours.of(name)}` }), name),
        h("dd", {}, means, h("span", { class: "muted" }, ` 0 to ${count(most)}, × ${count(weight)}`)),
      ]),
    ),
  );
}

function quotientNote({ version, scoring }) {
  const when = "where nodes have zones and no matching pod is in any of them";
  const what = `${version}'s ${scoring.divides_by_zero} divides zero by zero`;
  // The points are a power of two, which a number holds exactly; written out they need all their digits.
  const points = count(BigInt(scoring.zero_by_zero)).replace("-", "−");
  const result = `every node with a zone gets ${points} points, as it really did`;
  return h("p", { class: "notice" }, `0÷0: ${when}, ${what}; ${result}.`);
}

/** A node that isn't among the best: its scores if it has any, else which filters turned it away. */
function unlisted(found, winner, shared) {
  const { node, total, scores } = found;
  if (total === null) return filterVerdicts(found, shared.scheduler);
  const plugins = Object.fromEntries(scores.map(({ plugin, weighted }) => [plugin, weighted]));
  return scoreGap({ node, total, plugins }, winner, shared);
}

/** Plugins that gave any points, the ones that set nodes apart first. */
export function pluginsOf(rows) {
  const spread = new Map();
  for (const { plugins } of rows) {
    for (const [plugin, points] of Object.entries(plugins)) {
      const range = spread.get(plugin) ?? { low: points, high: points };
      spread.set(plugin, { low: Math.min(range.low, points), high: Math.max(range.high, points) });
    }
  }
  return [...spread]
    .filter(([, { high, low }]) => high > 0 || low < 0)
    .sort(([a, x], [b, y]) => y.high - y.low - (x.high - x.low) || y.high - x.high || (a < b ? -1 : 1))
    .map(([plugin]) => plugin);
}

function bars(tools, event, { shown, rows, plugins, scheduler, colours }) {
  const drawn = (row) => plugins.reduce((sum, plugin) => sum + Math.max(0, row.plugins[plugin] ?? 0), 0);
  const most = Math.max(1, ...shown.map(drawn));
  const gap = (row) => gapBetween(rows[0], row);
  const isTie = (row) => event.best_count > 1 && gap(row) === 0;
  return h(
    "div",
    { class: "score-bars" },
    shown.map((row) =>
      h(
        "div",
        {
          class: `score-row${row.node === event.chosen ? " winner" : ""}${row.node === tools.reading.node ? " selected" : ""}`,
        },
        tools.nodeButton(row.node, {
          mark: isTie(row) ? "=" : row.node === event.chosen ? "✓" : "",
        }),
        h(
          "span",
          { class: "score-track" },
          plugins.map((plugin) =>
            h("i", {
              class: colours.of(plugin),
              title: `${plugin} ${exactPoints(row.plugins[plugin] ?? 0, scheduler)}`,
              style: { width: `${(Math.max(0, row.plugins[plugin] ?? 0) / most) * 100}%` },
            }),
          ),
        ),
        h("span", { class: "num score-total", title: exactTotal(row, scheduler) }, exactPoints(row.total, scheduler)),
        h(
          "span",
          { class: "num score-gap" },
          gap(row) === 0 ? (isTie(row) ? "tie" : "") : signed(-gap(row)),
        ),
      ),
    ),
  );
}

function pointsOf({ plugins }, plugin, scheduler) {
  return plugins[plugin] === undefined ? "–" : exactPoints(plugins[plugin], scheduler);
}

function table({ names, scheduler }, shown, plugins) {
  const label = `Scores by node and ${scheduler.terms.score}`;
  return h(
    "div",
    { class: "scroll-x", tabindex: "0", role: "region", aria: { label } },
    h(
      "table",
      { class: "dense" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, "node"),
          h("th", { scope: "col", class: "num" }, "total"),
          plugins.map((plugin) => h("th", { scope: "col", class: "num" }, plugin)),
        ),
      ),
      h(
        "tbody",
        {},
        shown.map((row) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, nodeText(names, row.node)),
            h("td", { class: "num" }, exactTotal(row, scheduler)),
            plugins.map((plugin) => h("td", { class: "num" }, pointsOf(row, plugin, scheduler))),
          ),
        ),
      ),
    ),
  );
}
