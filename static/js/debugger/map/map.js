// The cluster map: every node a tile on one canvas, grouped and sorted, with zoom and pan. It draws what the
// fold says at the reader's decision and what that decision marks; `tile.js` paints, `layout.js` places.

import { hyperNodesBy, placesIn } from "../../hyper-nodes.js";
import { kindOf } from "../../decisions/registry.js";
import { clockAt } from "../time/clock-axis.js";
import { footOf } from "./feet.js";
import { paintHeads } from "./heads.js";
import { grouped } from "./groups.js";
import { detailOf, layOut, readableHeight } from "./layout.js";
import { marksOf, nodesWithTerminating, promisedPods } from "./marks.js";
import { paintTall, stackArea, stackFor } from "./tall-tile.js";
import { paintBars, paintLarge, paintOutline, paintSquare } from "./tile.js";
import { wholePercent } from "../words/units.js";
import { Viewport } from "./viewport.js";
import { markStatement } from "../../schedulers/sessions/statement.js";

const LANDING = 150;
const LINES = 80;
/** How pale a tile is on which the eye needn't rest; on a tall one its words can still be read. */
const DIMMED = { tall: 0.75, large: 0.4, bars: 0.4, square: 0.22 };
const PAINT = { tall: paintTall, large: paintLarge, bars: paintBars, square: paintSquare };

export class ClusterMap {
  canvas;
  colours;
  /** @type {import("../../cluster.js").Cluster} */
  fold;
  /** @type {import("./loads.js").Loads} */
  loads;
  /** @type {import("../log/log.js").Log} */
  log;
  /** @type {import("../names/node-names.js").NodeNames} */
  names;
  onHover;
  onPick;
  /** @type {import("./palette.js").Palette} */
  palette;
  /** @type {import("../reading.js").Reading} */
  reading;
  scale;
  /** @type {import("../log/standing.js").Standing} */
  standing;

