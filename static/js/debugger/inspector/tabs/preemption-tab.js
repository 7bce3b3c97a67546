// The Preemption tab: may it preempt, the second funnel, the candidates side by side, and for one node the
// sequence "take all less important pods away, put them back from the top", each step shown on the node's tile.

import { drawBands } from "./bands.js";
import { drawCandidates } from "./candidates.js";
import { h } from "../../../drawing/dom.js";
import { preemptionFunnel } from "./funnel.js";
import { isUnmoved } from "../../words/reasons.js";
import { reprieveMarks } from "../../map/marks.js";
import { nodeText, withNode } from "../../names/node-link.js";
import { failingFilters, question } from "./node-section.js";
import { measured, plural } from "../../words/units.js";
import { term } from "../../../terms.js";

/** The status that makes a node part of a band. */
const STATUS_OF = { hopeless: "UnschedulableAndUnresolvable", potential: "Unschedulable" };

export function drawPreemption(tools, event) {
  const { preemption } = event;
  const { names, reading, scheduler } = tools;
  const none = whyNone(event, scheduler);
  if (none) return [h("p", { class: "empty" }, none)];
  const bands = preemptionFunnel(event, scheduler).map((band) => named(band, names));
  const node = stripNode(event, reading.node);
  return [
    drawBands(bands, {
      label: "Nodes on which evicting pods could help",
      pressed: tools.band?.key,
      canPress: (band) => Boolean(band.nodes || band.dryRun || STATUS_OF[band.key]),
      onPress: (band) => tools.pressBand(band, () => nodesOf(tools, event, band)),
    }),
    preemption.potential < event.nodes && incurableWords(scheduler),
    preemption.candidates.length > 0 && [
      h("h3", {}, term("candidate", "Candidates"), h("span", { class: "muted" }, "best first; ✕ where it lost")),
      drawCandidates(event, {
        scheduler,
        names,
        selected: node,
        unfolded: tools.unfolded,
        onNode: tools.onNode,
      }),
    ],
    node && strip(tools, event, node),
    clearedWords(event, names),
    preemption.nominated && whatFollows(scheduler, preemption, names),
  ];
}

/** The band of the chosen node is called by its name. */
function named(band, names) {
  return band.key === "chosen" ? { ...band, label: names.short(band.label), title: band.label } : band;
}

function whatFollows(scheduler, { nominated }, names) {
  const stay = "The victims stay, terminating, until nothing else can be tried; then they are gone together.";
  return [
    h(
      "p",
      { class: "small nomination-note" },
      withNode(names, scheduler.nominationWords(nominated), nominated),
    ),
    scheduler.playing.has_grace && h("p", { class: "small" }, stay),
  ];
}

/** What evicting is taken to be no cure for, in releases where that is a list of failures. */
function incurableWords({ version, preemption: { incurable } }) {
  if (!incurable.length) return null;
  const words = `In ${version} evicting is no cure for: ${incurable.join("; ")}.`;
  return h("p", { class: "muted small" }, words);
}

function clearedWords({ pod, preemption, nominated_before: before }, nodeNames) {
  const others = preemption.cleared.filter(({ uid }) => uid !== pod.uid);
  if (others.length) {
    const names = others.map((other) => `${other.namespace}/${other.name}`);
    const node = nodeText(nodeNames, preemption.nominated);
    return h("p", { class: "small" }, "Lose their nomination to ", node, `: ${names.join(", ")}`);
  }
  if (!preemption.cleared.length || !before) return null;
  const why = "no node is left where evicting could help";
  const node = nodeText(nodeNames, before);
  return h("p", { class: "small" }, "It loses its own nomination to ", node, `: ${why}.`);
}

function whyNone({ outcome, preemption, prefilter }, scheduler) {
  if (outcome === "scheduled") return "The pod was placed without evicting anybody.";
  if (outcome === "gated") return "The pod was held back before the queue, so preemption wasn't asked.";
  if (!scheduler.preemption.is_possible) return "Pod priority is off in this run (podPriority: false), so nobody preempts.";
  if (!preemption) return "Preemption wasn't asked.";
  if (preemption.eligible === null) {
    const before = prefilter ? `${prefilter.plugin} turned the pod away` : "another plugin ended the attempt";
    return `Preemption was never asked: ${before} first. Status: ${preemption.status}.`;
  }
  return preemption.eligible ? null : `The pod may not preempt: ${preemption.reason.replace(/\.$/, "")}.`;
}

