// A decision as Markdown for a ticket: sentence, numbers, link, scheduler version, the snapshot's hash. Pure.

import { kindOf } from "../../decisions/registry.js";
import { inline } from "./markdown-text.js";
import { plain } from "../words/phrases.js";

/** `scheduler`: the run's, in its own words; `extra`: what the scores add to the sentence; `past`: past.js. */
export function asMarkdown({ event, run, scheduler, link, extra = "", past = {} }) {
  const kind = kindOf(event);
  const { pod } = event;
  const attempt = event.attempt ? `, attempt ${event.attempt}` : "";
  const facts = pod ? ` (priority ${pod.priority}${attempt})` : "";
  const told = plain(kind.sentence(event, { scheduler, seed: run.seed, ...past }));
  const hash = run.snapshot?.content_hash ? `, snapshot \`${run.snapshot.content_hash.slice(0, 12)}\`` : "";
  const trust = trustPhrases(run.trust);
  const lines = [
    `**${inline(kind.who(event).name)}**${facts}`,
    "",
    inline(told + (extra ? ` ${extra}` : "")),
    "",
    ...kind.markdown(event, scheduler),
    "",
    `[Run ${run.id}, decision ${event.seq}](${link}) · ${run.profile}, engine ${run.engine_version}${hash}`,
    ...(trust.length ? ["", `_${inline(trust.join("; "))}_`] : []),
  ];
  return `${lines.join("\n")}\n`;
}

/** So many phrases stand above every decision; where there are more, the others unfold. */
const SHOWN = 4;

/** "plugin numa-aware" of "plugin numa-aware (no Numatopologies)": why it is so is told on the outcome's page. */
const nameOf = (phrase) => phrase.replace(/ \(.*$/s, "");

/** The trust line's phrases, but for the snapshot's age. */
export function trustPhrases(trust) {
  if (!trust) return [];
  const phrases = [
    trust.nodes_scored === "all" ? "all nodes scored" : "nodes sampled, as the real scheduler does",
  ];
  if (trust.release) phrases.push(trust.release);
  phrases.push(...(trust.not_modelled ?? []).map((phrase) => `not modelled: ${phrase}`));
  if (trust.unknown?.length) phrases.push(`not known to this version: ${trust.unknown.join(", ")}`);
  phrases.push(...(trust.missing ?? []));
  if (trust.without_effect?.length) phrases.push(`not played, without effect here: ${trust.without_effect.map(nameOf).join(", ")}`);
  return phrases;
}

/** The phrases that stand above every decision, and those that unfold. */
export function parted(phrases) {
  const shown = phrases.length > SHOWN + 1 ? phrases.slice(0, SHOWN) : phrases;
  return { shown, rest: phrases.slice(shown.length) };
}
