// How fragmented the cards are at the reader's decision: the figure in a sentence, a heat map of all cards, what each shape
// can't reach, and the figure over the run.

import { h, svg } from "../../drawing/dom.js";
import { keyOf } from "../../debugger/inspector/object-key.js";
import { bytes } from "../../amounts.js";
import { count, percent, plural } from "../../debugger/words/units.js";
import { fragmentationOf } from "./fragmentation.js";
import { meaningOf } from "../cards/letters.js";
import { isCut } from "../cards/limits.js";
import { OWN, PENDING, RUN } from "./mix.js";
import { allCards, lossOverRun, shapeWords } from "./shapes.js";

const MIB = 1024 * 1024;
const CURVE = { width: 400, height: 90 };
const curves = new WeakMap();

export const FRAGMENTATION_TABS = [
  { key: "card-heat", label: "Each card", draw: drawHeat },
  { key: "card-shapes", label: "By shape", draw: drawShapes },
  { key: "card-curve", label: "Over the run", draw: drawCurve },
];

/** Where no shape is known, what to say instead of figures. */
const NO_SHAPES = {
  [RUN]: "No pod of this run has been given cards.",
  [PENDING]: "No pod that waits at this decision asks for cards.",
};
const ABOUT = {
  [RUN]: "Shapes are what pods of this run were given at any decision; a pod that never got cards isn't counted.",
  [PENDING]: "Shapes are what the pods ask for that wait at this decision, weighed by their number.",
  [OWN]: "One shape is asked about, whoever asks for it in this run.",
};

export function fragmentationHead({ fold, mix }, _subject, close) {
  const { kind } = mix.mix;
  return [h("h3", {}, "How fragmented the cards are", close), mix.draw(), figures(fold, mix, kind), h("p", { class: "muted small" }, ABOUT[kind])];
}

function figures(fold, mix, kind) {
  const shapes = mix.shapes();
  if (!shapes?.length) return h("p", { class: "card-say" }, insteadOf(mix, shapes));
  const cards = allCards(fold);
  const { free, lost, foreign, dead } = fragmentationOf(cards, shapes);
  const averaged = kind === OWN ? ` (${shapeWords(shapes[0])})` : "";
  const over = kind === OWN ? "" : `, averaged over the ${plural(shapes.length, "shape")} ${kind === PENDING ? "that wait" : "of this run"}`;
  return h(
    "p",
    { class: "card-say" },
    `${kind === OWN ? "One more such pod" : "The next request"}${averaged} can't use `,
    h("b", {}, percent(free ? lost / free : 0)),
    ` of the free card memory: ${amount(lost)} of ${amount(free)}${over}. `,
    foreign > 0 && `Of that, ${amount(foreign)} is on cards of another vendor. `,
    kind !== OWN && dead > 0 && [h("b", {}, amount(dead)), " can be used by no shape at all. "],
    cards.some((card) => isCut(card) && card.memory > card.used_memory) && "On cards that MIG cuts all free memory counts, also where no slice fits.",
  );
}

/** Why there are no shapes. */
function insteadOf({ mix, problem }, shapes) {
  return shapes === null ? (problem ?? "working it out…") : NO_SHAPES[mix.kind];
}

function drawHeat({ fold, mix, names, onNode, reading }) {
  const shapes = mix.shapes();
  if (!shapes?.length) return null;
  const { cards } = fragmentationOf(allCards(fold), shapes);
  const all = [...grouped(cards)];
  const nodes = all.filter(([, rows]) => rows.some(({ free }) => free > 0));
  const letters = [...new Set(cards.map(({ dead }) => dead).filter(Boolean))];
  return [
    h("p", { class: "muted small" }, "Free memory of each card in GiB. The darker, the more of the requests it can't take; hatched: none of them, with the letter of the cause."),
    h(
      "div",
      { class: "card-table card-heat-box", tabindex: "0", role: "region", aria: { label: "free memory of each card" } },
      h(
        "table",
        { class: "dense card-heat" },
        h("tbody", {}, nodes.map(([node, rows]) => h("tr", {}, h("th", { scope: "row" }, h("button", { type: "button", class: "link", onclick: () => onNode(node) }, names.shown(node))), rows.map((row) => drawCell(row, reading))))),
      ),
    ),
    all.length > nodes.length && h("p", { class: "small" }, `On ${plural(all.length - nodes.length, "more node")} all card memory is held.`),
    h("p", { class: "muted small" }, letters.map((letter, i) => [i > 0 && " · ", h("b", {}, letter), ` ${meaningOf(letter)}`])),
  ];
}