/** Lit nodes of a band: named by the event, or looked up in the recorded cycle. */
async function nodesOf(tools, event, band) {
  if (band.nodes) return band.nodes.map((node) => ({ node }));
  const cycle = await tools.evidence.cycle(event.seq);
  const statuses = band.dryRun ? cycle.dryRun.not_candidates : cycle.filter;
  const isWanted = band.dryRun
    ? (status) => (band.unmoved ? isUnmoved(status.reasons) : status.plugin === band.plugin && status.reasons.join("|") === band.reasons.join("|"))
    : (status) => status?.code === STATUS_OF[band.key];
  return Object.entries(statuses)
    .filter(([, status]) => isWanted(status))
    .map(([node, status]) => ({ node, status }));
}

/** The node whose sequence is shown: the selected one, else the one that was chosen or comes first. */
function stripNode({ preemption }, selected) {
  return selected || preemption.nominated || preemption.candidates[0]?.node || null;
}

function strip(tools, event, node) {
  const { names, scheduler } = tools;
  const what = `${node}: take all less important pods away, put back from the top`;
  const heading = (words) => h("h3", {}, h("span", {}, withNode(names, words, node)));
  return h(
    "section",
    { class: "strip-section" },
    tools.later(tools.evidence.node(event.seq, node), ({ reprieve, filters }) => {
      if (!reprieve)
        return [
          heading(question(event, node)),
          h("p", { class: "empty" }, withNode(names, notLookedAt(node, filters, scheduler), node)),
        ];
      return [
        heading(what),
        reprieve.steps.some(({ violates_budget: violates }) => violates) &&
          h("p", { class: "muted small" }, "Pods whose eviction would break a budget are put back first."),
        drawStrip(tools, node, reprieve),
      ];
    }),
  );
}

/** Why preemption passed a node over: what evicting can't cure there. */
function notLookedAt(node, filters, scheduler) {
  const failing = failingFilters(filters, scheduler);
  if (!failing.length) return `Preemption didn't look at ${node}: the pod fits there.`;
  const incurable = failing.filter(({ code }) => code !== "Unschedulable").flatMap(({ reasons }) => reasons);
  const why = incurable.length ? ` (${incurable.join(", ")})` : "";
  return `Preemption didn't look at ${node}: evicting pods can't help there${why}.`;
}

function drawStrip(tools, node, reprieve) {
  const { reading, fold } = tools;
  const number = fold.nodeIndex.get(node);
  const show = (step) => {
    tools.strip = { node: number, reprieve, show, last: reprieve.steps.length };
    reading.set({ reprieve: { node: number, step, states: reprieveMarks(fold, reprieve, step) } });
    tools.markStrip(step);
    tools.onReveal(number);
  };
  tools.strip = { node: number, reprieve, show, last: reprieve.steps.length };
  if (!reprieve.removed.length)
    return h("p", { class: "empty" }, "Nobody on this node is less important, so nobody can be evicted.");
  const fits = reprieve.steps.length > 0;
  const all = card(
    0,
    show,
    "all away",
    plural(reprieve.removed.length, "pod"),
    fits ? "then it fits" : `still no room: ${statusWords(reprieve.status)}`,
    fits ? "start" : "start bad",
  );
  const current = reading.reprieve?.node === number ? reading.reprieve.step : -1;
  const element = h(
    "div",
    { class: "strip", role: "group", aria: { label: `Reprieve sequence on ${node}` } },
    all,
    reprieve.steps.map((step, i) => stepCard(step, i + 1, show)),
  );
  [...element.children].forEach((child, i) => child.setAttribute("aria-pressed", String(i === current)));
  const words = [term("victim", "Victims"), " go, ", term("reprieve", "reprieved"), " pods stay. Press a step, or [ and ], to see it on the tile."];
  return [element, h("p", { class: "muted small" }, words)];
}

/** What the dry run answered, as recorded: a verdict with reasons. */
function statusWords(status) {
  return status?.reasons?.join(", ") || status?.code || String(status ?? "");
}

function stepCard({ pod, violates_budget: budget, outcome, reasons, numbers }, step, show) {
  const lacking = numbers
    .filter(({ asked, free }) => typeof asked === "number" && asked > free)
    .map((number) => `${number.what} ${measured(number, number.asked - number.free)} short`);
  const why = lacking.length ? lacking.join(", ") : reasons.join(", ");
  const text =
    outcome === "reprieved" ? "back, still fits: reprieved" : `back: ${why || "no longer fits"} → victim`;
  return card(
    step,
    show,
    `${pod.namespace}/${pod.name}`,
    `prio ${pod.priority}${budget ? " · violates its budget" : ""}`,
    text,
    outcome,
    reasons.join(", "),
  );
}

function card(step, show, name, note, text, kind, title) {
  return h(
    "button",
    {
      type: "button",
      class: `strip-card ${kind}`,
      data: { step },
      title,
      aria: { pressed: false },
      onclick: () => show(step),
    },
    h("b", {}, name),
    h("span", {}, note),
    h("span", {}, text),
  );
}
