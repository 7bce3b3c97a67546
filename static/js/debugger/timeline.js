// The time line: one column a bucket. A column's height says how many nodes could take the pod, its colour and
// pattern how the decisions ended; ticks below mark preemptions. Where a clock moves it is the axis. Drag to scrub; it is a slider to the keyboard.

import { TONES } from "../kinds/figures.js";
import { bucketsOf, clockBucketsOf } from "./buckets.js";
import { clockAt, clockShare, clockTicks, clockTime } from "./clock-axis.js";
import { clock, count, percent, plural } from "./units.js";

const WIDEST = 12,
  NARROWEST = 5;
const TOP = 8,
  BELOW = 9,
  LEAST = 4,
  UNKNOWN = 0.3;
/** Where a clock moves: the room for its labels above the columns, and for each of them. */
const LABELS = 14,
  LABEL = 84;

export class Timeline {
  /** `parts`: {canvas, tip, log, figures, reading, scheduler, palette, onSeek(seq)} */
  constructor(parts) {
    Object.assign(this, parts);
    this.context = this.canvas.getContext("2d");
    this.byClock = this.log.fold.hasClock;
    this.top = this.byClock ? TOP + LABELS : TOP;
    this.buckets = [];
    new ResizeObserver(() => this.#measure()).observe(this.canvas.parentElement);
    this.palette.whenThemeChanges(() => this.draw());
    this.reading.when(["at", "time", "head", "loaded"], (names) => this.update(names));
    this.canvas.addEventListener("pointerdown", (event) => this.#press(event));
    this.canvas.addEventListener("pointermove", (event) => this.#hover(event));
    this.canvas.addEventListener("pointerleave", () => {
      this.tip.hidden = true;
    });
    this.#measure();
  }

  update(names) {
    if (names.has("head") || names.has("loaded")) this.#bucket();
    const { at, head } = this.reading;
    const { canvas } = this;
    canvas.setAttribute("aria-valuemax", head);
    canvas.setAttribute("aria-valuenow", at);
    canvas.setAttribute(
      "aria-valuetext",
      at ? `decision ${at} of ${head}${this.#instantOf(at)}: ${this.#wordOf(at)}` : `before the first of ${head} decisions`,
    );
    this.draw();
  }

  draw() {
    if (this.queued) return;
    this.queued = true;
    requestAnimationFrame(() => {
      this.queued = false;
      this.#paint();
    });
  }

  /** How a decision came out, in the scheduler's words. */
  #wordOf(seq) {
    const { kind, outcome } = this.figures.endingOf(seq);
    return this.scheduler.outcome(kind, outcome).word || kind;
  }

  /** " at 0:05.010" where a clock moves. */
  #instantOf(seq) {
    return this.byClock ? ` at ${clock(this.log.fold.timeOf(seq))}` : "";
  }

  #measure() {
    this.width = this.canvas.parentElement.clientWidth;
    this.height = this.canvas.parentElement.clientHeight;
    this.#bucket();
    this.draw();
  }

