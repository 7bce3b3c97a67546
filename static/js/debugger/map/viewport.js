// Zoom and pan of a canvas: the wheel zooms about the pointer, where the page has nothing to scroll, dragging pans, a double click fits again.
// Scale 1 shows the whole layout; a tile never grows wider than a readable pod name needs.

const WIDEST_TILE = 360;
const CLICK = 4;
/** How much less of the window's height than all the content takes. */
const EDGE = 4;

export class Viewport {
  scale = 1;
  x = 0;
  y = 0;
  width = 0;
  height = 0;
  contentWidth = 0;
  contentHeight = 0;
  largest = 1;
  /** Where it was asked to go before there was anything to show. @type {string | null} */
  wanted = null;

  constructor(canvas, changed) {
    this.canvas = canvas;
    this.changed = () => {
      changed();
      this.#hoverAgain();
    };
    this.onClick = (_point) => {};
    this.onHover = (_point, _event) => {};
    /** Whether a turn of the wheel is for the map; else it scrolls the page. */
    this.takesWheel = (_event) => true;
    canvas.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    canvas.addEventListener("pointerdown", (event) => this.#press(event));
    canvas.addEventListener("pointermove", (event) => {
      if (!this.pressed) this.#hover(event);
    });
    canvas.addEventListener("pointerleave", () => this.#hover(null));
    canvas.addEventListener("dblclick", () => this.reset());
  }

  /** Take new measures: of the window and of what is in it. Keeps the scale if it was zoomed in. */
  fit(width, height, contentWidth, contentHeight, tileWidth) {
    Object.assign(this, { width, height, contentWidth, contentHeight });
    this.largest = Math.max(1, WIDEST_TILE / tileWidth);
    if (this.wanted) return this.#arrive();
    this.scale = Math.min(this.scale, this.largest);
    this.#clamp();
  }

  /** How far in, and which point of the content is in the middle, in shares of it: "2.5,0.31,0.8"; null where all is shown. */
  get place() {
    const { scale, width, height, contentWidth, contentHeight, wanted } = this;
    if (wanted) return wanted;
    if (scale === 1) return null;
    const share = (middle, content) => Math.min(1, Math.max(0, middle / scale / content)).toFixed(4);
    const [across, down] = [share(width / 2 - this.x, contentWidth), share(height / 2 - this.y, contentHeight)];
    return [scale.toFixed(2), across, down].map(Number).join();
  }

  /** Whether a part of the content is outside of the window. */
  get isPartial() {
    const { scale, width, height, contentWidth, contentHeight } = this;
    return Math.max(contentWidth * scale - width, contentHeight * scale - height + EDGE) > 1;
  }

  /** Which part of the content is shown, in shares of it: {x, y, w, h}. */
  get window() {
    const [wide, high] = [this.contentWidth * this.scale, this.contentHeight * this.scale];
    const [x, y] = [Math.max(0, -this.x / wide), Math.max(0, -this.y / high)];
    return { x, y, w: Math.min(1 - x, this.width / wide), h: Math.min(1 - y, this.height / high) };
  }

  /** Have a point of the content in the middle, as far as it goes. */
  centre(across, down) {
    this.#centre(across, down);
    this.changed();
  }

  #centre(across, down) {
    this.x = this.width / 2 - across * this.contentWidth * this.scale;
    this.y = this.height / 2 - down * this.contentHeight * this.scale;
    this.#clamp();
  }

  /** Go to a place, or, for null, show all; before there is anything to show, once there is. */
  goTo(place) {
    this.wanted = place;
    if (!this.contentWidth) return;
    this.#arrive();
    this.changed();
  }

  #arrive() {
    const [scale, across, down] = (this.wanted ?? "1,0,0").split(",").map(Number);
    this.wanted = null;
    this.scale = Math.min(this.largest, Math.max(1, scale));
    this.#centre(across, down);
  }

  reset() {
    Object.assign(this, { scale: 1, x: 0, y: 0 });
    this.#clamp();
    this.changed();
  }

  zoom(factor, about = { x: this.width / 2, y: this.height / 2 }) {
    const scale = Math.min(this.largest, Math.max(1, this.scale * factor));
    const real = scale / this.scale;
    this.x = about.x - (about.x - this.x) * real;
    this.y = about.y - (about.y - this.y) * real;
    this.scale = scale;
    this.#clamp();
    this.changed();
  }

  toScreen({ x, y, w, h }) {
    const { scale } = this;
    return { x: x * scale + this.x + 1, y: y * scale + this.y + 2, w: w * scale, h: h * scale };
  }

  sees({ x, y, w, h }) {
    return x < this.width && y < this.height && x + w > 0 && y + h > 0;
  }

  /** Pan so that a box of the layout is in view. */
  reveal(box) {
    const { x, y, w, h } = this.toScreen(box);
    if (x < 0 || x + w > this.width) this.x += this.width / 2 - x - w / 2;
    if (y < 0 || y + h > this.height) this.y += this.height / 2 - y - h / 2;
    this.#clamp();
    this.changed();
  }

  #hover(event) {
    this.hovering = event;
    this.onHover(event && this.#point(event), event);
  }

  /** Something else lies under a pointer that stayed where it was. */
  #hoverAgain() {
    if (this.hovering) this.#hover(this.hovering);
  }

  #clamp() {
    const spareX = this.width - this.contentWidth * this.scale;
    const spareY = this.height - this.contentHeight * this.scale - EDGE;
    this.x = Math.min(0, Math.max(Math.min(0, spareX), this.x));
    this.y = Math.min(0, Math.max(Math.min(0, spareY), this.y));
    // Where there is nothing to pan to, a finger scrolls the page.
    this.canvas.style.touchAction = Math.min(spareX, spareY) < -1 ? "none" : "pan-y";
  }

  #wheel(event) {
    if (!this.takesWheel(event)) return;
    event.preventDefault();
    if (
      event.shiftKey ||
      (!event.ctrlKey &&
        this.contentHeight * this.scale > this.height &&
        Math.abs(event.deltaX) > Math.abs(event.deltaY))
    ) {
      this.x -= event.deltaX || event.deltaY;
      this.#clamp();
      this.changed();
    } else this.zoom(Math.exp(-event.deltaY / 400), this.#point(event));
  }

  #press(event) {
    if (event.button !== 0) return;
    this.pressed = { ...this.#point(event), from: { x: this.x, y: this.y }, moved: false };
    this.canvas.setPointerCapture(event.pointerId);
    const move = (moving) => this.#drag(moving);
    const release = (released) => {
      this.canvas.removeEventListener("pointermove", move);
      const { moved } = this.pressed;
      this.pressed = null;
      this.canvas.classList.remove("dragging");
      if (!moved && released.type === "pointerup") this.onClick(this.#point(released));
    };
    this.canvas.addEventListener("pointermove", move);
    this.canvas.addEventListener("pointerup", release, { once: true });
    this.canvas.addEventListener("pointercancel", release, { once: true });
  }

  #drag(event) {
    const point = this.#point(event);
    const dx = point.x - this.pressed.x,
      dy = point.y - this.pressed.y;
    if (!this.pressed.moved && Math.hypot(dx, dy) < CLICK) return;
    this.pressed.moved = true;
    this.canvas.classList.add("dragging");
    this.x = this.pressed.from.x + dx;
    this.y = this.pressed.from.y + dy;
    this.#clamp();
    this.changed();
  }

  #point(event) {
    const box = this.canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }
}
