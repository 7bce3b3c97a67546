// The time line: the run in a row or, where it doesn't fit, the whole of it as a minimap and below it the part that is
// shown: as cards, as columns or, where a clock moves, as lanes. Drag to scrub; it is a slider to the keyboard.

import { isGoing } from "../live/live.js";
import { clock, count, lasting } from "../words/units.js";
import { axisOf } from "./axis.js";
import { binsOf, bucketsOf, binOf } from "./buckets.js";
import { Canvas } from "./canvas.js";
import { Cards, WORDY } from "./cards.js";
import { BELOW, paintColumns } from "./columns.js";
import { LaneHeads } from "./lane-heads.js";
import { LaneOrder } from "./lane-order.js";
import { sceneOf } from "./lane-scene.js";
import { laneRows } from "./lanes.js";
import { Minimap } from "./minimap.js";
import { Presets } from "./presets.js";
import { clockEndOf, tailWords } from "./clock-end.js";
import { paintReader, paintWakes } from "./reader.js";
import { paintSessionLines, sessionMarks, sessionWords } from "./session-marks.js";
import { around, including, isWhole, moved, Scale, wholeOf, zoomed } from "./span.js";
import { LABELS, paintLabels, paintTicks, ticksOf } from "./ticks.js";
import { paintTail } from "./tail.js";
import { tipOf } from "./tip.js";

/** A column of decisions in pixels, and how many of them are shown at first of a run that doesn't fit. */
const COLUMN = 6,
  FIRST_SHOWN = 160;
const TOP = 8;
/** Heights in pixels: of the minimap with its joining lines, of one row, of cards, and of the row below a minimap. */
const MINIMAP = 36,
  ONE_ROW = 54,
  CARDS = 72,
  BELOW_MINIMAP = 60;
const PADDING = { top: 6, all: 11 };
const STREAMING = 150;
/** By what all is measured and painted anew, at once or, while decisions stream in, now and then. */
const MEASURED = ["loaded", "shown", "pod", "pinned", "wholeNames", "run"],
  GROWING = ["head", "expected", "inParts"];
/** Before the reader has chosen what is shown (reading.js). */
const UNCHOSEN = "unchosen";

export class Timeline {
  element;
  /** @type {import("../../decisions/figures.js").Figures} */
  figures;
  frame;
  goesOn = false;
  /** @type {import("../log/log.js").Log} */
  log;
  /** @type {import("../names/node-names.js").NodeNames} */
  names;
  onSeek;
  /** @type {import("../map/palette.js").Palette} */
  palette;
  /** @type {import("../reading.js").Reading} */
  reading;
  /** @type {import("../words/scheduler.js").Scheduler} */
  scheduler;

