// Where each node's tile lies: groups below one another, tiles in rows, as large as the room allows. Pure
// geometry, in units that are pixels at zoom 1. The tile's size decides how much of a node can be shown.

export const LARGEST = 136, LARGE = 84, BARS = 26;
const HEADER = 22, BETWEEN = 10;

/** How much a tile of this width on screen shows: "large", "bars" or "square". */
export function detailOf(width) {
  return width >= LARGE ? "large" : width >= BARS ? "bars" : "square";
}

/** {tile: {w, h}, boxes: Map(node -> {x, y}), headers: [{name, count, x, y}], width, height} */
export function layOut(groups, width, height) {
  const crowd = groups.length > 24 ? groups.length * 4 : 0;
  let chosen = null;
  for (let w = LARGEST; w >= 4; w = w > 40 ? w - 2 : w - 0.5) {
    chosen = measure(groups, w, width);
    if (chosen.height <= height + crowd) break;
  }
  return place(groups, stretched(groups, chosen, height), width);
}

/** Tiles with room below grow taller, up to nearly square: more of a node's pods can be told apart. */
function stretched(groups, measured, height) {
  if (measured.w < BARS) return measured;
  const rows = groups.reduce((sum, group) => sum + Math.ceil(group.nodes.length / measured.columns), 0);
  const spare = Math.max(0, height - measured.height) / Math.max(1, rows);
  return { ...measured, h: Math.min(measured.h + spare, measured.w * 0.82, 104) };
}

function measure(groups, wanted, width) {
  const gap = wanted >= LARGE ? 6 : wanted >= BARS ? 4 : wanted >= 9 ? 2 : 1;
  const columns = Math.max(1, Math.floor((width + gap) / (wanted + gap)));
  const w = Math.min(LARGEST * 1.25, (width + gap) / columns - gap);
  const h = w >= LARGE ? Math.min(76, Math.max(58, w * 0.52)) : w >= BARS ? Math.max(18, w * 0.6) : w;
  let height = 0;
  for (const group of groups) height += headerOf(group) + Math.ceil(group.nodes.length / columns) * (h + gap) - gap + BETWEEN;
  return { w, h, gap, columns, height: height - BETWEEN };
}

function place(groups, { w, h, gap, columns }, width) {
  const boxes = new Map();
  const headers = [];
  let y = 0;
  for (const group of groups) {
    if (headerOf(group)) headers.push({ name: group.name, count: group.nodes.length, x: 0, y });
    y += headerOf(group);
    group.nodes.forEach((node, i) => {
      boxes.set(node, { x: (i % columns) * (w + gap), y: y + Math.floor(i / columns) * (h + gap) });
    });
    y += Math.ceil(group.nodes.length / columns) * (h + gap) - gap + BETWEEN;
  }
  return { tile: { w, h }, boxes, headers, width, height: y - BETWEEN };
}

function headerOf(group) {
  return group.name === "" ? 0 : HEADER;
}