  /**
   * `parts`: {canvas, fold, log, loads, names, palette, scale, reading, standing, onPick({node, pod, card}), onHover(hit, event)}. It tells that
   * it has changed when its marks, its verdicts, the tiles' places or their level of detail have.
   */
  constructor(parts) {
    Object.assign(this, parts);
    this.context = this.canvas.getContext("2d");
    this.viewport = new Viewport(this.canvas, () => this.#look());
    this.viewport.onClick = (point) => this.onPick(this.hit(point));
    this.viewport.onHover = (point, event) => this.onHover(point && this.hit(point), event);
    this.landed = 1;
    /** What the decision says of each node, by name (verdicts.js). */
    this.verdicts = new Map();
    /** Why a pod fits on no node, node by node (node-marks.js); null at a decision at which it fits. */
    this.whyNot = null;
    /** Whether that is of an earlier decision, and what is said of this one is being worked out. */
    this.isWhyNotAwaited = false;
    /** What tiles show of nodes' cards (cards-on-map.js of their scheduler); null in a run without, and where the reader wants pods. */
    this.cards = null;
    new ResizeObserver(() => this.arrange()).observe(this.canvas.parentElement);
    this.palette.whenThemeChanges(() => this.draw());
    const { reading } = this;
    reading.derive([this.standing], () => this.#mark());
    reading.derive(["group", "sort"], () => this.arrange());
    reading.derive(["resource"], () => reading.sort === "load" && this.arrange());
    reading.when([this, "resource", "lit", "node", "pod", "siblings", "reprieve", "wholeNames", "colour", "card", "tiles"], () => this.draw());
    reading.when(["time"], () => this.fold.failed.size > 0 && this.draw());
  }

  /** The decision of which it has the marks; null before the first, and while it is being read. */
  get event() {
    return this.standing.event;
  }

  /** Mark what the reader's decision did; a step forwards lets what moved land softly. */
  #mark() {
    const { event } = this;
    this.marks = marksOf(this.fold, this.fold.at, event?.cause);
    const { nodeIndex, podIndex } = this.fold;
    const at = { node: (name) => nodeIndex.get(name) ?? -1, pod: (uid) => podIndex.get(uid) ?? -1 };
    if (event) kindOf(event).mark(event, this.marks, at);
    markStatement(this.fold, event, this.marks);
    this.reading.tell(this);
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (this.standing.isStepOn && !still && moved(this.marks)) this.#land();
    else this.landed = 1;
    const isMoved = this.reading.sort === "load" && !this.reading.playing;
    if (isMoved || this.#nodesDiffer()) this.arrange();
  }

  /** Whether the nodes to show are others than those laid out, or have other labels. */
  #nodesDiffer() {
    if (this.laidOut?.version !== this.fold.nodesVersion) return true;
    if (this.laidOut.places !== placesIn(this.fold, this.reading.group)) return true;
    return this.marks.went.size > 0 || this.laidOut.went.size > 0;
  }

  /** Lay the tiles out anew: the room, the nodes, the grouping or the order changed. The table has the same groups. */
  arrange() {
    const { group, sort, resource } = this.reading;
    const went = this.marks?.went ?? new Set();
    this.laidOut = { version: this.fold.nodesVersion, went, places: placesIn(this.fold, group) };
    const shown = [...this.fold.presentNodes(), ...went];
    this.reading.tell(this);
    const nearer = this.whyNot?.compare;
    this.groups = grouped(this.fold.nodes, group, sort, (node) => this.loads.share(node, resource), shown, nearer, hyperNodesBy(this.fold, group));
    const frame = this.canvas.parentElement;
    frame.style.setProperty("--readable-height", `${readableHeight(this.groups, frame.clientWidth)}px`);
    const { clientWidth: width, clientHeight: height } = frame;
    if (!width || !height) return;
    this.layout = layOut(this.groups, width - 2, height - 4);
    this.viewport.fit(width, height, this.layout.width, this.layout.height, this.layout.tile.w);
    this.#look();
  }

  /** The tiles have other places on the screen. */
  #look() {
    this.reading.tell(this.viewport);
    if (this.told !== this.detail) this.reading.tell(this);
    this.told = this.detail;
    this.draw();
  }

  /** How much the tiles show of a node (layout.js); null before they are laid out. */
  get detail() {
    return this.layout ? detailOf(this.layout.tile.w * this.viewport.scale, this.layout.isTall) : null;
  }

  /** Bring a node into view. */
  reveal(node) {
    const box = this.layout?.boxes.get(node);
    if (box) this.viewport.reveal({ ...box, ...this.layout.tile });
  }

  draw() {
    if (!this.layout || !this.marks || this.queued) return;
    this.queued = true;
    requestAnimationFrame(() => {
      this.queued = false;
      this.#paint();
    });
  }

  /** Say what the decision says of each node, as far as that is known: Map(name -> verdict). */
  showVerdicts(verdicts) {
    this.verdicts = verdicts;
    this.reading.tell(this);
  }

  /** Show why a pod fits on no node; `isAwaited`: what is shown is of another decision, until this one's is known. */
  showWhyNot(whyNot, isAwaited) {
    if (this.whyNot === whyNot && this.isWhyNotAwaited === isAwaited) return;
    const isOther = this.whyNot !== whyNot;
    Object.assign(this, { whyNot, isWhyNotAwaited: isAwaited });
    if (isOther && this.reading.sort === "shortfall") this.arrange();
    this.reading.tell(this);
  }

  /** What the foot of a node's tile says, or null. */
  footOf(node) {
    const { fold, marks, reading } = this;
    const verdict = this.#verdictOn(node);
    const now = clockAt(fold, reading);
    return footOf(fold, node, { freed: marks.freed.get(node), verdict, now, resource: reading.resource });
  }

