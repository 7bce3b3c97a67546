// A queue's figures in one resource: what its bar draws and what is said of it. Pure.
//
// The log has milli-CPU, bytes, pods, and thousandths of every other resource; here all is in the units that the rest of
// the page has (amounts.js).

import { amount, isBytes } from "../../amounts.js";

const WHOLE = ["cpu", "pods"];

/** An amount of the log's in the page's units. */
export function inUnits(resource, figure) {
  if (figure === null || figure === undefined) return figure;
  return WHOLE.includes(resource) || isBytes(resource) ? figure : figure / 1000;
}

/** A figure of a queue's row in the page's units; undefined where it says nothing: a capability of no cpu or memory names none. */
export function figureOf(row, figure, resource) {
  const number = inUnits(resource, row[figure][resource]);
  const namesNone = figure === "capability" && number === 0 && ["cpu", "memory"].includes(resource);
  return namesNone ? undefined : number;
}

/**
 * {isKnown, allocated, tried, deserved, guarantee, capability, over, under}: `allocated` without what a statement tries (`tried`);
 * null is no limit, or not known. `isBack`: they were taken back, and are no part of what the log has as allocated.
 * `heldNow()`: what the queue's pods on nodes take, which counts until a session has said what is allocated.
 */
export function figuresOf(row, resource, { tried = 0, isBack = false, heldNow = () => 0 } = {}) {
  const read = (figure) => figureOf(row, figure, resource);
  const isKnown = Object.keys(row.allocated).length > 0;
  const held = read("allocated") ?? 0;
  const allocated = isKnown ? Math.max(0, isBack ? held : held - tried) : heldNow();
  const deserved = isKnown ? (read("deserved") ?? 0) : null;
  const isLimited = Object.keys(row.deserved).length > 0 && read("deserved") !== null;
  return {
    isKnown,
    allocated,
    tried,
    deserved: isLimited ? deserved : null,
    guarantee: read("guarantee") ?? 0,
    capability: read("capability") ?? null,
    over: isLimited ? Math.max(0, allocated - deserved) : 0,
    under: isLimited ? Math.max(0, deserved - allocated) : 0,
  };
}

/** How far the longest bar reaches: the cluster's own, or what a queue has beyond it. */
export function scaleOf(all, whole) {
  const ends = all.flatMap(({ allocated, tried, deserved, guarantee }) => [allocated + tried, deserved ?? 0, guarantee]);
  return Math.max(whole, ...ends, 0) || 1;
}

/**
 * Where each part of a bar lies, as shares of the scale: {fill, over, tried: [from, to] or null, deserved, guarantee: a
 * share or null, track}.
 */
export function barOf({ allocated, tried, deserved, guarantee, capability, over }, scale) {
  const at = (number) => Math.min(1, number / scale);
  const span = (from, length) => (length > 0 ? [at(from), at(from + length)] : null);
  return {
    fill: span(0, allocated - over),
    over: span(allocated - over, over),
    tried: span(allocated, tried),
    deserved: deserved === null ? null : at(deserved),
    guarantee: guarantee > 0 ? at(guarantee) : null,
    track: capability === null ? 1 : at(capability),
  };
}

/** "5 over: gets nothing", "8 under, 6 tried", "has its share", "deserves none": {text, isOver}. */
export function balanceOf({ isKnown, allocated, tried, deserved, over, under }, resource, { isOverused, isBack, isPipelined }) {
  const say = (number) => amount(resource, number);
  const tries = tried > 0 && `${say(tried)} ${isBack ? "taken back" : isPipelined ? "pipelined" : "tried"}`;
  const words = (first) => [first, tries].filter(Boolean).join(", ");
  if (isOverused) return { text: words(`${over > 0 ? `${say(over)} over` : shareWords(deserved, under)}: gets nothing`), isOver: true };
  if (!isKnown) return { text: words(allocated > 0 ? "its pods on nodes" : ""), isOver: false };
  if (deserved === null) return { text: words(allocated > 0 ? "deserves no set amount" : ""), isOver: false };
  if (over > 0) return { text: words(`${say(over)} over`), isOver: true };
  return { text: words(under > 0 ? `${say(under)} under` : shareWords(deserved, under)), isOver: false };
}

/** What a queue has of a resource of which it isn't over; sessions pass over also who has its share of another resource. */
function shareWords(deserved, under) {
  if (under > 0) return "has its share of another resource";
  return deserved === 0 ? "deserves none" : "has its share";
}

/** "weight 2 · guarantee 8 · capability 20" */
export function termsOf(row, { guarantee, capability }, resource) {
  const terms = [
    `weight ${row.weight}`,
    guarantee > 0 && `guarantee ${amount(resource, guarantee)}`,
    capability !== null && `capability ${amount(resource, capability)}`,
    row.state && row.state !== "Open" && row.state,
    !row.reclaimable && "not reclaimable",
  ];
  return terms.filter(Boolean).join(" · ");
}
