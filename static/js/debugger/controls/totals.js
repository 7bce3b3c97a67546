// Beside the foot: how many nodes there are, how many pods were placed, evicted and deleted so far, and how many are pending.

import { part } from "../parts.js";
import { count, plural } from "../words/units.js";

/** `parts`: {log, reading, standing} */
export function drawTotals({ log, reading, standing }) {
  reading.when([standing, "gated"], () => {
    part("nodes").textContent = plural(log.fold.presentNodes().length, "node");
    part("totals").textContent = totalsOf(log).join(" · ");
  });
}

function totalsOf(log) {
  const { at, unserved } = log.fold;
  const since = log.isFromStart ? "" : ` since decision ${count(log.first)}`;
  const soFar = (column) => (at > log.first ? column.get(at) : 0);
  const deleted = soFar(log.deletedSoFar);
  return [
    `placed ${count(soFar(log.placedSoFar))}${since}`,
    `evicted ${count(soFar(log.evictedSoFar))}${since}`,
    deleted > 0 && `deleted by controllers ${count(deleted)}${since}`,
    `pending ${count(log.pending)}`,
    unserved > 0 && `without a scheduler ${count(unserved)}`,
  ].filter(Boolean);
}
