// What stands in the foot of a node's tile: that it has failed and for how long, what the decision says of it, which
// room was just freed on it. Pure.

import { isDevice } from "./loads.js";
import { amount } from "../../amounts.js";
import { stopwatch } from "../words/units.js";

/**
 * {mark, words, parts, tone, isStrong}, or null where there is nothing to say. `verdict`: the decision's (verdicts.js), or
 * undefined; `now`: the reader's clock in milliseconds, null where none moves.
 */
export function footOf(fold, node, { freed, verdict, now, resource }) {
  const parts = [
    fold.failed.has(node) && { mark: "", words: failedWords(fold, node, now), tone: "unsched", isStrong: true },
    verdict,
    freed && { mark: "", words: freedWords(freed, resource), tone: "placed", isStrong: true },
  ].filter(Boolean);
  if (!parts.length) return null;
  const said = parts.map(({ words }) => words);
  return { ...parts[0], parts: said, words: said.join(" · ") };
}

/** As much of a foot as `fits(words)`: all of it, else its first parts, else the end of the first: what it comes to. */
export function shortened({ mark, parts }, fits) {
  const marked = (words) => (mark ? `${mark} ${words}` : words);
  const beginnings = parts.map((_, i) => parts.slice(0, parts.length - i).join(" · "));
  const end = parts[0].slice(parts[0].lastIndexOf(": ") + 1).trim();
  return [...beginnings, end].map(marked).find(fits) ?? marked(end);
}

/** That a node isn't ready, and since when, where a clock moves: "NotReady 0:54". */
export function failedWords(fold, node, now) {
  const seq = fold.failedBy(node);
  const since = seq === null ? null : fold.timeOf(seq);
  return since === null || now === null ? "NotReady" : `NotReady ${stopwatch(now - since)}`;
}

/** The scarcest thing first: devices, then the resource that the reader looks at. */
export function freedWords(freed, resource) {
  const names = Object.keys(freed).filter((name) => freed[name] > 0);
  const chosen = names.find(isDevice) ?? names.find((name) => name === resource) ?? names[0];
  if (chosen === undefined) return "a place freed";
  const isPlain = !isDevice(chosen);
  const unit = isPlain ? chosen : chosen.slice(chosen.lastIndexOf("/") + 1).toUpperCase();
  return `${amount(chosen, freed[chosen])} ${unit} freed`;
}