  #verdictOn(node) {
    const { fold, layout, verdicts, whyNot } = this;
    if (layout?.isTall) return verdicts.get(fold.nodes[node].name);
    const kind = this.detail === "large" && !this.#showsCards(node) && whyNot?.kindOf(node);
    if (!kind) return undefined;
    return { kind, mark: "", words: whyNot.briefly(node), tone: "muted", isStrong: false };
  }

  /** What lies at a point of the canvas: {node, pod, card: its key}, any may be null. */
  hit({ x, y }) {
    for (const [node] of this.layout.boxes) {
      const box = this.#boxOf(node);
      if (x < box.x || y < box.y || x > box.x + box.w || y > box.y + box.h) continue;
      if (!this.#showsCards(node)) return { node, pod: this.#podAt(node, box, { x, y }), card: null };
      const detail = detailOf(box.w, this.layout.isTall);
      const card = this.cards.at(node, box, detail, this.footOf(node) !== null, { x, y });
      return { node, pod: null, card: card?.key ?? null };
    }
    return { node: null, pod: null, card: null };
  }

  /** Whether a node's tile shows its cards instead of its pods. */
  #showsCards(node) {
    return this.reading.tiles === "cards" && Boolean(this.cards?.on(node).length);
  }

  #podAt(node, box, { x, y }) {
    const detail = detailOf(box.w, this.layout.isTall);
    if (detail === "square") return null;
    if (detail === "tall") return this.#podInStack(node, box, { x, y });
    const inset = detail === "large" ? 6 : 3;
    const width = box.w - 2 * inset;
    let left = box.x + inset;
    for (const { pod } of this.#blocks(node)) {
      const share = this.loads.podShare(node, pod, this.reading.resource);
      const wide = Math.max(share * width, share > 0 ? 1.5 : 0.75);
      if (x >= left && x < left + wide) return pod;
      left += wide;
    }
    return null;
  }

  #podInStack(node, box, { x, y }) {
    const area = stackArea(box, Boolean(this.loads.cards(node)));
    const { boxes } = stackFor(node, area, this.#stacking());
    const found = boxes.find(
      ({ box: at }) => x >= at.x && x < at.x + at.w && y >= at.y && y <= at.y + at.h,
    );
    return found?.block.pod ?? null;
  }

  /** What a stack is made of. */
  #stacking() {
    return {
      blocks: (node) => this.#blocks(node),
      promised: promisedPods(this.fold, this.marks),
      loads: this.loads,
      resource: this.reading.resource,
    };
  }

  #boxOf(node) {
    const { x, y } = this.layout.boxes.get(node);
    return this.viewport.toScreen({ x, y, ...this.layout.tile });
  }

  #blocks(node) {
    const { before, gone, victims, placed, fates, tried } = this.marks;
    const stranded = this.fold.failed.has(node);
    const pods = before.get(node) ?? this.fold.podsOn(node);
    const all = [...pods, ...(tried.get(node) ?? [])];
    return all.map((pod) => ({
      pod,
      fate: fates.get(pod),
      victim: victims.has(pod) || fates.get(pod) === "victim",
      fresh: placed.has(pod),
      gone: gone.has(pod),
      stranded,
      terminating: this.fold.pods[pod].terminating,
    }));
  }

  #land() {
    const begun = performance.now();
    const frame = (now) => {
      this.landed = Math.min(1, Math.max(0, (now - begun) / LANDING));
      this.#paint();
      if (this.landed < 1) this.landing = requestAnimationFrame(frame);
    };
    cancelAnimationFrame(this.landing);
    this.landed = 0;
    this.landing = requestAnimationFrame(frame);
  }

  #scene(detail, tileWidth) {
    const { reading, fold, marks, palette, loads, names, scale } = this;
    const focus = reading.lit ?? (marks.focus && detail !== "none" ? marks.candidates : null);
    return {
      fold,
      marks,
      palette,
      scale,
      colours: reading.colour === "queue" ? this.colours : null,
      nodes: fold.nodes,
      names,
      ...this.#stacking(),
      lit: reading.lit,
      selected: reading.node === null ? -1 : (fold.nodeIndex.get(reading.node) ?? -1),
      pod: reading.pod === null ? -1 : (fold.podIndex.get(reading.pod) ?? -1),
      siblings: reading.siblings,
      reprieve: reading.reprieve,
      focus,
      alpha: 1,
      showNames: tileWidth >= 190,
      landingAlpha: 0.15 + 0.85 * this.landed,
      leavingAlpha: 0.4 + 0.6 * this.landed,
      chosenColour: palette[marks.tone ?? "ink"],
      cards: this.cards,
      whyNot: this.whyNot,
      whyNotAlpha: this.isWhyNotAwaited ? 0.35 : 1,
      foot: (node) => this.footOf(node),
      placedBy: (pod) => this.log.placedBy(pod),
      withTerminating: nodesWithTerminating(fold),
      percent: (node, resource = reading.resource) =>
        loads.capacity(node, resource) ? wholePercent(loads.share(node, resource)) : "–",
      isMarked: (node) => node === marks.chosen || marks.candidates.has(node) || marks.best.has(node),
    };
  }

  #paint() {
    const { context, canvas, viewport } = this;
    const ratio = devicePixelRatio || 1;
    const { width, height } = viewport;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const tileWidth = this.layout.tile.w * viewport.scale;
    const { detail } = this;
    const scene = this.#scene(detail, tileWidth);
    this.#paintHeads(context);
    this.#paintTiles(context, scene);
    this.#paintLines(context, scene);
  }

  #paintTiles(context, scene) {
    const { detail, viewport } = this;
    const outlined = [];
    for (const node of this.layout.boxes.keys()) {
      const box = this.#boxOf(node);
      if (!viewport.sees(box)) continue;
      const dim =
        scene.focus && !scene.focus.has(node) && node !== scene.marks.chosen && node !== scene.selected;
      scene.alpha = dim ? DIMMED[detail] : 1;
      context.globalAlpha = scene.alpha;
      const paint = this.#showsCards(node) ? this.cards.paint : PAINT;
      paint[detail](context, box, node, scene);
      outlined.push([node, box, dim]);
    }
    for (const [node, box, dim] of outlined) {
      context.globalAlpha = dim ? 0.4 : 1;
      paintOutline(context, box, node, scene);
    }
    context.globalAlpha = 1;
  }

  #paintHeads(context) {
    const { layout, viewport, palette, whyNot, isWhyNotAwaited: isOld } = this;
    const saysOf = ({ nodes }) => whyNot?.counted(nodes) ?? [];
    paintHeads(context, layout, viewport, palette, { saysOf, isOld });
  }

  /** From the selected pod to its siblings: same controller, same gang. */
  #paintLines(context, scene) {
    const { siblings } = this.reading;
    const from = scene.pod >= 0 ? this.fold.nodeOf(scene.pod) : -1;
    if (!siblings?.size || from < 0 || !this.layout.boxes.has(from)) return;
    const start = centre(this.#boxOf(from));
    const nodes = new Set(
      [...siblings]
        .map((pod) => this.fold.nodeOf(pod))
        .filter((node) => node !== from && this.layout.boxes.has(node)),
    );
    context.strokeStyle = scene.palette.ink;
    context.lineWidth = 1;
    context.globalAlpha = 0.45;
    for (const node of [...nodes].slice(0, LINES)) {
      const end = centre(this.#boxOf(node));
      context.beginPath();
      context.moveTo(start.x, start.y);
      context.quadraticCurveTo((start.x + end.x) / 2, Math.min(start.y, end.y) - 14, end.x, end.y);
      context.stroke();
      context.beginPath();
      context.arc(end.x, end.y, 2.5, 0, Math.PI * 2);
      context.fillStyle = scene.palette.ink;
      context.fill();
    }
    context.globalAlpha = 1;
  }
}

function moved({ placed, victims, gone }) {
  return placed.size > 0 || victims.size > 0 || gone.size > 0;
}

function centre({ x, y, w, h }) {
  return { x: x + w / 2, y: y + h / 2 };
}
