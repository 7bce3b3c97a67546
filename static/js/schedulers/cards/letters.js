// The letter by which a card on the map, or a column of a table, says why a card was passed over; a node that failed as
// a whole has its letter too. The words are the scheduler's, the letters are ours. Pure.

import { bandOf, NO_CARDS, NOT_ENOUGH, TOO_FEW_OF_VENDOR } from "./reasons.js";

/** Of a card that Volcano has cut by a geometry. */
export const NO_INSTANCE = "MIG has no instance for it";
/** What isn't listed is "o": other. */
export const OTHER = { letter: "o", means: "another reason" };
export const LETTERS = [
  { letter: "m", means: "memory", reasons: ["CardInsufficientMemory", "too little memory is left", "it has less memory than the pod asks for"] },
  { letter: "c", means: "cores", reasons: ["CardInsufficientCore", "CardComputeUnitsExhausted", "too few cores are left", "all its cores are taken, and the pod names no number of them"] },
  { letter: "x", means: "exclusive: a whole card is wanted, and somebody is on it", reasons: ["ExclusiveDeviceAllocateConflict", "the pod wants it for itself, and somebody is on it"] },
  { letter: "s", means: "slots", reasons: ["CardTimeSlicingExhausted", "all its shares are taken"] },
  { letter: "n", means: "NUMA", reasons: ["NumaNotFit"] },
  { letter: "h", means: "health", reasons: ["CardNotHealth", "CardUnhealthy", "CardCordoned"] },
  { letter: "t", means: "type", reasons: ["CardTypeMismatch", "ModeNotFit", "it is not of the type that the pod wants"] },
  { letter: "u", means: "uuid", reasons: ["CardUuidMismatch", "the pod names other cards, or not this one"] },
  { letter: "q", means: "quota", reasons: ["ResourceQuotaNotFit"] },
  { letter: "g", means: "MIG: no free slice is large enough", reasons: ["CardMigTopologyInfeasible", NO_INSTANCE] },
  { letter: "y", means: "quality of service, or class of pods", reasons: ["CardQosPolicyMismatch", "CardAppClassMismatch"] },
  { letter: "p", means: "a pod on it that this one keeps apart from", reasons: ["a pod of the same group is on it", "a pod that it may not share a card with is on it"] },
  { letter: "r", means: "the vendor's own rule", reasons: ["CardNotFoundCustomFilterRule"] },
];
const TOO_FEW = { letter: "+", means: "too few such cards on the node" };
export const NODE_LETTERS = [{ letter: "k", means: "the node takes no pods" }, TOO_FEW];
/** All letters, in their order. */
export const ALL_LETTERS = [...LETTERS, OTHER, ...NODE_LETTERS];

/** What a letter stands for. */
export function meaningOf(letter) {
  return ALL_LETTERS.find((one) => one.letter === letter)?.means ?? OTHER.means;
}

/** {letter, means} of one of these words. */
export function letterOf(reason) {
  return LETTERS.find(({ reasons }) => reasons.includes(reason)) ?? OTHER;
}

/** The letter of a node, by the reason for it: that of all its cards, else that they are too few; "" for none. */
export function nodeLetter(reason) {
  const band = reason && bandOf(reason);
  if (!band || band === NO_CARDS) return "";
  return ([NOT_ENOUGH, TOO_FEW_OF_VENDOR].includes(band) ? TOO_FEW : letterOf(band)).letter;
}

/** Marks side by side with the same letter as runs: [{mark, from, to}], places in the list; "" marks nothing. */
export function runsOf(marks) {
  const runs = [];
  marks.forEach((mark, i) => {
    const last = runs.at(-1);
    if (last && last.mark === mark && last.to === i - 1) last.to = i;
    else if (mark) runs.push({ mark, from: i, to: i });
  });
  return runs;
}
