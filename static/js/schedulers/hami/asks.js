// What a pod asks for, in words. HAMi also reads limits; the log has requests only, and some pods have none. Pure.

import { hasCards } from "../../cards.js";
import { requests } from "../../debugger/words/units.js";

/** "2 cpu, 4 GiB memory", "nothing" */
export function asksWords(fold, { requests: wanted }) {
  const said = requests(wanted);
  return said === "nothing" && hasCards(fold) ? "nothing in its requests (HAMi reads its limits)" : said;
}
