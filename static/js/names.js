// The order of names for people: numbers in them count as numbers, so that worker-2 stands before worker-10. Logs,
// decisions and whatever shows a scheduler's own order don't ask here. dashboard/natural_order.py does the same. Pure.

const collator = new Intl.Collator("en", { numeric: true });

/** Compares two names, for `sort`. */
export function byName(a, b) {
  return collator.compare(a, b) || (a < b ? -1 : Number(a > b));
}
