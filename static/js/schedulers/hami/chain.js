// How many nodes and cards were left at each stage of a decision: 15 › kube 12 › HAMi 3 › binpack gpu-a03 › 2 of 8. Pure.

import { count } from "../../debugger/words/units.js";
import { TAKEN } from "../cards/answer.js";

/**
 * The steps: [{words}]. `asked`: nodes sent to HAMi; `fits`: how many it would
 * take; `tries`: of the chosen node's cards, if they are known.
 */
export function chainOf({ nodes, asked, fits, policy, chosen, tries }) {
  const steps = [
    { words: count(nodes) },
    { words: `kube ${count(asked)}` },
    { words: `HAMi ${count(fits)}` },
  ];
  if (!chosen) return steps;
  steps.push({ words: `${policy} ${chosen}`.trim() });
  if (tries) {
    const keys = new Set(tries.map(({ key }) => key));
    const taken = new Set(tries.filter(({ verdict }) => verdict === TAKEN).map(({ key }) => key));
    steps.push({ words: `${taken.size} of ${keys.size}` });
  }
  return steps;
}