  /**
   * `parts`: {element, frame: whose `--time` is its height, log, figures, series: null where no clock moves, reading, scheduler, names,
   * palette, onSeek(seq, time)}
   */
  constructor(parts) {
    Object.assign(this, parts);
    const named = (name) => this.element.querySelector(`[data-part="${name}"]`);
    this.slider = named("timeline");
    this.tip = named("timeline-tip");
    /** @type {any} */
    this.axis = axisOf(this.log, () => this.#askedEnd());
    this.byClock = this.log.fold.hasClock;
    this.span = wholeOf(this.axis);
    this.rows = [];
    this.#join(named);
    this.#listen();
  }

  #join(named) {
    const { axis, figures, palette, reading, log, scheduler, names } = this;
    const show = (span) => this.show(span);
    const wordsOf = (...values) => this.#wordsOf(...values);
    this.still = new Canvas(named("time-drawn"), (...all) => this.#paintStill(...all));
    this.moving = new Canvas(this.slider, (...all) => this.#paintMoving(...all));
    this.cards = new Cards({ element: named("time-cards"), log, figures, scheduler, names, reading });
    const onPoint = (value) => this.#goTo(value, wholeOf(axis));
    this.minimap = new Minimap({ element: named("minimap"), axis, figures, palette, reading, show, wordsOf, onPoint });
    const lengthWords = (length) => (this.byClock ? lengthOf(length) : count(length));
    this.presets = new Presets({ element: named("presets"), axis, reading, most: this.byClock ? 3 : 4, wordsOf, lengthWords, show });
    this.element.classList.toggle("by-clock", this.byClock);
    if (!this.byClock) return;
    this.laneOrder = new LaneOrder(localStorage);
    this.heads = new LaneHeads({
      element: named("lane-heads"),
      laneOrder: this.laneOrder,
      reading,
      onChange: () => this.#measure(),
      onPin: (uid) => this.#pin(uid),
    });
  }

  #listen() {
    const { slider, reading } = this;
    new ResizeObserver(() => this.#measure()).observe(slider.parentElement);
    this.palette.whenThemeChanges(() => this.#drawAll());
    reading.derive([this.log], () => this.#begin());
    reading.derive(["at", "time"], () => this.#turnOver());
    reading.when(["at", "time", ...GROWING, ...MEASURED], (changed) => this.#draw(changed));
    slider.addEventListener("pointerdown", (event) => this.#press(event));
    slider.addEventListener("pointermove", (event) => this.#hover(event));
    slider.addEventListener("pointerleave", () => {
      this.tip.hidden = true;
    });
    for (const element of [slider, this.minimap.element]) {
      element.addEventListener("wheel", (event) => this.#wheel(event, element), { passive: false });
      element.addEventListener("dblclick", () => this.show(null));
    }
  }

  /** The log begins elsewhere: what is shown is around where its reader stands then, until they choose. */
  #begin() {
    this.opened = undefined;
    this.reading.set({ shown: UNCHOSEN });
  }

  /** What is painted anew: all of it, or only what moves with the reader. */
  #draw(changed) {
    this.#say();
    if (MEASURED.some((name) => changed.has(name))) this.#measure();
    else if (GROWING.some((name) => changed.has(name))) this.#grow();
    else this.#drawMoving();
  }

  /** Show a part of the run; null is all of it. */
  show(span) {
    this.reading.set({ shown: span && isWhole(span, this.axis) ? null : span });
  }

  /**
   * Whether all decisions have a column of their own without zooming; where a clock moves they may stand on one another.
   * Of a run that goes on nobody knows: it has the height of a long one, so that nothing below moves away under a pointer.
   */
  get #fits() {
    this.goesOn ||= isGoing(this.reading.status);
    const decisions = Math.max(this.log.head, this.reading.expected) - this.log.first;
    return !this.byClock && !this.goesOn && decisions <= this.width / COLUMN;
  }

  /** While decisions stream in, all is drawn at most every 150 ms. */
  #grow() {
    const wait = this.reading.loaded ? 0 : STREAMING - (performance.now() - (this.grown ?? -STREAMING));
    clearTimeout(this.later);
    if (wait > 0) {
      this.later = setTimeout(() => this.#grow(), wait);
      return;
    }
    this.grown = performance.now();
    this.#measure();
  }

  /** The reader stands elsewhere: what is shown turns over like a page. */
  #turnOver() {
    const { reading, axis } = this;
    const before = this.#shown();
    const shown = before && including(before, axis, axis.placeOf(reading));
    if (shown !== before) reading.set({ shown });
  }

  #say() {
    const { slider, log } = this;
    const { at, head } = this.reading;
    slider.setAttribute("aria-valuemax", head);
    slider.setAttribute("aria-valuenow", at);
    const when = this.byClock ? ` at ${clock(this.axis.placeOf(this.reading))}` : "";
    const { kind, outcome } = this.figures.endingOf(at);
    const how = this.scheduler.outcome(kind, outcome).word || kind;
    const isOpening = !this.reading.loaded && head > log.first;
    const words = isOpening ? `reading: ${head} decisions so far` : at > log.first ? `decision ${at} of ${head}${when}: ${how}` : `before the first of ${head} decisions`;
    slider.setAttribute("aria-valuetext", words);
  }

  /** What is shown, how, and how high that is. */
  #measure() {
    const { axis } = this;
    this.width = this.slider.parentElement.clientWidth;
    this.span = this.#shown() ?? wholeOf(axis);
    this.hasMinimap = this.byClock || !this.#fits;
    const shown = this.span.to - this.span.from;
    this.hasCards = !this.byClock && shown > 0 && this.width / shown >= WORDY;
    if (this.byClock) this.rows = laneRows(this.laneOrder, this.#pods(), LABELS + 2, this.figures.sessions.any);
    this.element.classList.toggle("has-minimap", this.hasMinimap);
    this.element.classList.toggle("has-cards", this.hasCards);
    this.frame.style.setProperty("--time", `${PADDING.all + (this.hasMinimap ? MINIMAP : 0) + this.#rowHeight()}px`);
    this.#drawAll();
  }

  /**
   * The part that is shown, or null. Before the reader has chosen one it is around where they opened the run; its ends
   * depend on how much of the log is read.
   */
  #shown() {
    const { axis, reading } = this;
    if (this.#fits) return null;
    if (reading.shown !== UNCHOSEN) return reading.shown;
    if (this.byClock || !reading.loaded) return null;
    this.opened ??= axis.placeOf(reading);
    return around(axis, this.opened, FIRST_SHOWN);
  }

  #rowHeight() {
    if (this.byClock) return this.rows.at(-1).top + this.rows.at(-1).height + 3;
    if (this.hasMinimap) return BELOW_MINIMAP;
    return this.hasCards ? CARDS : ONE_ROW;
  }

  /** The pods that have a lane: those that are pinned, and the selected one. */
  #pods() {
    const { pinned, pod } = this.reading;
    const uids = [...new Set([...pinned, ...(pod ? [pod] : [])])];
    return uids.map((uid) => this.log.fold.podIndex.get(uid)).filter((index) => index !== undefined);
  }

  #pin(uid) {
    const { pinned } = this.reading;
    const others = pinned.filter((one) => one !== uid);
    this.reading.set({ pinned: others.length < pinned.length ? others : [...pinned, uid] });
  }

  #drawAll() {
    this.still.draw();
    this.presets.draw(this.span);
    this.#drawMoving();
  }

