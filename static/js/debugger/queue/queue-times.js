// What a queue says of a pod that waits where a clock moves: for how long still, since when, why, what would wake it, and
// when it is tried again at the latest. All instants come from the engine (WaitingRow), in milliseconds. Pure.

import { clock, lasting } from "../words/units.js";

const TELL = {
  backoff: ({ since, until }, now) => ({
    note: until > now ? `in ${lasting(until - now)}` : "is over",
    left: Math.min(1, Math.max(0, (until - now) / Math.max(1, until - since))),
    lines: [],
  }),
  unschedulable: ({ since, latest, plugins }, now, { why, wakes }) => ({
    note: `for ${lasting(now - since)}`,
    lines: [
      line("why", why || plugins.join(", ")),
      line("since", `since ${clock(since)}`),
      line("wakes", wakes.length && `wakes: ${wakes.join(", ")}`),
      line("latest", latest !== null && `at the latest ${clock(latest)}`),
    ],
  }),
  gated: ({ since, gate, gates }, now) => ({
    note: `for ${lasting(now - since)}`,
    lines: [
      line("since", `since ${clock(since)}`),
      line("wakes", gatesWords(gates?.length ? gates : [gate])),
    ],
  }),
  in_flight: ({ attempts }) => ({ note: `attempt ${attempts}`, lines: [] }),
};

/**
 * What is said beside and below a pod in a part of a queue: {note, lines: [{of, text}], left}; null where only the pod
 * itself counts. `row` is its WaitingRow; `told` {why, wakes}: what its last attempt lacked, and what would wake it
 * (scheduler.js). `left`, only of a back-off, is the share of it still to come.
 */
export function waitOf(part, row, now, told = { why: "", wakes: [] }) {
  if (!row || !Object.hasOwn(TELL, part)) return null;
  const { lines, ...said } = TELL[part](row, now, told);
  return { left: null, ...said, lines: lines.filter(({ text }) => text) };
}

/** What pods of one workload must have in common in a part of a queue to be told as one; the rest may differ. */
export function samenessOf(part, row, why = "") {
  const { until, latest, plugins, gate, gates } = row ?? {};
  return JSON.stringify([why, part === "backoff" ? until : latest, plugins, gate, gates]);
}

function line(of, text) {
  return { of, text: text || "" };
}

function gatesWords(gates) {
  const known = gates.filter(Boolean);
  return known.length && `until ${known.join(", ")} ${known.length > 1 ? "go" : "goes"}`;
}
