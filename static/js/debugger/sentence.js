// The answer in one sentence, built from the log's figures: who, where to, at whose cost, and the one reason
// that decided. A sentence is a list of parts, {text, strong?, node?, pod?}, so that it can be drawn with
// links, and read or copied as plain text.

import { count, plural } from "./units.js";

const CRITERIA = [
  "pdb_violations",
  "highest_priority",
  "priority_sum",
  "victim_count",
  "earliest_start",
  "name",
];

const t = (text) => ({ text });
const strong = (text) => ({ text, strong: true });
const node = (name) => ({ text: name, strong: true, node: name });
const pod = (ref) => ({ text: `${ref.namespace}/${ref.name}`, strong: true, pod: ref.uid });

export function sentence(event, { seed = null } = {}) {
  if (event.kind === "eviction") return evictionSentence(event);
  switch (event.outcome) {
    case "scheduled":
      return scheduledSentence(event, seed);
    case "nominated":
      return nominatedSentence(event);
    case "gated":
      return gatedSentence(event);
    case "error":
      return [strong("The attempt ended in an error"), t(event.message ? `: ${event.message}` : ".")];
    default:
      return unschedulableSentence(event);
  }
}

export function plain(parts) {
  return parts.map((part) => part.text).join("");
}

/** Strip what every reason has in common: "node(s) had untolerated taint(s)" -> "untolerated taint(s)". */
export function shortReason(reason) {
  return reason.replace(/^node\(s\) (had |have )?/, "").replace(/^Insufficient /, "insufficient ");
}

function scheduledSentence(event, seed) {
  const { chosen, best, feasible, nodes } = event;
  if (event.nominated_before && event.nominated_before === chosen) {
    const also = event.visited > 1 ? "" : "; no other node was asked";
    return [t("Takes "), node(chosen), t(`, the node it was nominated to${also}.`)];
  }
  const from = event.nominated_before
    ? [t(" It leaves its nomination to "), node(event.nominated_before), t(".")]
    : [];
  if (feasible === 1) {
    return [
      t("Goes to "),
      node(chosen),
      t(", the "),
      strong("only one"),
      t(` of ${plural(nodes, "node")} that fits.`),
      ...from,
    ];
  }
  const total = event.total === null ? "" : ` (total ${count(event.total)})`;
  if (best.length > 1) {
    const draw =
      seed === null
        ? "the real scheduler picks one at random"
        : `drawn with seed ${seed}; the real scheduler picks one at random`;
    const equals =
      best.length === feasible
        ? `any of ${best.length} equal nodes, all that fit`
        : `any of ${best.length} equal nodes`;
    return [t("Goes to "), node(chosen), t(", "), strong(equals), t(`${total}; ${draw}.`), ...from];
  }
  return [
    t("Goes to "),
    node(chosen),
    t(", the "),
    strong("best"),
    t(` of ${plural(feasible, "node")} that fit${total}.`),
    ...from,
  ];
}

function nominatedSentence(event) {
  const { preemption } = event;
  const victims = preemption.victims.length;
  const parts = [
    t("Fits on "),
    strong(`none of ${plural(event.nodes, "node")}`),
    t(". Evicting "),
    strong(plural(victims, "pod")),
    t(" on "),
    node(preemption.nominated),
    t(" makes room: "),
    ...whyThisNode(preemption),
    t("."),
  ];
  if (preemption.cleared.length) {
    parts.push(t(" It takes the nomination from "), ...list(preemption.cleared.map(pod)), t("."));
  }
  return parts;
}

/** The last criterion at which a rival dropped out is the one that decided. */
export function decidingCriterion(candidates) {
  let decided = -1;
  for (const candidate of candidates) {
    if (candidate.lost_at) decided = Math.max(decided, CRITERIA.indexOf(candidate.lost_at));
  }
  return decided < 0 ? null : CRITERIA[decided];
}

function whyThisNode({ candidates, candidate_count: all, nominated, best }) {
  const chosen = candidates.find((candidate) => candidate.node === nominated);
  if (all === 1) return [t("it is the "), strong("only node"), t(" where evicting helps")];
  const of = `of ${count(all)} candidates `;
  if (best.length > 1) {
    return [t(of), strong(`${best.length} are equal`), t(", the real scheduler picks one of them at random")];
  }
  switch (decidingCriterion(candidates)) {
    case "pdb_violations":
      return [t(`${of}it violates the `), strong("fewest budgets"), t(` (${chosen.pdb_violations})`)];
    case "highest_priority":
      return [
        t(`${of}its highest victim has the `),
        strong("lowest priority"),
        t(` (${chosen.highest_priority})`),
      ];
    case "priority_sum":
      return [
        t(`${of}its victims' `),
        strong("priorities weigh least"),
        t(` (${plural(chosen.victim_count, "victim")})`),
      ];
    case "victim_count":
      return [t(`${of}it has the `), strong("fewest victims"), t(` (${chosen.victim_count})`)];
    case "earliest_start":
      return [
        t(`${of}its most important victim `),
        strong("started last"),
        t(
          chosen.earliest_start
            ? ` (${chosen.earliest_start.replace("T", "\u00a0").replaceAll("-", "\u2011")})`
            : "",
        ),
      ];
    default:
      return [t(`${of}it comes first`)];
  }
}

