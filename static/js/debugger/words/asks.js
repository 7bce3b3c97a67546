// What a pod asks for, in words. Pure.

import { noteOnNothing } from "../../schedulers/facts.js";
import { requests } from "./units.js";

/** "2 cpu, 4 GiB memory, 1 device of class gpu", "nothing" */
export function asksWords(fold, { requests: wanted, devices = [] }) {
  const amounts = requests(wanted);
  const said = devices.length ? [...(amounts === "nothing" ? [] : [amounts]), ...devices].join(", ") : amounts;
  const note = said === "nothing" && noteOnNothing(fold);
  return note ? `nothing in its requests (${note})` : said;
}
