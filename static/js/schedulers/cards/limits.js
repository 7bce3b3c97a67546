// One card's use in figures and in a sentence: which of memory, cores and slots is used up. Pure.

import { count, plural } from "../../debugger/words/units.js";

const ALL_CORES = 100;
const SHARED_SOFTLY = `pods in hami-core mode may have up to ${ALL_CORES} of an NPU's cores, however many it registered`;

/** Whether a vendor's cards are NPUs of Ascend, which pods in hami-core mode share. */
export function isAscend(vendor) {
  return vendor.startsWith("Ascend");
}

/** That more of something is given than there is, and why that may be; "" where it isn't. `what`: cores, MiB, slots. */
export function overWords(what, used, all, vendor) {
  if (used <= all) return "";
  const why = what === "cores" && isAscend(vendor) ? SHARED_SOFTLY : "so the pods' annotations say";
  return `${count(used)} of ${count(all)} ${what} given: ${why}`;
}

/** [{what, used, all, unit}] of a card. */
export function limitsOf({ used, slots, used_memory: memory, memory: all, used_cores: cores, cores: allCores }) {
  return [
    { what: "memory", used: memory, all, unit: " MiB" },
    { what: "cores", used: cores, all: allCores, unit: "" },
    { what: "slots", used, all: slots, unit: "" },
  ];
}

/** Whether pods get slices of a card, so that what is free of it can't be had in any amount. */
export function isCut({ mode }) {
  return mode === "mig";
}

/** What of a card is used up: names of its limits. */
export function usedUp(card) {
  return limitsOf(card).filter(({ used, all }) => all > 0 && used >= all).map(({ what }) => what);
}

/** Who may still come, as parts (phrases.js): {text, strong}. */
export function roomWords(card) {
  const { health, used, slots, used_memory: memory, memory: all, used_cores: cores, cores: allCores } = card;
  const free = `${count(Math.max(0, all - memory))} MiB and ${plural(Math.max(0, allCores - cores), "core")}`;
  const text = (words, strong = false) => ({ text: words, strong });
  if (!health) return [text(`${free} are free, but `), text("nobody may come", true), text(": the card isn't healthy.")];
  const full = usedUp(card);
  if (!full.length && isCut(card)) return [text(`${free} are free, but only `), text("as slices", true), text(": MIG cuts the card, and a slice needs a place beside those in use.")];
  if (!full.length) return [text(`${free} are free, and `), text(plural(slots - used, "slot"), true), text(".")];
  if (full.length === 3) return [text("It is full", true), text(": memory, cores and slots.")];
  if (full.includes("slots"))
    return [text(`${free} stay free, but `), text(`no ${ordinal(used + 1)} pod may come`, true), text(": the slots are taken.")];
  if (full.includes("memory")) return [text("No memory is left", true), text(`; ${plural(slots - used, "slot")} stay free.`)];
  return [text(`${free} are free, but `), text("no core is left", true), text(`: ${withoutCores(card)}.`)];
}

/** Who may still come to a card whose cores are used up. */
function withoutCores({ vendor, used_cores: used, cores }) {
  if (isAscend(vendor) && cores < ALL_CORES && used < ALL_CORES)
    return `${count(used)} of ${count(cores)} are given. Only pods in hami-core mode may come: they may have up to ${ALL_CORES} of an NPU's cores, however many it registered`;
  const over = overWords("cores", used, cores, vendor);
  return `${over && `${over}. So `}nobody may come${cores === ALL_CORES ? ", not even one that asks for none" : ""}`;
}

function ordinal(number) {
  const names = ["", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh"];
  if (names[number]) return names[number];
  const [tens, ones] = [number % 100, number % 10];
  const ending = tens > 10 && tens < 14 ? "th" : (["th", "st", "nd", "rd"][ones] ?? "th");
  return `${number}${ending}`;
}
