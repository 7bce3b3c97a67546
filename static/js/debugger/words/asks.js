// What a pod asks for, in words. Pure.

import { noteOnNothing } from "../../schedulers/facts.js";
import { requests } from "./units.js";

/** "2 cpu, 4 GiB memory", "nothing" */
export function asksWords(fold, { requests: wanted }) {
  const said = requests(wanted);
  const note = said === "nothing" && noteOnNothing(fold);
  return note ? `nothing in its requests (${note})` : said;
}
