/* Pods that name a scheduler which the scenario has not, in words; pure. They come as {scheduler, pods}, as REST lists
   them. */

import { plural } from "../debugger/words/units.js";

/** Names that are listed before the rest is only counted. */
const LISTED = 3;

/** How many pods they are together. */
export function podsOf(leftAlone) {
  return leftAlone.reduce((sum, { pods }) => sum + pods, 0);
}

export function podsInWords(pods) {
  return plural(pods, "pod");
}

/** Which scheduler how many of them name; those that most pods name come first. */
export function unservedWords(leftAlone) {
  const ordered = [...leftAlone].sort((one, other) => other.pods - one.pods);
  const listed = ordered.slice(0, LISTED).map(({ scheduler, pods }) => `${podsInWords(pods)} ${pods === 1 ? "names" : "name"} ${scheduler}`);
  const more = podsOf(ordered.slice(LISTED));
  if (more) listed.push(`${podsInWords(more)} ${more === 1 ? "names" : "name"} others`);
  return listed.length ? `${listed.join(", ")}.` : "";
}
