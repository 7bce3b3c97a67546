// A decision as Markdown for a ticket: sentence, numbers, link, scheduler version, the snapshot's hash. Pure.

import { filterFunnel, isOverlapping, overlapWords, preemptionFunnel } from "./funnel.js";
import { releaseOf } from "./release.js";
import { plain, sentence } from "./sentence.js";
import { count } from "./units.js";

export function asMarkdown({ event, run, link, extra = "", past = {} }) {
  const { pod } = event;
  const attempt = event.attempt ? `, attempt ${event.attempt}` : "";
  const release = releaseOf(run);
  const lines = [
    `**${inline(`${pod.namespace}/${pod.name}`)}** (priority ${pod.priority}${attempt})`,
    "",
    inline(plain(sentence(event, { seed: run.seed, release, ...past })) + (extra ? ` ${extra}` : "")),
    "",
  ];
  if (event.kind === "attempt") {
    const first = filterFunnel(event, release);
    lines.push(...table("nodes", first));
    if (isOverlapping(first)) lines.push("", overlapWords(release));
    const second = preemptionFunnel(event, release);
    if (second.length) lines.push("", ...table("preemption", second));
    lines.push(...victims(event));
    if (event.message) lines.push("", "```", event.message.replaceAll("```", "'''"), "```");
  }
  const hash = run.snapshot?.content_hash ? `, snapshot \`${run.snapshot.content_hash.slice(0, 12)}\`` : "";
  lines.push(
    "",
    `[Run ${run.id}, decision ${event.seq}](${link}) · ${run.profile}, engine ${run.engine_version}${hash}`,
  );
  const trust = trustPhrases(run.trust);
  if (trust.length) lines.push("", `_${inline(trust.join("; "))}_`);
  return `${lines.join("\n")}\n`;
}

/** The trust line's phrases, but for the snapshot's age. */
export function trustPhrases(trust) {
  if (!trust) return [];
  const phrases = [
    trust.nodes_scored === "all" ? "all nodes scored" : "nodes sampled, as the real scheduler does",
  ];
  if (trust.not_modelled?.length) phrases.push(`not modelled: ${trust.not_modelled.join(", ")}`);
  if (trust.unknown?.length) phrases.push(`not known to this version: ${trust.unknown.join(", ")}`);
  phrases.push(...(trust.missing ?? []));
  return phrases;
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

function table(title, bands) {
  return [
    `| ${title} | |`,
    "| --- | ---: |",
    ...bands.map((band) => `| ${inline(band.label)} | ${count(band.size)} |`),
  ];
}

function inline(text) {
  return text.replace(/[\\`*_[\]<>|#]/g, "\\$&").replace(/\n/g, " ");
}