  /** While decisions stream in, columns are computed at most every 150 ms. */
  #bucket() {
    const now = performance.now();
    if (!this.reading.loaded && this.buckets.length && now - (this.bucketed ?? 0) < 150) {
      clearTimeout(this.later);
      this.later = setTimeout(() => {
        this.#bucket();
        this.draw();
      }, 160);
      return;
    }
    this.bucketed = now;
    const columns = Math.max(20, Math.floor(this.width / (NARROWEST + 1)));
    if (this.byClock) {
      this.buckets = clockBucketsOf(this.figures, columns);
      this.step = this.width / columns;
      return;
    }
    this.buckets = bucketsOf(this.figures, columns);
    this.step = this.buckets.length ? Math.min(WIDEST, this.width / this.buckets.length) : 0;
  }

  #paint() {
    const { context, canvas, width, height, palette } = this;
    const ratio = devicePixelRatio || 1;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const base = height - BELOW;
    context.fillStyle = palette.line;
    context.fillRect(0, base, width, 1);
    if (this.byClock) this.#ticks(base);
    for (const bucket of this.buckets) this.#column(bucket, bucket.place * this.step, base);
    this.#cursor(base);
  }

  #ticks(base) {
    const { context, palette, width, log } = this;
    context.font = `10px ${palette.font}`;
    context.textAlign = "center";
    context.textBaseline = "top";
    for (const { share, label } of clockTicks(log.fold, Math.floor(width / LABEL))) {
      const x = Math.round(share * width);
      context.fillStyle = palette.line;
      context.fillRect(x, LABELS, 1, base - LABELS);
      const half = context.measureText(label).width / 2;
      context.fillStyle = palette.muted;
      context.fillText(label, Math.min(x, width - half), 1);
    }
  }

  #column(bucket, x, base) {
    const { context, palette, reading } = this;
    const w = Math.max(1, this.step - (this.step > 3 ? 1.5 : 0.5));
    const all = bucket.tones.reduce((sum, number) => sum + number, 0);
    const room = base - this.top;
    context.globalAlpha = bucket.from > reading.at ? 0.4 : 1;
    let y = base;
    if (bucket.tones[0]) {
      const tall =
        LEAST +
        (room - LEAST) *
          (Number.isNaN(bucket.fitting) ? UNKNOWN : Math.sqrt(bucket.fitting)) *
          (bucket.tones[0] / all);
      y -= tall;
      context.fillStyle = palette.placed;
      context.fillRect(x, y, w, tall);
    }
    for (const tone of [4, 3, 2, 1]) {
      if (!bucket.tones[tone]) continue;
      const tall = Math.max(3, (room * 0.62 * bucket.tones[tone]) / all);
      y = Math.max(this.top - 2, y - tall - 1);
      this.#mark(TONES[tone], x, y, w, tall);
    }
    if (bucket.preemptions) {
      context.fillStyle = palette.preempt;
      context.beginPath();
      const middle = x + w / 2,
        half = Math.max(2, Math.min(3, w / 2));
      context.moveTo(middle - half, base + 3);
      context.lineTo(middle + half, base + 3);
      context.lineTo(middle, base + 8);
      context.fill();
    }
    context.globalAlpha = 1;
  }

  /** Colour never stands alone: unschedulable is solid, preempting hatched, waiting an outline, others low. */
  #mark(tone, x, y, w, tall) {
    const { context, palette } = this;
    const colour = tone === "other" ? palette.muted : palette[tone];
    context.fillStyle = tone === "preempt" ? palette.hatch(context, colour) : colour;
    context.strokeStyle = colour;
    context.lineWidth = 1;
    if (tone === "other") return context.fillRect(x, y + tall - 2, w, 2);
    if (tone !== "wait") context.fillRect(x, y, w, tall);
    if (tone !== "unsched" && w > 2) context.strokeRect(x + 0.5, y + 0.5, w - 1, Math.max(1, tall - 1));
  }

  #cursor(base) {
    const { context, palette } = this;
    const x = Math.round(this.#here()) + 0.5;
    context.strokeStyle = context.fillStyle = palette.ink;
    context.lineWidth = 1.5;
    context.beginPath();
    context.moveTo(x, 2);
    context.lineTo(x, base + 8);
    context.stroke();
    context.beginPath();
    context.arc(x, 4, 3.5, 0, Math.PI * 2);
    context.fill();
  }

  /** Where the reader is. */
  #here() {
    const { log: { fold }, reading, width } = this;
    return this.byClock ? this.#within(clockShare(fold, clockAt(fold, reading)) * width) : this.#xOf(reading.at);
  }

  #xOf(seq) {
    const all = this.log.head - this.log.first;
    if (!all || seq <= this.log.first) return 3.5;
    const end = this.buckets.length * this.step;
    return this.#within(((seq - this.log.first - 0.5) / all) * end);
  }

  #within(x) {
    return Math.min(this.width - 4, Math.max(3.5, x));
  }

  #seqAt(event) {
    const x = event.clientX - this.canvas.getBoundingClientRect().left;
    if (this.byClock) return this.#seqByClock(x);
    const all = this.log.head - this.log.first;
    const end = this.buckets.length * this.step || 1;
    return Math.max(this.log.first, Math.min(this.log.head, this.log.first + Math.ceil((x / end) * all)));
  }

  /** The last decision by then; in a column with decisions at least its first. */
  #seqByClock(x) {
    const { fold } = this.log;
    const place = Math.floor(x / this.step);
    const seq = fold.seqAt(clockTime(fold, x / Math.max(1, this.width - 1)));
    return Math.max(seq, this.buckets.find((bucket) => bucket.place === place)?.from ?? seq);
  }

  #press(event) {
    if (event.button !== 0) return;
    this.canvas.setPointerCapture(event.pointerId);
    const move = (moving) => this.onSeek(this.#seqAt(moving));
    const release = () => this.canvas.removeEventListener("pointermove", move);
    this.canvas.addEventListener("pointermove", move);
    this.canvas.addEventListener("pointerup", release, { once: true });
    this.canvas.addEventListener("pointercancel", release, { once: true });
    move(event);
  }

  #hover(event) {
    const seq = this.#seqAt(event);
    const bucket = this.buckets.find(({ from, to }) => seq >= from && seq <= to);
    if (!bucket) return;
    const [placed, preempting, unschedulable, waiting, others] = bucket.tones;
    const parts = [
      placed && `${count(placed)} placed`,
      preempting && `${count(preempting)} preempting`,
      unschedulable && `${count(unschedulable)} unschedulable`,
      waiting && `${count(waiting)} waiting`,
      others && `${count(others)} of another kind`,
    ].filter(Boolean);
    const which =
      bucket.from === bucket.to
        ? `decision ${count(bucket.from)}`
        : `decisions ${count(bucket.from)} to ${count(bucket.to)}`;
    const when = this.byClock ? `${clock(this.log.fold.timeOf(bucket.from))} · ` : "";
    const fits = Number.isNaN(bucket.fitting) ? "" : ` · fits on ${percent(bucket.fitting)} of the nodes`;
    this.tip.textContent = `${when}${which}: ${parts.join(", ") || plural(0, "decision")}${fits}`;
    this.tip.hidden = false;
    const half = this.tip.offsetWidth / 2;
    this.tip.style.left = `${Math.max(8 + half, Math.min(innerWidth - half - 8, event.clientX))}px`;
  }
}
