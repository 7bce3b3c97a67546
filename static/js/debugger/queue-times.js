// What a queue says of a pod that waits where a clock moves: for how long still, since when, why, and when it is tried
// again at the latest. All instants come from the engine (WaitingRow), in milliseconds. Pure.

import { clock, lasting } from "./units.js";

const TELL = {
  backoff: ({ since, until }, now) => ({
    note: until > now ? `in ${lasting(until - now)}` : "is over",
    left: Math.min(1, Math.max(0, (until - now) / Math.max(1, until - since))),
    lines: [],
  }),
  unschedulable: ({ since, latest, plugins }, now, why) => ({
    note: `for ${lasting(now - since)}`,
    lines: [
      [why, ...plugins].filter(Boolean).join(" · "),
      `since ${clock(since)}`,
      latest !== null && `at the latest ${clock(latest)}`,
    ].filter(Boolean),
  }),
  gated: ({ since, gate, gates = [] }, now) => ({
    note: `for ${lasting(now - since)}`,
    lines: [`since ${clock(since)}`, gates.length ? `until ${gates.join(", ")} ${gates.length > 1 ? "are" : "is"} removed` : gate && `until ${gate} lets it go`].filter(Boolean),
  }),
  in_flight: ({ attempts }) => ({ note: `attempt ${attempts}`, lines: [] }),
};

/**
 * What is said beside and below a pod in a part of a queue: {note, lines, left}; null where only the pod itself counts.
 * `row` is its WaitingRow, `why` what most nodes lacked; `left`, only of a back-off, is the share of it still to come.
 */
export function waitOf(part, row, now, why = "") {
  return row && Object.hasOwn(TELL, part) ? { left: null, ...TELL[part](row, now, why) } : null;
}
