// Decisions in columns for the time line: how they ended and how many nodes could take the pod. What a column says is
// the difference of two sums, so that it costs the same for ten decisions and for a million. Pure.

/**
 * A span of an axis in equally wide columns: [{place, from, to}], the decisions of each; columns without one are left out.
 */
export function binsOf(axis, { from, to }, columns) {
  const bins = [];
  const wide = (to - from) / columns;
  let last = axis.before(from);
  for (let place = 0; place < columns; place++) {
    const end = place === columns - 1 ? axis.by(to) : axis.before(from + (place + 1) * wide);
    if (end > last) bins.push({ place, from: last + 1, to: end });
    last = Math.max(last, end);
  }
  return bins;
}

/** Bins with {tones: a number for each of TONES, fitting: mean share or NaN, preemptions}. */
export function bucketsOf(figures, bins) {
  return bins.map(({ from, to, ...bin }) => {
    const tones = figures.tonesWithin(from, to);
    return { ...bin, from, to, tones, fitting: figures.fittingWithin(from, to), preemptions: tones[1] };
  });
}

/** The bin in which a decision is, or undefined. */
export function binOf(bins, seq) {
  return bins.find(({ from, to }) => seq >= from && seq <= to);
}
