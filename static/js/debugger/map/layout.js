// Where each node's tile lies: groups below one another, tiles in rows, as large as the room allows. Pure
// geometry, in units that are pixels at zoom 1. The tile's size decides how much of a node can be shown.

export const LARGEST = 136,
  LARGE = 84,
  BARS = 26;
/** Up to so many nodes the tiles fill the map, if that leaves each at least this much: its pods stand in a stack. */
export const FEW = 12,
  TALL = { w: 132, h: 104, gap: 8 };
/** How tall such a tile is where the page scrolls, and how much wider than tall it is at its best. */
const READABLE = 170,
  WIDER = 1.25;
const APART = 18;
/** Heights of a group's heading and of the gap below a group; close where even the smallest tiles don't fit. */
const ROOMY = { header: 22, between: 10 },
  CLOSE = { header: 15, between: 3 };

/** How much a tile of this width on screen shows: "tall" where tiles fill the map, "large", "bars" or "square". */
export function detailOf(width, isTall = false) {
  if (isTall) return "tall";
  return width >= LARGE ? "large" : width >= BARS ? "bars" : "square";
}

/** {tile: {w, h}, isTall, boxes: Map(node -> {x, y}), headers: [{name, count, nodes, x, y, w}], header, width, height} */
export function layOut(groups, width, height) {
  const tall = isFew(groups) && tallest(groups, width, height);
  if (tall) return { ...place(tall, width), isTall: true };
  const crowd = groups.length > 24 ? groups.length * 4 : 0;
  const roomy = largestThatFits(groups, width, height + crowd, ROOMY);
  const isCutOff = roomy.height > height + crowd;
  const chosen = isCutOff ? largestThatFits(groups, width, height, CLOSE) : roomy;
  return { ...place(stretched(chosen, height), width), isTall: false };
}

/** How high the map has to be for readable tiles of few nodes, in pixels; 0 where there are more. */
export function readableHeight(groups, width) {
  if (!isFew(groups)) return 0;
  const columns = Math.max(1, Math.floor((width + TALL.gap) / (READABLE + TALL.gap)));
  const shelves = shelve(groups, { w: tallWidth(columns, width, 0), gap: TALL.gap, columns }, width);
  return Math.ceil(heightOf(shelves, READABLE, TALL.gap, ROOMY));
}

function isFew(groups) {
  const all = groups.reduce((sum, { nodes }) => sum + nodes.length, 0);
  return all > 0 && all <= FEW;
}

/** The largest tiles that fill the room, or null if they would be too small for stacks. */
function tallest(groups, width, height) {
  const most = Math.max(1, Math.floor((width + TALL.gap) / (TALL.w + TALL.gap)));
  const shapes = [];
  for (let columns = 1; columns <= Math.min(most, FEW); columns++)
    for (const apart of [0, APART]) shapes.push(tallShape(groups, { columns, apart, width, height }));
  const size = ({ w, h }) => Math.min(w, h * WIDER);
  const fitting = shapes.filter(({ w, h }) => w >= TALL.w && h >= TALL.h);
  return fitting.reduce((best, shape) => (best && size(best) >= size(shape) ? best : shape), null);
}

/** Tiles in so many columns, as high as the room allows; `apart` is left between groups that share a row. */
function tallShape(groups, { columns, apart, width, height }) {
  const { gap } = TALL;
  const w = tallWidth(columns, width, apart);
  const shelves = shelve(groups, { w, gap, columns }, width);
  const rows = shelves.reduce((sum, shelf) => sum + shelf.rows, 0);
  const h = (height - heightOf(shelves, 0, gap, ROOMY)) / rows;
  return { w, h, gap, columns, shelves, spacing: ROOMY };
}

function tallWidth(columns, width, apart) {
  return (width - (columns - 1) * (TALL.gap + apart)) / columns;
}

/** The largest tiles that fit, or the smallest there are. */
function largestThatFits(groups, width, height, spacing) {
  let measured = null;
  for (let w = LARGEST; w >= 4; w = w > 40 ? w - 2 : w - 0.5) {
    measured = measure(groups, w, width, spacing);
    if (measured.height <= height) break;
  }
  return measured;
}

/** Tiles with room below grow taller, up to nearly square: more of a node's pods can be told apart. */
function stretched(measured, height) {
  if (measured.w < BARS) return measured;
  const rows = measured.shelves.reduce((sum, shelf) => sum + shelf.rows, 0);
  const spare = Math.max(0, height - measured.height) / Math.max(1, rows);
  return { ...measured, h: Math.min(measured.h + spare, measured.w * 0.82, 104) };
}

function measure(groups, wanted, width, spacing) {
  const gap = wanted >= LARGE ? 6 : wanted >= BARS ? 4 : wanted >= 9 ? 2 : 1;
  const columns = Math.max(1, Math.floor((width + gap) / (wanted + gap)));
  const w = Math.min(LARGEST * 1.25, (width + gap) / columns - gap);
  const h = w >= LARGE ? Math.min(76, Math.max(58, w * 0.52)) : w >= BARS ? Math.max(18, w * 0.6) : w;
  const shelves = shelve(groups, { w, gap, columns }, width);
  return { w, h, gap, columns, shelves, spacing, height: heightOf(shelves, h, gap, spacing) };
}

/** Groups below one another; those that fill less than a row share one: [{rows, headed, groups: [{group, x}]}]. */
function shelve(groups, { w, gap, columns }, width) {
  const shelves = [];
  let x = 0;
  for (const group of groups) {
    const wide = Math.max(Math.min(columns, group.nodes.length) * (w + gap), headerWidth(group)) + APART;
    const last = shelves[shelves.length - 1];
    if (last?.rows === 1 && group.nodes.length < columns && x + wide - APART <= width + gap)
      last.groups.push({ group, x });
    else {
      x = 0;
      shelves.push({
        rows: Math.ceil(group.nodes.length / columns),
        headed: group.name !== "",
        groups: [{ group, x }],
      });
    }
    x += wide;
  }
  return shelves;
}

function heightOf(shelves, h, gap, { header, between }) {
  const tall = shelves.reduce(
    (sum, { rows, headed }) => sum + (headed ? header : 0) + rows * (h + gap) - gap,
    0,
  );
  return tall + (shelves.length - 1) * between;
}

function place({ w, h, gap, columns, shelves, spacing: { header, between } }, width) {
  const boxes = new Map();
  const headers = [];
  let y = 0;
  for (const { rows, headed, groups } of shelves) {
    const top = y + (headed ? header : 0);
    for (const [i, { group, x }] of groups.entries()) {
      const end = i + 1 < groups.length ? groups[i + 1].x - APART : width;
      if (headed) headers.push({ name: group.name, count: group.nodes.length, nodes: group.nodes, x, y, w: end - x });
      group.nodes.forEach((node, i) => {
        boxes.set(node, { x: x + (i % columns) * (w + gap), y: top + Math.floor(i / columns) * (h + gap) });
      });
    }
    y = top + rows * (h + gap) - gap + between;
  }
  return { tile: { w, h }, boxes, headers, header, width, height: y - between };
}

/** About how wide a group's heading is drawn, in pixels. */
function headerWidth(group) {
  return group.name.length * 7 + 36;
}
