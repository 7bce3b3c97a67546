// The nodes that a decision is about before all others: the one that was chosen, those that were equally good, candidates; where
// a pod fits on no node, those that come nearest. The rest keep their order. Pure.

/** `nodes` by index, in the reader's order; `marks`: the map's; `whyNot`: node-marks.js, or null. */
export function decidingFirst(nodes, marks, whyNot) {
  const rank = (node) => {
    if (node === marks.chosen) return 0;
    if (marks.best.has(node)) return 1;
    return marks.candidates.has(node) ? 2 : 3;
  };
  if (whyNot) return [...nodes].sort(whyNot.compare);
  const isAbout = marks.chosen !== null || marks.best.size > 0 || marks.candidates.size > 0;
  return isAbout ? [...nodes].sort((a, b) => rank(a) - rank(b)) : nodes;
}
