// What Copy as Markdown adds for an attempt: both funnels, the victims, the scheduler's own message. Pure.

import { filterFunnel, isOverlapping, overlapWords, preemptionFunnel } from "../debugger/inspector/tabs/funnel.js";
import { fenced, inline } from "../debugger/inspector/markdown-text.js";
import { count } from "../debugger/words/units.js";
import { claimSentences } from "./attempt-claims.js";
import { clusterSaid } from "./attempt-sentence.js";

/** Lines of Markdown. */
export function attemptMarkdown(event, scheduler) {
  const first = filterFunnel(event, scheduler);
  const second = preemptionFunnel(event, scheduler);
  return [
    ...table("nodes", first),
    ...(isOverlapping(first) ? ["", overlapWords(scheduler)] : []),
    ...(second.length ? ["", ...table("preemption", second)] : []),
    ...victims(event),
    ...claimsInMarkdown(event),
    ...(event.message ? ["", ...fenced(event.message)] : []),
    ...(event.cluster_said ? ["", inline(clusterSaid(event))] : []),
  ];
}

/** Who is evicted, one line each. */
function victims({ preemption }) {
  if (!preemption?.victims.length) return [];
  const { nominated, candidates } = preemption;
  const known = candidates.find(({ node }) => node === nominated)?.victims ?? [];
  const guarded = new Set(known.filter((victim) => victim.violates_budget).map(({ uid }) => uid));
  const names = preemption.victims.map(({ uid, namespace, name, priority }) => {
    const budget = guarded.has(uid) ? ", against its disruption budget" : "";
    return `- ${inline(`${namespace}/${name}`)} (priority ${priority}${budget})`;
  });
  return ["", `Victims on ${inline(nominated)}:`, "", ...names];
}

/** The devices of the pod's claims, a line each. */
function claimsInMarkdown(event) {
  const sentences = claimSentences(event);
  return sentences.length ? ["", ...sentences.map((sentence) => `- ${inline(sentence)}`)] : [];
}

function table(title, bands) {
  return [
    `| ${title} | |`,
    "| --- | ---: |",
    ...bands.map((band) => `| ${inline(band.label)} | ${count(band.size)} |`),
  ];
}
