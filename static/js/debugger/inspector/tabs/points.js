// Points of nodes, also where a scheduler divides zero by zero: what it makes of that is more than a browser's
// numbers hold exactly. Pure. `scheduler`: the run's, which says what stands for 0÷0, if anything does.

import { count } from "../../words/units.js";

/** Whether points are such a quotient, or a total with one in it: no sum of others comes half as far. */
export function isQuotient(points, { scoring: { zero_by_zero: quotient } }) {
  return quotient !== null && points <= quotient / 2;
}

/** A score's points, or a total whose parts aren't known. */
export function exactPoints(points, scheduler) {
  return isQuotient(points, scheduler) ? "0÷0" : count(points);
}

/** A node's total from its parts: the quotient apart from the rest, which a browser can add. */
export function exactTotal({ total, plugins }, scheduler) {
  if (!isQuotient(total, scheduler)) return count(total);
  const others = Object.values(plugins).filter((points) => !isQuotient(points, scheduler));
  return `0÷0 + ${count(sum(others))}`;
}

/** By how much one node is ahead of another; what both lost by dividing by zero cancels out. */
export function gapBetween(ahead, behind) {
  const names = new Set([...Object.keys(ahead.plugins), ...Object.keys(behind.plugins)]);
  return sum([...names].map((name) => (ahead.plugins[name] ?? 0) - (behind.plugins[name] ?? 0)));
}

function sum(numbers) {
  return numbers.reduce((all, number) => all + number, 0);
}
