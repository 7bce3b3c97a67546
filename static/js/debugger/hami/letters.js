// The letter by which a card on the map, or a column of a table, says why HAMi passed a card over; a node that failed as
// a whole has its letter too. The words are HAMi's own, the letters are ours. Pure.

/** What isn't listed is "o": other. */
export const OTHER = { letter: "o", means: "another reason" };
export const LETTERS = [
  { letter: "m", means: "memory", reasons: ["CardInsufficientMemory"] },
  { letter: "c", means: "cores", reasons: ["CardInsufficientCore", "CardComputeUnitsExhausted"] },
  { letter: "x", means: "exclusive: a whole card is wanted, and somebody is on it", reasons: ["ExclusiveDeviceAllocateConflict"] },
  { letter: "s", means: "slots", reasons: ["CardTimeSlicingExhausted"] },
  { letter: "n", means: "NUMA", reasons: ["NumaNotFit"] },
  { letter: "h", means: "health", reasons: ["CardNotHealth", "CardUnhealthy", "CardCordoned"] },
  { letter: "t", means: "type", reasons: ["CardTypeMismatch", "NodeInsufficientDevice", "ModeNotFit"] },
  { letter: "u", means: "uuid", reasons: ["CardUuidMismatch"] },
  { letter: "q", means: "quota", reasons: ["ResourceQuotaNotFit"] },
];
export const NODE_LETTERS = [
  { letter: "k", means: "the node takes no pods" },
  { letter: "+", means: "too few such cards on the node" },
];

/** {letter, means} of one of HAMi's words. */
export function letterOf(reason) {
  return LETTERS.find(({ reasons }) => reasons.includes(reason)) ?? OTHER;
}
