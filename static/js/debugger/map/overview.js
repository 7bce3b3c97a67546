// The whole map, small, at the foot of the left column while the map is zoomed in: which part of it is shown, as a frame to press,
// to drag, and to move by arrow keys. It covers nothing.

import { fill, h } from "../../drawing/dom.js";
import { Canvas } from "../time/canvas.js";
import { percent } from "../words/units.js";
import { loadStep } from "./tile.js";

/** By how much of what is shown an arrow key moves. */
const STEP = 0.25;
const KEYS = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] };
/** How much of its width the highest picture is high. */
const HIGHEST = 1.3;

export class Overview {
  element;
  /** @type {import("./loads.js").Loads} */
  loads;
  /** @type {import("./map.js").ClusterMap} */
  map;
  /** @type {import("./palette.js").Palette} */
  palette;
  /** @type {import("../reading.js").Reading} */
  reading;

  /** `parts`: {element, loads, map, palette, reading} */
  constructor(parts) {
    Object.assign(this, parts);
    const { element, map, palette, reading } = this;
    this.frame = h("span", { class: "overview-frame", role: "group", tabindex: 0, onkeydown: (event) => this.#key(event) });
    const drawn = /** @type {HTMLCanvasElement} */ (h("canvas", { aria: { hidden: true } }));
    this.picture = h("div", { class: "overview-picture" }, drawn, this.frame);
    fill(element, this.picture);
    this.canvas = new Canvas(drawn, (...all) => this.#paint(...all));
    this.picture.addEventListener("pointerdown", (event) => this.#press(event));
    reading.when([map.viewport, "view"], () => this.draw());
    reading.when([map, "resource"], () => element.hidden || this.canvas.draw());
    palette.whenThemeChanges(() => this.canvas.draw());
  }

  /** Show which part of the map is seen, if that is not all of it. */
  draw() {
    const { element, frame, map, reading } = this;
    const { viewport } = map;
    const wasHidden = element.hidden;
    element.hidden = reading.view !== "map" || !map.layout || !viewport.isPartial;
    if (element.hidden) return;
    const height = Math.min(HIGHEST, viewport.contentHeight / viewport.contentWidth);
    document.documentElement.style.setProperty("--shape", `${1 / height}`);
    const { x, y, w, h: high } = viewport.window;
    Object.assign(frame.style, { left: share(x), top: share(y), width: share(w), height: share(high) });
    const [across, down] = [x + w / 2, y + high / 2].map((middle) => percent(middle, 0));
    frame.setAttribute("aria-label", `shown part of the map: its middle is ${across} from the left, ${down} from the top; arrow keys move it`);
    if (wasHidden) this.canvas.draw();
  }

  #key(event) {
    const move = KEYS[event.key];
    if (!move) return;
    event.preventDefault();
    const { x, y, w, h: high } = this.map.viewport.window;
    this.map.viewport.centre(x + w * (0.5 + move[0]), y + high * (0.5 + move[1]));
  }

  #press(event) {
    if (event.button !== 0) return;
    const { map, picture } = this;
    const box = picture.getBoundingClientRect();
    const go = ({ clientX, clientY }) => map.viewport.centre((clientX - box.left) / box.width, (clientY - box.top) / box.height);
    picture.setPointerCapture(event.pointerId);
    const release = () => picture.removeEventListener("pointermove", go);
    picture.addEventListener("pointermove", go);
    for (const ending of ["pointerup", "pointercancel"]) picture.addEventListener(ending, release, { once: true });
    go(event);
  }

  /** Every node as a spot: its load or, where a pod fits on none, how near it comes. */
  #paint(context, width, height) {
    const { layout, marks, palette, whyNot } = this.map;
    const [across, down] = [width / layout.width, height / layout.height];
    const [w, high] = [Math.max(1, layout.tile.w * across - 0.5), Math.max(1, layout.tile.h * down - 0.5)];
    for (const [node, { x, y }] of layout.boxes) {
      context.fillStyle = whyNot ? this.#nearness(whyNot.kindOf(node)) : this.#load(node);
      context.fillRect(x * across, y * down, w, high);
    }
    const about = whyNot ? whyNot.nearest : marks?.chosen;
    const box = layout.boxes.get(about);
    if (!box) return;
    context.strokeStyle = palette.ink;
    context.lineWidth = 1.5;
    context.strokeRect(box.x * across - 1.5, box.y * down - 1.5, w + 3, high + 3);
  }

  #load(node) {
    const { loads, palette, reading } = this;
    return palette.loads[loadStep(loads.share(node, reading.resource))];
  }

  #nearness(kind) {
    const { palette } = this;
    const colours = { fits: palette.placed, near: palette.preempt, middle: palette.preempt, far: palette["preempt-wash"] };
    return colours[kind] ?? palette["line-strong"];
  }
}

function share(part) {
  return `${100 * part}%`;
}
