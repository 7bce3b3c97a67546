// The map of a snapshot's nodes: a tile or square each, on one canvas, with the debugger's places, zoom, colours and words.

import { grouped } from "../debugger/map/groups.js";
import { paintHeads } from "../debugger/map/heads.js";
import { detailOf, layOut, readableHeight } from "../debugger/map/layout.js";
import { Palette } from "../debugger/map/palette.js";
import { Viewport } from "../debugger/map/viewport.js";
import { paintNode } from "./paint.js";

const ROW = 0.6;

export class NodesMap {
  canvas;
  /** @type {import("./nodes.js").Nodes} */
  nodes;
  /** @type {import("../debugger/reading.js").Reading} */
  shown;
  /** @type {(hit: any, event: any) => void} */
  onHover = () => {};
  /** @type {(node: number, event: any) => void} */
  onPick = () => {};
  current = -1;
  ticked = new Set();

  /** `nodes`: of nodes.js. `shown`: the reading, of which `resource`, `group` and `sort` count. */
  constructor(canvas, nodes, shown) {
    Object.assign(this, { canvas, nodes, shown });
    this.context = canvas.getContext("2d");
    this.palette = new Palette();
    this.viewport = new Viewport(canvas, () => this.draw());
    // The page is longer than the window: whoever scrolls past the map isn't to be held up in it.
    this.viewport.takesWheel = ({ ctrlKey, metaKey }) => ctrlKey || metaKey || document.activeElement === canvas;
    this.viewport.onHover = (point, event) => this.onHover(point && { node: this.#at(point), pod: null, card: null }, event);
    canvas.addEventListener("pointerdown", (event) => (this.pressed = event));
    this.viewport.onClick = (point) => this.#pick(this.#at(point));
    new ResizeObserver(() => this.arrange()).observe(canvas.parentElement);
    this.palette.whenThemeChanges(() => this.draw());
  }

  /** Lay the tiles out: the room, the grouping or the order is another. */
  arrange() {
    const { canvas, nodes, shown } = this;
    const key = { nothing: "none" }[shown.group] ?? `label:${shown.group}`;
    this.groups = grouped(nodes.nodes, key, shown.sort, (node) => nodes.share(node, shown.resource));
    const frame = canvas.parentElement;
    frame.style.setProperty("--readable-height", `${readableHeight(this.groups, frame.clientWidth)}px`);
    const { clientWidth: width, clientHeight: height } = frame;
    if (!width || !height) return;
    this.layout = layOut(this.groups, width - 2, height - 4);
    this.order = [...this.layout.boxes.keys()];
    this.viewport.fit(width, height, this.layout.width, this.layout.height, this.layout.tile.w);
    this.draw();
  }

  draw() {
    if (!this.layout || this.queued) return;
    this.queued = true;
    requestAnimationFrame(() => {
      this.queued = false;
      this.#paint();
    });
  }

  /** Go to the node that lies next in a direction of the arrow keys. */
  move(key) {
    const { layout, order } = this;
    if (!order?.length) return;
    if (this.current < 0) return this.goTo(order[0]);
    if (key === "ArrowLeft" || key === "ArrowRight") {
      const place = order.indexOf(this.current) + (key === "ArrowRight" ? 1 : -1);
      return this.goTo(order[Math.min(order.length - 1, Math.max(0, place))]);
    }
    const from = layout.boxes.get(this.current);
    const way = key === "ArrowDown" ? 1 : -1;
    const beyond = order.filter((node) => (layout.boxes.get(node).y - from.y) * way > layout.tile.h * ROW);
    const far = (node) => {
      const { x, y } = layout.boxes.get(node);
      return Math.abs(y - from.y) * order.length + Math.abs(x - from.x);
    };
    if (beyond.length) this.goTo(beyond.reduce((best, node) => (far(node) < far(best) ? node : best)));
  }

  goTo(node) {
    this.current = node;
    this.viewport.reveal({ ...this.layout.boxes.get(node), ...this.layout.tile });
  }

  #pick(node) {
    if (node === null) return;
    this.current = node;
    this.draw();
    this.onPick(node, this.pressed);
  }

  #at({ x, y }) {
    for (const node of this.order ?? []) {
      const box = this.#boxOf(node);
      if (x >= box.x && y >= box.y && x <= box.x + box.w && y <= box.y + box.h) return node;
    }
    return null;
  }

  #boxOf(node) {
    return this.viewport.toScreen({ ...this.layout.boxes.get(node), ...this.layout.tile });
  }

  #paint() {
    const { canvas, context, layout, nodes, palette, shown, viewport } = this;
    const ratio = devicePixelRatio || 1;
    const { width, height } = viewport;
    Object.assign(canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const detail = detailOf(layout.tile.w * viewport.scale, layout.isTall);
    const scene = {
      ...{ nodes: nodes.nodes, fold: nodes, names: nodes.names, palette, resource: shown.resource },
      ...{ ticked: this.ticked, current: this.current, isMarked: () => false, isNamed: detail === "large" || detail === "tall" },
    };
    paintHeads(context, layout, viewport, palette, { saysOf: () => [], isOld: false });
    for (const node of this.order) {
      const box = this.#boxOf(node);
      if (viewport.sees(box)) paintNode(context, box, node, detail, scene);
    }
  }
}
