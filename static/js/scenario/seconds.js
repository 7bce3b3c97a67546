/* Spans of time as people write them: 90, 1.5, 5m, 1h30m. In a draft they are seconds. */

import { count } from "../amounts.js";

export const SHORTEST = 0.001;
/** Ten years: no scenario is longer. */
export const LATEST = 10 * 365 * 86_400;

const WITH_UNITS = /^(?=.)(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s)?$/;
const UNITS = [86_400, 3600, 60, 1];

/** The seconds that a text says as {value}, null for an empty one that may be empty; else {message}. */
export function readSeconds(text, { min, max, optional = false }) {
  const compact = text.replace(/\s+/g, "");
  if (compact === "" && optional) return { value: null };
  const value = secondsOf(compact);
  if (value >= min && value <= max) return { value };
  const range = `from ${min} to ${count(max)}`;
  return { message: `Give seconds ${range}, as 90, 5m or 1h30m${optional ? ", or nothing" : ""}.` };
}

function secondsOf(text) {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  const parts = WITH_UNITS.exec(text);
  if (!parts) return NaN;
  return UNITS.reduce((sum, unit, place) => sum + unit * Number(parts[place + 1] ?? 0), 0);
}
