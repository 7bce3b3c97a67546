// Numbers as people read them; of resources, amounts.js.

import { amount, bytes, cores, count, percent, wholePercent } from "../../amounts.js";

export { count, percent, wholePercent };

/** The smallest of 1, 2, 5, 10, 20 … that isn't below a number. */
export function roundStep(wanted) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, wanted)));
  return [1, 2, 5, 10].map((times) => times * power).find((step) => step >= wanted);
}

/** "1 node", "12 nodes" */
export function plural(number, noun) {
  return `${count(number)} ${noun}${number === 1 ? "" : "s"}`;
}

/** An amount given with the unit that an explanation names. */
export function measured({ what, unit }, number) {
  if (number === null || number === undefined) return "?";
  if (typeof number === "string") return number;
  if (unit === "bytes" || unit === "B") return bytes(number);
  if (unit === "m" || unit === "milli" || unit === "milli-CPU" || unit === "millicpu") return cores(number);
  return unit ? `${count(number)} ${unit}` : amount(what, number);
}

/** One number of a verdict as words: "cpu: asks 2, 1.25 free (750m short)". */
export function verdictNumber(number) {
  const { what, asked, free } = number;
  const comparable = typeof asked === "number" && typeof free === "number";
  const short = comparable && asked > free ? ` (${measured(number, asked - free)} short)` : "";
  return `${what}: asks ${measured(number, asked)}, ${measured(number, free)} free${short}`;
}

/** The numbers that explain a rejection: those that are short, or all if none is. */
export function telling(numbers) {
  const short = numbers.filter(
    ({ asked, free }) => typeof asked === "number" && typeof free === "number" && asked > free,
  );
  return short.length ? short : numbers;
}

/** What a pod asks for: "2 cpu, 4 GiB memory". */
export function requests(wanted) {
  const order = ["cpu", "memory"];
  const rank = (name) => (order.includes(name) ? order.indexOf(name) : order.length);
  const asked = Object.entries(wanted ?? {})
    .filter(([, number]) => number > 0)
    .sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1));
  return asked.length
    ? asked.map(([name, number]) => `${amount(name, number)} ${name}`).join(", ")
    : "nothing";
}

/** Hours from which days are counted. */
const DAYS_FROM = 48;

/** Whole hours as days and the hours beyond them; of fewer than two days all are hours. */
function daysAndHours(hours) {
  return hours < DAYS_FROM ? [0, hours] : [Math.floor(hours / 24), hours % 24];
}

/** Milliseconds since a run's start as "0.01 s", "2 min 3.5 s", "26 h 0 min 1 s", "149 d 8 h 9 min 20 s". */
export function instant(milliseconds) {
  const seconds = Math.floor(milliseconds / 1000);
  const [days, hours] = daysAndHours(Math.floor(seconds / 3600));
  const minutes = Math.floor(seconds / 60) % 60;
  const parts = [
    days && `${count(days)} d`,
    (days || hours) && `${hours} h`,
    (days || hours || minutes) && `${minutes} min`,
  ];
  return [...parts.filter(Boolean), `${Number(((milliseconds % 60_000) / 1000).toFixed(3))} s`].join(" ");
}

/** The clock at milliseconds since a run's start: "0:05.010", "12:00.000", "1:02:03.500", "149 d 8:09:20.000". */
export function clock(milliseconds) {
  const whole = Math.max(0, Math.floor(milliseconds));
  const digits = (number, width) => String(number).padStart(width, "0");
  const [days, hours] = daysAndHours(Math.floor(whole / 3_600_000));
  const minutes = Math.floor(whole / 60_000) % 60;
  const seconds = `${digits(Math.floor(whole / 1000) % 60, 2)}.${digits(whole % 1000, 3)}`;
  const time = days || hours ? `${hours}:${digits(minutes, 2)}:${seconds}` : `${minutes}:${seconds}`;
  return days ? `${count(days)} d ${time}` : time;
}

/** How long milliseconds last: "0.4 s", "12 s", "2:14", "1:00:05". */
export function lasting(milliseconds) {
  const tenths = Math.round(Math.max(0, milliseconds) / 100);
  return tenths < 600 ? `${tenths / 10} s` : clock(tenths * 100).split(".")[0];
}

/** How long something has lasted, in whole seconds: "0:54", "12:00", "1:02:03". */
export function stopwatch(milliseconds) {
  return clock(milliseconds).replace(/\.\d+$/, "");
}

/** How long ago, in the largest whole unit: "3 h", "2 days". */
export function age(instant, now = Date.now()) {
  const seconds = Math.max(0, (now - Date.parse(instant)) / 1000);
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 129600) return `${Math.round(seconds / 3600)} h`;
  return plural(Math.round(seconds / 86400), "day");
}
