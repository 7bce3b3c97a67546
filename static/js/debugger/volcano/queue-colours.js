// Which colour and pattern stands for which queue: the CSS classes queue-1 … queue-8, and the same on the canvas.

import { queueOf, queueRows } from "../../volcano.js";

const STEPS = 8;
const STRIPE = 5;
/** On the canvas the stripe of each step is broken by lines: how far apart, and whether they lie or stand. */
const PATTERNS = [null, [4, "lie"], [2, "stand"], [7, "lie"], [3, "lie"], null, [4, "lie"], [2, "stand"]];

export class QueueColours {
  constructor(fold) {
    this.fold = fold;
  }

  /** The queues in the order of their colours. */
  get names() {
    return [...queueRows(this.fold).keys()].sort();
  }

  /** 0 to 7; -1 for a queue that isn't there. */
  step(queue) {
    const place = this.names.indexOf(queue);
    return place < 0 ? -1 : place % STEPS;
  }

  classOf(queue) {
    const step = this.step(queue);
    return step < 0 ? "no-queue" : `queue-${step + 1}`;
  }

  /** Paint a pod's block: washed in its queue's colour, with a stripe in colour and pattern at its left. */
  paint(context, { x, y, w, h }, pod, palette) {
    const step = this.step(queueOf(this.fold, pod));
    const colour = step < 0 ? palette.faint : palette.categories[step];
    const { globalAlpha } = context;
    context.fillStyle = palette.panel;
    context.fillRect(x, y, w, h);
    context.fillStyle = colour;
    context.globalAlpha = globalAlpha * 0.24;
    context.fillRect(x, y, w, h);
    context.globalAlpha = globalAlpha;
    const stripe = Math.min(STRIPE, w);
    context.fillRect(x, y, stripe, h);
    if (step >= 0 && w > STRIPE) paintPattern(context, { x, y, w: stripe, h }, PATTERNS[step], palette.panel);
  }
}

function paintPattern(context, { x, y, w, h }, pattern, colour) {
  if (!pattern) return;
  const [apart, how] = pattern;
  context.fillStyle = colour;
  if (how === "stand") context.fillRect(x + w - apart, y, 1, h);
  else for (let at = y + apart - 1; at < y + h; at += apart) context.fillRect(x, at, w, 1);
}
