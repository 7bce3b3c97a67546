// The tries of a node's cards in words: which container, in which order, how many with which verdict. Pure.

import { NOT_REACHED, TAKEN } from "./answer.js";
import { letterOf, NO_INSTANCE } from "./letters.js";

/** All tries of a node's containers, one after the other. */
export function allTries(containers) {
  return containers.flatMap(({ tries }) => tries);
}

/** What heads the tries of one container: its vendor, and where there are more entries than one its name too. */
export function containerWords({ container, vendor }, containers) {
  return containers.length > 1 ? `${container}, ${vendor}` : vendor;
}

/** Each card of a container's tries once, in their order; taken, if any try of it was. */
export function eachOnce(tries) {
  const found = new Map();
  for (const one of tries) if (!found.has(one.key) || one.verdict === TAKEN) found.set(one.key, one);
  return [...found.values()];
}

/** Counts by verdict and reason in the order of the tries: [{word, size}]; taken last, not reached before it. */
export function countedTries(tries) {
  const counts = new Map();
  for (const { verdict, reason } of tries) {
    const word = reason || verdict;
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const rank = (word) => [NOT_REACHED, TAKEN].indexOf(word);
  return [...counts].map(([word, size]) => ({ word, size })).sort((a, b) => rank(a.word) - rank(b.word));
}

/** In which order the cards of a node were tried for a container; of a node without such cards, none was. */
export function orderWords(tries, policy, byNuma) {
  if (!tries.length) return "no card of this node was tried";
  const order = policy ? ` ${policy === "spread" ? "emptiest" : "fullest"} first (${policy})` : " in this order";
  return `tried${byNuma ? " by NUMA node," : ""}${order}`;
}

/** Which slice of a card in MIG mode a container gets and why, or why none; "" where MIG has no say. */
export function sliceWords(mig, { verdict, reason }) {
  if (!mig) return "";
  if (verdict === TAKEN && mig.slices.length) return `slice${mig.slices.length === 1 ? "" : "s"} ${mig.slices.join(", ")}: the least profile with enough memory and a free place. `;
  if (letterOf(reason).letter !== "g") return "";
  const inUse = mig.inUse.length ? `; in use: ${mig.inUse.join(", ")}` : "";
  if (reason === NO_INSTANCE && mig.profiles.length) return `${mig.profiles.join(", ")} would be large enough; of a card in use only a free instance of a profile in use is given${inUse}. `;
  return mig.profiles.length ? `${mig.profiles.join(", ")} would be large enough and ${mig.profiles.length === 1 ? "has" : "have"} no free place${inUse}. ` : "it has no profile with so much memory. ";
}