function unschedulableSentence(event) {
  if (event.prefilter) {
    const { plugin, reasons } = event.prefilter;
    return [
      t("Is turned away "),
      strong("before any node is asked"),
      t(`: ${plugin} says ${reasons.join(", ")}.`),
      ...preemptionHalf(event),
    ];
  }
  const byReason = new Map();
  for (const rejection of event.rejections) {
    for (const reason of rejection.reasons)
      byReason.set(reason, (byReason.get(reason) ?? 0) + rejection.nodes);
  }
  const [main, ...others] = [...byReason].sort((a, b) => b[1] - a[1]);
  if (!main)
    return [
      t("Fits on "),
      strong(`none of ${plural(event.nodes, "node")}`),
      t("."),
      ...preemptionHalf(event),
    ];
  const rest = others.slice(0, 2).map(([reason, nodes]) => `${count(nodes)} ${shortReason(reason)}`);
  if (others.length > 2) rest.push(`${others.length - 2} more reasons`);
  const everyone = main[1] === event.nodes ? `all ${count(main[1])}` : count(main[1]);
  return [
    t("Fits on "),
    strong(`none of ${plural(event.nodes, "node")}`),
    t(": "),
    strong(`${everyone} ${shortReason(main[0])}`),
    t(rest.length ? `; ${rest.join(", ")}.` : "."),
    ...preemptionHalf(event),
  ];
}

function preemptionHalf({ preemption }) {
  if (!preemption || preemption.eligible === null) return [];
  if (!preemption.eligible) {
    const reason = preemption.reason.replace(/^not eligible due to /, "").replace(/\.$/, "");
    return [t(" It may not preempt: "), strong(reason), t(".")];
  }
  if (!preemption.potential) return [t(" "), strong("Evicting can't help"), t(" on any of them.")];
  const [most] = [...preemption.not_candidates].sort((a, b) => b.nodes - a.nodes);
  const because = !most
    ? ""
    : most.reasons[0] === "No preemption victims found for incoming pod"
      ? ": nobody there is less important"
      : `: ${shortReason(most.reasons[0])} even then`;
  const where =
    preemption.potential === 1
      ? "the one node where evicting could help"
      : `the ${count(preemption.potential)} nodes where evicting could help`;
  return [t(" It finds "), strong("no victims"), t(` on ${where}${because}.`)];
}

function gatedSentence(event) {
  const { plugin, reasons } = event.preenqueue ?? { plugin: "PreEnqueue", reasons: [] };
  return [
    strong("Waits outside of the queue"),
    t(`: ${plugin} holds it back${reasons.length ? ` (${reasons.join(", ")})` : ""}.`),
  ];
}

function evictionSentence(event) {
  if (event.outcome === "evicted")
    return [t("Is "), strong("evicted from "), node(event.node), t(", as an edit asks.")];
  if (event.outcome === "refused") {
    return [
      strong("Stays on "),
      node(event.node),
      t(`: its eviction is refused${event.message ? `, ${event.message}` : ""}.`),
    ];
  }
  return [strong("Is left alone on "), node(event.node), t(event.message ? `: ${event.message}.` : ".")];
}

function list(items) {
  return items.flatMap((item, i) => (i === 0 ? [item] : [t(i === items.length - 1 ? " and " : ", "), item]));
}

/** Why the best node beat the next: the plugin with the largest lead, from the scores by total. */
export function leadSentence(rows, best) {
  const winner = rows[0];
  const second = rows.find((row) => !best.includes(row.node));
  if (!winner || !second) return [];
  let decided = null;
  for (const plugin of Object.keys(winner.plugins)) {
    const lead = winner.plugins[plugin] - (second.plugins[plugin] ?? 0);
    if (!decided || lead > decided.lead) decided = { plugin, lead };
  }
  const gap = winner.total - second.total;
  return [
    strong(decided.plugin),
    t(` decides: +${decided.lead} over `),
    node(second.node),
    t(decided.lead === gap ? ", the next." : `, the next; ${gap} in all.`),
  ];
}