  #drawMoving() {
    this.moving.draw();
    if (this.hasMinimap) this.minimap.draw(this.span);
    if (this.hasCards) this.cards.draw(this.span);
    if (this.byClock) this.heads.draw(this.rows, this.#scene(), PADDING.top + MINIMAP);
  }

  #scene() {
    return sceneOf(this, this.span, this.width);
  }

  #paintStill(context, width, height) {
    const { palette, axis, span } = this;
    if (this.hasCards) return;
    if (this.byClock) {
      paintTicks(context, palette, { ticks: ticksOf(axis, span, width), scale: new Scale(span, width), bottom: height });
      const scene = this.#scene();
      for (const row of this.rows) row.lane.paint(context, scene, row);
      const tail = tailWords(clockEndOf(this.reading.run), axis.decided, this.log.head >= this.reading.expected);
      paintTail(context, palette, { axis, scale: scene.scale, ...tail, height });
      return;
    }
    const base = height - BELOW;
    context.fillStyle = palette.line;
    context.fillRect(0, base, width, 1);
    const columns = this.#columns();
    const buckets = bucketsOf(this.figures, binsOf(axis, span, columns));
    paintColumns(context, palette, buckets, { step: width / columns, top: this.hasMinimap ? LABELS + 4 : TOP, base });
    const marks = sessionMarks(this.figures.sessions.all, axis, new Scale(span, width), this.log.head);
    paintSessionLines(context, palette, marks, { top: this.hasMinimap ? LABELS : 0, bottom: base, width });
  }

  #paintMoving(context, width, height) {
    if (this.hasCards || !this.reading.loaded) return;
    const { palette, reading, axis, span, byClock } = this;
    const clockNow = byClock ? axis.placeOf(reading) : null;
    const scale = new Scale(span, width);
    const labels = this.hasMinimap;
    const taken = paintReader(context, { palette, reading, axis, scale, clockNow, labels }, height);
    if (labels) paintLabels(context, palette, { ticks: ticksOf(axis, span, width), scale, taken });
    if (byClock) paintWakes(context, this.#scene(), this.rows);
  }

  /** Where the run was asked to end, if the axis goes so far. */
  #askedEnd() {
    const { run, inParts } = this.reading;
    const { end, isAsked } = clockEndOf(run);
    return isAsked && !inParts ? end : null;
  }

  #columns() {
    return this.axis.columns(this.span, Math.max(20, Math.floor(this.width / COLUMN)));
  }

  /** The value of the axis below the pointer; the last pixel is the end. */
  #valueAt(event) {
    const x = event.clientX - this.slider.getBoundingClientRect().left;
    return new Scale(this.span, this.width - 1).value(x);
  }

  /** The decisions of the column in which a value is, or undefined. */
  #binAt(value, span = this.span) {
    const columns = this.#columns();
    const scale = new Scale(span, columns);
    const place = Math.min(columns - 1, Math.floor(scale.x(value)));
    return binsOf(this.axis, span, columns).find((bin) => bin.place === place);
  }

  /** Where a clock moves: to the instant, in a column with decisions at least to the first of them. */
  #goTo(value, span) {
    const seq = this.axis.seqAt(value);
    if (!this.byClock) return this.onSeek(seq, null);
    const bin = this.#binAt(value, span);
    if (bin) this.onSeek(Math.max(seq, bin.from), null);
    else this.onSeek(seq, value);
  }

  #press(event) {
    if (event.button !== 0) return;
    const { slider } = this;
    slider.setPointerCapture(event.pointerId);
    const move = (moving) => this.#goTo(this.#valueAt(moving));
    const release = () => slider.removeEventListener("pointermove", move);
    slider.addEventListener("pointermove", move);
    slider.addEventListener("pointerup", release, { once: true });
    slider.addEventListener("pointercancel", release, { once: true });
    move(event);
  }

  /** The wheel zooms around the pointer; sideways, or with the shift key, it moves. */
  #wheel(event, element) {
    if (!this.hasMinimap) return;
    event.preventDefault();
    const { axis, span } = this;
    const isSideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
    const scale = new Scale(element === this.slider ? span : wholeOf(axis), element.clientWidth);
    const value = scale.value(event.clientX - element.getBoundingClientRect().left);
    const by = isSideways ? event.deltaX || event.deltaY : event.deltaY;
    if (isSideways) this.show(moved(span, axis, (by / this.width) * (span.to - span.from)));
    else this.show(zoomed(span, axis, 1.002 ** by, Math.max(span.from, Math.min(span.to, value))));
  }

  #hover(event) {
    const value = this.#valueAt(event);
    const bin = this.byClock ? this.#binAt(value) : binOf(binsOf(this.axis, this.span, this.#columns()), this.axis.seqAt(value));
    this.tip.hidden = !bin;
    if (!bin) return;
    const [bucket] = bucketsOf(this.figures, [bin]);
    const session = sessionWords(this.figures.sessions, bin.from, bin.to);
    this.tip.textContent = [tipOf(bucket, this.byClock ? this : null), session].filter(Boolean).join(" · ");
    const half = this.tip.offsetWidth / 2;
    this.tip.style.left = `${Math.max(8 + half, Math.min(innerWidth - half - 8, event.clientX))}px`;
  }

  /** A value of the axis, or a part of it, in words. */
  #wordsOf(from, to = null) {
    if (!this.byClock) return to === null ? `decision ${count(Math.round(from))}` : this.axis.words({ from, to });
    return to === null ? clock(from) : `${clock(from)} to ${clock(to)}`;
  }
}

/** A preset's length: "10 s", "2 min", "1 d". */
function lengthOf(milliseconds) {
  /** @type {[number, string][]} */
  const units = [[864e5, "d"], [36e5, "h"], [6e4, "min"]];
  const [size, unit] = units.find(([one]) => milliseconds >= one && milliseconds % one === 0) ?? [];
  return unit ? `${milliseconds / size} ${unit}` : lasting(milliseconds);
}
