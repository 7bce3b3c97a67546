// A node's pods on top of one another: as high as their part of the chosen resource, from the bottom. Who leaves and
// who takes that room stand side by side. Pure geometry, in pixels.

/** Below this height a pod is a line without a name, and free room says nothing. */
export const NAMED = 12;
const LEAST = 2,
  NOTHING = 1,
  BETWEEN = 4;

/**
 * {boxes: [{block, box}], free: {box, amount} or null}: the places of `staying`, `leaving` and `taking` blocks
 * ({pod, …}) in an area {x, y, w, h}. `amountOf(pod)` and `whole`, what the node has, are in the same unit; `free` is
 * what is left beside all of them.
 */
export function stackOf(area, { staying, leaving, taking }, amountOf, whole) {
  const heightOf = ({ pod }) => {
    const share = whole ? amountOf(pod) / whole : 0;
    return share > 0 ? Math.max(LEAST, share * area.h) : NOTHING;
  };
  const tall = (blocks) => sum(blocks.map(heightOf));
  const used = tall(staying) + Math.max(tall(leaving), tall(taking));
  const scale = used > area.h ? area.h / used : 1;
  const bottom = area.y + area.h;
  const pile = (blocks, from, { x, w }) => {
    let y = from;
    return blocks.map((block) => {
      const h = heightOf(block) * scale;
      y -= h;
      return { block, box: { x, y, w, h: h > 3 ? h - 1 : h } };
    });
  };
  const upon = bottom - tall(staying) * scale;
  const [left, right] = leaving.length && taking.length ? halves(area) : [area, area];
  const boxes = [...pile(staying, bottom, area), ...pile(leaving, upon, left), ...pile(taking, upon, right)];
  const asked = (blocks) => sum(blocks.map(({ pod }) => amountOf(pod)));
  const amount = whole - asked(staying) - Math.max(asked(leaving), asked(taking));
  const box = { ...area, h: area.h - used * scale };
  return { boxes, free: whole && amount > 0 && box.h > 0 ? { box, amount } : null };
}

function halves({ x, w }) {
  const half = (w - BETWEEN) / 2;
  return [
    { x, w: half },
    { x: x + half + BETWEEN, w: half },
  ];
}

function sum(numbers) {
  return numbers.reduce((all, number) => all + number, 0);
}