function drawCell({ card, free, lost, dead }, reading) {
  const step = dead ? "dead" : !free ? "full" : Math.min(4, Math.ceil(lost * 4));
  const said = dead ? `no request fits: ${meaningOf(dead)}` : `${percent(lost)} of the requests don't fit`;
  const label = `card ${card.index} of ${card.node}: ${amount(free)} free, ${free ? said : "full"}`;
  const press = () => reading.set({ card: keyOf("card", card.key) });
  return h("td", { class: `heat-${step}` }, h("button", { type: "button", class: "link", title: label, aria: { label }, onclick: press }, free ? count(Math.round(free / 1024)) : "–", dead && h("sup", {}, dead)));
}

function drawShapes({ fold, mix }) {
  const known = mix.shapes();
  if (!known?.length) return null;
  const { shapes } = fragmentationOf(allCards(fold), known);
  const isMixed = new Set(known.map(({ vendor }) => vendor)).size > 1;
  const head = ["one pod asks for", "asked", "more fit, at most", "out of reach"];
  const table = h(
    "table",
    { class: "dense" },
    h("thead", {}, h("tr", {}, head.map((words, i) => h("th", { scope: "col", class: i ? "num" : null }, words)))),
    h("tbody", {}, shapes.map(({ shape, share, more, out }) => h("tr", {}, h("th", { scope: "row" }, shapeWords(shape, isMixed)), [percent(share), count(more), amount(out)].map((text) => h("td", { class: "num" }, text))))),
  );
  return [
    h("div", { class: "card-table", tabindex: "0", role: "region", aria: { label: "shapes" } }, table),
    h("p", { class: "muted small" }, "Counted by the free slots, memory and cores of the cards. Other rules can leave fewer: MIG's geometries, quotas, and what the nodes must have beside cards. Out of reach: free memory on cards that can't take one more such pod."),
  ];
}

function drawCurve({ fold, mix, onSeek }) {
  if (!mix.shapes()) return null;
  const points = curveOf(fold, mix);
  const { width, height } = CURVE;
  const span = Math.max(1, fold.head - fold.base);
  const at = ({ seq, share }) => [((seq - fold.base) / span) * width, height - share * height];
  const path = points.map((point, i) => `${i ? "L" : "M"}${at(point).map((part) => part.toFixed(1)).join(" ")}`).join("");
  const now = ((fold.at - fold.base) / span) * width;
  const most = points.reduce((high, point) => (point.share > high.share ? point : high));
  const seek = ({ offsetX, currentTarget }) => onSeek(fold.base + Math.round((offsetX / currentTarget.clientWidth) * span));
  return [
    h("p", { class: "muted small" }, "Share of the free memory that the average request can't use, 0 to 100 %; a press goes there."),
    svg(
      "svg",
      { class: "card-curve", viewBox: `0 -4 ${width} ${height + 8}`, role: "img", "aria-label": `between ${percent(Math.min(...points.map(({ share }) => share)))} and ${percent(most.share)}`, onclick: seek },
      svg("line", { class: "curve-now", x1: now, x2: now, y1: 0, y2: height }),
      svg("path", { d: path }),
    ),
    h("p", { class: "small" }, "At its highest, ", percent(most.share), ", after ", h("button", { type: "button", class: "link", onclick: () => onSeek(most.seq) }, `decision ${count(most.seq)}`), "."),
  ];
}

/** Worked out once for each length of the log and each mix. */
function curveOf(fold, mix) {
  const kept = curves.get(fold);
  const asked = mix.reading.mix;
  if (kept?.head === fold.head && kept.asked === asked) return kept.points;
  const points = lossOverRun(fold, () => mix.shapes());
  curves.set(fold, { head: fold.head, asked, points });
  return points;
}

function grouped(cards) {
  const nodes = new Map();
  for (const row of cards) nodes.set(row.card.node, [...(nodes.get(row.card.node) ?? []), row]);
  return nodes;
}

function amount(mebibytes) {
  return bytes(Math.round(mebibytes) * MIB);
}
