// A canvas of the time line: as large as its element, sharp on every screen, painted at most once a frame.

export class Canvas {
  element;
  paint;

  /** `paint(context, width, height)`: all of it, in CSS pixels. */
  constructor(element, paint) {
    Object.assign(this, { element, paint });
    this.context = element.getContext("2d");
  }

  draw() {
    if (this.queued) return;
    this.queued = true;
    requestAnimationFrame(() => {
      this.queued = false;
      this.#paint();
    });
  }

  #paint() {
    const { element, context } = this;
    const { clientWidth: width, clientHeight: height } = element;
    if (!width || !height) return;
    const ratio = devicePixelRatio || 1;
    element.width = Math.round(width * ratio);
    element.height = Math.round(height * ratio);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.paint(context, width, height);
  }
}

/** Pale over what lies ahead of the reader, from `x` on. */
export function veil(context, palette, x, { top, width, height }) {
  if (x >= width) return;
  context.globalAlpha = 0.6;
  context.fillStyle = palette.panel;
  context.fillRect(Math.max(0, x), top, width - Math.max(0, x), height);
  context.globalAlpha = 1;
}
