// The whole run in a row, and what of it is shown below: a brush to drag, to resize, and to draw anew. Thin lines join
// its ends to the row below. To the keyboard the brush is three sliders: its beginning, itself, its end.

import { h } from "../../drawing/dom.js";
import { binsOf, bucketsOf } from "./buckets.js";
import { Canvas, veil } from "./canvas.js";
import { BELOW, paintColumns } from "./columns.js";
import { paintSessionLines, wholeMarks } from "./session-marks.js";
import { begun, between, ended, isWhole, moved, Scale, wholeOf, zoomed } from "./span.js";

const COLUMN = 5;
/** Between the brush and the row that it shows, where the joining lines are. */
const JOINT = 14;
/** How far a press may move and be a click still. */
const STILL = 3;

export class Minimap {
  axis;
  element;
  /** @type {import("../../decisions/figures.js").Figures} */
  figures;
  onPoint;
  /** @type {import("../map/palette.js").Palette} */
  palette;
  /** @type {import("../reading.js").Reading} */
  reading;
  show;
  wordsOf;

  /** `parts`: {element, axis, figures, palette, reading, show(span), onPoint(value), wordsOf(value)} */
  constructor(parts) {
    Object.assign(this, parts);
    this.canvas = new Canvas(this.element.querySelector("canvas"), (...all) => this.#paint(...all));
    this.handles = {
      from: this.#handle("from", "beginning of the shown part", (by) => begun(this.span, this.axis, this.span.from + by)),
      all: this.#handle("all", "shown part", (by) => moved(this.span, this.axis, by)),
      to: this.#handle("to", "end of the shown part", (by) => ended(this.span, this.axis, this.span.to + by)),
    };
    this.brush = h("div", { class: "brush" }, this.handles.all, this.handles.from, this.handles.to);
    this.element.append(this.brush);
    this.element.addEventListener("pointerdown", (event) => this.#press(event));
  }

  draw(span) {
    this.span = span;
    const { axis, handles } = this;
    const scale = this.#scale();
    this.brush.style.left = `${scale.x(span.from)}px`;
    this.brush.style.width = `${Math.max(2, scale.x(span.to) - scale.x(span.from))}px`;
    const values = { from: span.from, all: (span.from + span.to) / 2, to: span.to };
    for (const [name, handle] of Object.entries(handles)) {
      handle.setAttribute("aria-valuemin", Math.round(axis.low));
      handle.setAttribute("aria-valuemax", Math.round(axis.high));
      handle.setAttribute("aria-valuenow", Math.round(values[name]));
      const words = name === "all" ? this.wordsOf(span.from, span.to) : this.wordsOf(values[name]);
      handle.setAttribute("aria-valuetext", words);
    }
    this.canvas.draw();
  }

  #scale() {
    return new Scale(wholeOf(this.axis), this.element.clientWidth);
  }

  #handle(name, label, change) {
    return h("span", {
      class: `brush-${name}`,
      role: "slider",
      tabindex: 0,
      aria: { label, orientation: "horizontal" },
      onkeydown: (event) => this.#key(event, change),
    });
  }

  /** Arrows by a tenth of what is shown, page keys by all of it, Home and End as far as it goes; + and − zoom. */
  #key(event, change) {
    const { axis, span } = this;
    const length = span.to - span.from;
    const tenth = Math.max(axis.least / 10, axis.round(length / 10) || 1);
    const all = axis.high - axis.low;
    const steps = {
      ArrowLeft: -tenth,
      ArrowDown: -tenth,
      ArrowRight: tenth,
      ArrowUp: tenth,
      PageDown: -length,
      PageUp: length,
      Home: -all,
      End: all,
    };
    const zooms = { "+": 0.5, "=": 0.5, "-": 2 };
    if (Object.hasOwn(steps, event.key)) this.show(change(steps[event.key]));
    else if (Object.hasOwn(zooms, event.key))
      this.show(zoomed(span, axis, zooms[event.key], (span.from + span.to) / 2));
    else return;
    event.preventDefault();
  }

  /** Within the brush it is moved, at its ends resized, and beside it drawn anew; who doesn't move points at a place. */
  #press(event) {
    if (event.button !== 0) return;
    const { element, axis, span } = this;
    const scale = this.#scale();
    const left = element.getBoundingClientRect().left;
    const valueAt = ({ clientX }) => scale.value(clientX - left);
    const start = valueAt(event);
    const drag = this.#dragOf(event.target, start);
    let isDrag = false;
    const move = (moving) => {
      isDrag ||= Math.abs(moving.clientX - event.clientX) > STILL;
      if (isDrag) this.show(drag(span, axis, valueAt(moving)));
    };
    const release = (released) => {
      element.removeEventListener("pointermove", move);
      move(released);
      if (!isDrag) this.onPoint(start);
    };
    element.setPointerCapture(event.pointerId);
    element.addEventListener("pointermove", move);
    element.addEventListener("pointerup", release, { once: true });
    element.addEventListener("pointercancel", () => element.removeEventListener("pointermove", move), { once: true });
  }

  #dragOf(target, start) {
    const { from, to, all } = this.handles;
    if (target === from) return (span, axis, value) => begun(span, axis, span.from + value - start);
    if (target === to) return (span, axis, value) => ended(span, axis, span.to + value - start);
    if (target === all && !isWhole(this.span, this.axis))
      return (span, axis, value) => moved(span, axis, value - start);
    return (_span, axis, value) => between(axis, start, value);
  }

  #paint(context, width, height) {
    const { axis, figures, palette, reading, span } = this;
    const bottom = height - JOINT;
    const whole = wholeOf(axis);
    const scale = this.#scale();
    context.fillStyle = palette.sunken;
    context.fillRect(0, 0, width, bottom);
    const columns = axis.columns(whole, Math.max(20, Math.floor(width / COLUMN)));
    const buckets = bucketsOf(figures, binsOf(axis, whole, columns));
    paintColumns(context, palette, buckets, { step: width / columns, top: 3, base: bottom - BELOW / 2 });
    const { sessions } = figures;
    // By the clock sessions have a lane of their own.
    if (sessions.any && !figures.log.fold.hasClock) {
      const marks = wholeMarks(sessions.all, axis, width, figures.log.head);
      paintSessionLines(context, palette, marks, { top: 0, bottom, width });
    }
    const here = scale.x(axis.placeOf(reading));
    veil(context, palette, here, { top: 0, width, height: bottom });
    context.fillStyle = palette.ink;
    context.fillRect(Math.min(width - 1, Math.round(here)), 0, 1.5, bottom);
    this.#joints(context, [scale.x(span.from), scale.x(span.to)], { width, bottom, height });
  }

  #joints(context, [from, to], { width, bottom, height }) {
    context.strokeStyle = this.palette["line-strong"];
    context.lineWidth = 1;
    context.beginPath();
    for (const [above, below] of [[from, 0.5], [to, width - 0.5]]) {
      context.moveTo(above, bottom);
      context.lineTo(below, height);
    }
    context.stroke();
  }
}
