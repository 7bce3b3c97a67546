// How amounts of resources are written for people: one rule, here and in dashboard/amounts.py, which says it in full.
// In the log `cpu` is in milli-CPU, memory and disk in bytes, the rest in whole units or parts of them. Pure.

const BINARY = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
const UNKNOWN = "–";
const grouped = new Intl.NumberFormat("en");

/** 12345 -> "12,345" */
export function count(number) {
  return grouped.format(number);
}

/** An amount of a resource with its unit: "250m" and "16" of cpu, "31.3 GiB", "2.67". */
export function amount(resource, value) {
  if (resource === "cpu") return cores(value);
  return isBytes(resource) ? bytes(value) : number(value);
}

/** Milli-CPU as "250m" below one core, else in cores: "16", "1.25". */
export function cores(milli) {
  if (isUnknown(milli)) return UNKNOWN;
  const whole = rounded(milli, 0);
  if (whole > 0 && whole < 1000) return `${sign(milli)}${whole}m`;
  return `${whole ? sign(milli) : ""}${decimals(whole, 3)}`;
}

/** Bytes in the largest binary unit of which there is at least one: "300 B", "31.3 GiB". */
export function bytes(value) {
  if (isUnknown(value)) return UNKNOWN;
  let size = Math.abs(value),
    unit = 0,
    tenths = 10 * rounded(size, 0);
  while (tenths >= 10_240 && unit < BINARY.length - 1) {
    size /= 1024;
    unit++;
    tenths = rounded(size, 1);
  }
  return `${tenths ? sign(value) : ""}${decimals(tenths, 1)} ${BINARY[unit]}`;
}

/** A number of whole things, or of parts of them: "12,000", "2.67"; what would be rounded to nothing is "<0.01". */
export function number(value) {
  if (isUnknown(value)) return UNKNOWN;
  const hundredths = rounded(value, 2);
  if (value && !hundredths) return "<0.01";
  return `${sign(value)}${decimals(hundredths, 2)}`;
}

/** A share of a whole, 1 for all of it, in percent: "8.1 %", "<0.1 %"; without digits behind the point "8 %". */
export function percent(share, digits = 1) {
  if (isUnknown(share)) return UNKNOWN;
  const units = rounded(100 * share, digits),
    least = 10 ** -digits;
  if (share > 0 && !units) return `<${least} %`;
  if (share < 1 && units === 100 * 10 ** digits) return `>${100 - least} %`;
  return `${units ? sign(share) : ""}${decimals(units, digits)} %`;
}

/** The same in whole percent, for where there is little room: "8 %". */
export function wholePercent(share) {
  return percent(share, 0);
}

export function isBytes(resource) {
  return ["memory", "ephemeral-storage", "storage"].includes(resource) || resource.startsWith("hugepages-");
}

const isUnknown = (value) => value === null || value === undefined;
const sign = (value) => (value < 0 ? "−" : "");

/** How many times a number without its sign has the last of so many decimals; halves count as one. */
function rounded(value, digits) {
  return Math.floor(Math.abs(value) * 10 ** digits + 0.5);
}

/** So many units of the last of `digits` decimals, without zeros at the end. */
function decimals(units, digits) {
  const whole = Math.floor(units / 10 ** digits);
  const rest = String(units - whole * 10 ** digits).padStart(digits, "0").replace(/0+$/, "");
  return rest ? `${count(whole)}.${rest}` : count(whole);
}
