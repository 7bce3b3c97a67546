// What an attempt says of each node, in the few words that fit into the foot of its tile. Pure.

import { figure } from "../debugger/inspector/tabs/candidates.js";
import { exactPoints, gapBetween } from "../debugger/inspector/tabs/points.js";
import { isUnmoved, shortReason, tellingReasons, UNMOVED } from "../debugger/words/reasons.js";
import { count, measured, telling } from "../debugger/words/units.js";

const CURABLE = "Unschedulable";
const KEEPS_OUT = ["NoSchedule", "NoExecute"];

/**
 * Map(name of a node -> {mark, words, tone, isStrong}). `facts`: {scheduler, nodes: their rows, requestsOf(uid), found}.
 * `found` is what the log doesn't hold, null until it has come: {rows: the nodes' verdicts, explained: those of nodes that
 * are no candidates}.
 */
export function attemptVerdicts(event, facts) {
  const { preemption, chosen } = event;
  const verdicts = new Map(facts.found ? asked(event, facts) : []);
  for (const explanation of facts.found?.explained ?? [])
    verdicts.set(explanation.node, hopeless(explanation, facts));
  for (const candidate of preemption?.candidates ?? [])
    if (candidate.lost_at) verdicts.set(candidate.node, lost(candidate, preemption, facts));
  if (chosen) verdicts.set(chosen, taken(event, facts));
  if (preemption?.nominated) verdicts.set(preemption.nominated, nominated(preemption, facts));
  return verdicts;
}

/** What the filters and the scores said. */
function asked(event, facts) {
  const { rows } = facts.found;
  const byName = new Map(rows.map((row) => [row.node, row]));
  const winner = byName.get(event.chosen);
  return facts.nodes.map((node) => {
    const row = byName.get(node.name);
    if (!row) return [node.name, said("", "not asked")];
    return [node.name, row.status ? rejected(row, node) : behind(row, winner)];
  });
}

function rejected({ status: { code, reasons }, numbers }, node) {
  return said(code === CURABLE ? "✕" : "⊘", shortage(numbers) || reasonWords(reasons, node));
}

/** Of what there was too little: "1.6 cpu short". */
function shortage(numbers) {
  const short = telling(numbers).filter(({ asked: wanted, free }) => wanted > free);
  return short.map((number) => `${measured(number, number.asked - number.free)} ${number.what} short`).join(", ");
}

function reasonWords(reasons, { taints, unschedulable }) {
  const words = tellingReasons(reasons).map(shortReason).join(", ");
  if (unschedulable && /unschedulable/i.test(words)) return "cordoned: unschedulable";
  const keeping = taints.filter(({ effect }) => KEEPS_OUT.includes(effect));
  return /taint/i.test(words) && keeping.length === 1 ? `taint ${keeping[0].key} not tolerated` : words;
}

function behind(row, winner) {
  if (!row.scores || !winner?.scores) return said("", "fits");
  const gap = gapBetween(parts(winner), parts(row));
  return gap ? said("✕", `${count(gap)} points behind`) : said("=", "equally good, not taken");
}

/** A row's points by plugin. */
function parts({ scores: { total: _, ...plugins } }) {
  return { plugins };
}

/** Where evicting everybody less important isn't enough, and what is missing even then. */
function hopeless({ filters, reprieve }, { requestsOf, scheduler }) {
  const { removed, status } = reprieve ?? { removed: [], status: null };
  if (status?.reasons[0] === scheduler.preemption.no_victims) return said("✕", "nobody less important");
  if (isUnmoved(status?.reasons ?? [])) return said("✕", UNMOVED);
  const freed = (what) => removed.reduce((sum, { uid }) => sum + (requestsOf(uid)[what] ?? 0), 0);
  const numbers = filters
    .filter(({ code }) => code)
    .flatMap(({ numbers: all }) => all)
    .map((number) => ({ ...number, free: number.free + freed(number.what) }));
  const short = numbers.some(({ asked: wanted, free }) => wanted > free) && shortage(numbers);
  const why = short || (status && tellingReasons(status.reasons).map(shortReason).join(", "));
  return said("✕", why ? `no help: still ${why}` : "no help");
}

function lost(candidate, { candidates }, { scheduler }) {
  const { key, label } = scheduler.criteria(candidates).find((one) => one.key === candidate.lost_at);
  return said("✕", key === "name" ? "candidate, equal, not taken" : `candidate, lost: ${label} ${figure(candidate, key)}`);
}

function taken({ total, feasible, best_count: equals, nominated_before: before, chosen }, { scheduler }) {
  if (before === chosen) return strong("placed", "chosen: nominated before");
  if (total === null) return strong("placed", feasible === 1 ? "chosen: the only one that fits" : "chosen");
  const how = equals > 1 ? `, one of ${count(equals)} equal` : "";
  return strong("placed", `chosen: ${exactPoints(total, scheduler)} points${how}`);
}

function nominated({ candidates, candidate_count: all, eliminated, nominated: name, best_count: equals }, { scheduler }) {
  if (all === 1) return strong("preempt", "chosen: the only candidate");
  if (equals > 1) return strong("preempt", `chosen: one of ${count(equals)} equal`);
  const winner = candidates.find(({ node }) => node === name);
  const decisive = scheduler.criteria(candidates).findLast(({ key }) => eliminated[key]);
  if (!winner || !decisive) return strong("preempt", "chosen");
  return strong("preempt", `chosen: ${decisive.label} ${figure(winner, decisive.key)}`);
}

function said(mark, words) {
  return { mark, words, tone: "muted", isStrong: false };
}

function strong(tone, words) {
  return { mark: "✓", words, tone, isStrong: true };
}
