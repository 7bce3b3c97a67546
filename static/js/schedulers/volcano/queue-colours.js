// Which colour and pattern stands for which queue: the CSS classes queue-1 … queue-8, and the same on the canvas. Of more
// queues the colours come again, broken by broad gaps (round-2) and as dots (round-3).

import { queueOf, queueRows } from "./rows.js";

const COLOURS = 8,
  ROUNDS = 3;
const STRIPE = 5;
/** On the canvas the stripe of each colour is broken by lines: how far apart, whether they lie or stand, and how wide. */
const PATTERNS = [null, [4, "lie", 1], [2, "stand", 1], [7, "lie", 1], [3, "lie", 1], null, [4, "lie", 1], [2, "stand", 1]];
const LATER_PATTERNS = [[9, "lie", 4], [4, "lie", 2]];

export class QueueColours {
  constructor(fold) {
    this.fold = fold;
  }

  /** The queues in the order of their colours. */
  get names() {
    return [...queueRows(this.fold).keys()].sort();
  }

  /** {colour: 0 to 7, round: 0 to 2}; null for a queue that isn't there. */
  lookOf(queue) {
    const place = this.names.indexOf(queue);
    return place < 0 ? null : { colour: place % COLOURS, round: Math.floor(place / COLOURS) % ROUNDS };
  }

  classOf(queue) {
    const look = this.lookOf(queue);
    if (!look) return "no-queue";
    return `queue-${look.colour + 1}${look.round ? ` round-${look.round + 1}` : ""}`;
  }

  /** Paint a pod's block: washed in its queue's colour, with a stripe in colour and pattern at its left. */
  paint(context, { x, y, w, h }, pod, palette) {
    const look = this.lookOf(queueOf(this.fold, pod));
    const colour = look ? palette.categories[look.colour] : palette.faint;
    const { globalAlpha } = context;
    context.fillStyle = palette.panel;
    context.fillRect(x, y, w, h);
    context.fillStyle = colour;
    context.globalAlpha = globalAlpha * 0.24;
    context.fillRect(x, y, w, h);
    context.globalAlpha = globalAlpha;
    const stripe = Math.min(STRIPE, w);
    context.fillRect(x, y, stripe, h);
    if (look && w > STRIPE) paintPattern(context, { x, y, w: stripe, h }, patternOf(look), palette.panel);
  }
}

function patternOf({ colour, round }) {
  return round ? LATER_PATTERNS[round - 1] : PATTERNS[colour];
}

function paintPattern(context, { x, y, w, h }, pattern, colour) {
  if (!pattern) return;
  const [apart, how, wide] = pattern;
  context.fillStyle = colour;
  if (how === "stand") context.fillRect(x + w - apart, y, wide, h);
  else for (let at = y + apart - wide; at < y + h; at += apart) context.fillRect(x, at, w, Math.min(wide, y + h - at));
}
