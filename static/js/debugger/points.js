// Points of nodes, also where 1.8 divides zero by zero: SelectorSpreadPriority then gives -2^63, which is more
// than a browser's numbers hold exactly. Pure.
//
// Source: scheduler_core/kube/priorities/selector_spread_priority.py.

import { count } from "./units.js";

/** Below this a number is such a quotient: no sum of priority functions comes near it. */
const QUOTIENT = -(2 ** 62);

export function isQuotient(points) {
  return points < QUOTIENT;
}

/** A priority function's points, or a total whose parts aren't known. */
export function exactPoints(points) {
  return isQuotient(points) ? "0÷0" : count(points);
}

/** A node's total from its parts: the quotient apart from the rest, which a browser can add. */
export function exactTotal({ total, plugins }) {
  if (!isQuotient(total)) return count(total);
  return `0÷0 + ${count(sum(Object.values(plugins).filter((points) => !isQuotient(points))))}`;
}

/** By how much one node is ahead of another; what both lost by dividing by zero cancels out. */
export function gapBetween(ahead, behind) {
  const names = new Set([...Object.keys(ahead.plugins), ...Object.keys(behind.plugins)]);
  return sum([...names].map((name) => (ahead.plugins[name] ?? 0) - (behind.plugins[name] ?? 0)));
}

function sum(numbers) {
  return numbers.reduce((all, number) => all + number, 0);
}
