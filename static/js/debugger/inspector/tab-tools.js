// What the tabs draw with: the run's parts, and what is open in the present decision's tab (the pressed band, the
// candidates that are unfolded, the reprieve sequence). Asked of the server are only questions that the reader waits for.

import { awaitAnswer, fill, h } from "../../drawing/dom.js";
import { Superseded } from "./evidence.js";
import { nodeLink } from "../names/node-link.js";

/** Who sees one decision for so many milliseconds isn't passing any more, whether they or the run paused. */
const PASSED = 1200;

export class TabTools {
  /** @type {import("../../cluster.js").Cluster} */
  fold;
  /** @type {import("../names/node-names.js").NodeNames} */
  names;
  onNode;
  onPod;
  panel;
  /** @type {import("../reading.js").Reading} */
  reading;
  redraw;
  strip;

  /**
   * `parts`: {panel, fold, log, figures, scale, sessions, names, reading, scheduler, evidence, addressOf(seq), onNode(name), onPod(uid),
   * onReveal(node), onSeek(seq), redraw()}
   */
  constructor(parts) {
    Object.assign(this, parts);
    this.unfoldedForGood = new Set();
    this.reset(null);
  }

  /** Forget what belongs to one decision only; `kind`: that of the next one. */
  reset(kind) {
    Object.assign(this, { kind, strip: null, unfolded: new Set() });
    this.closeBand();
  }

  closeBand() {
    Object.assign(this, { band: null, bandRows: null });
  }

  /** Light a band's nodes and list them, or let go of it. */
  pressBand(band, ask) {
    const { reading, panel } = this;
    if (this.band?.key === band.key) {
      this.closeBand();
      reading.set({ lit: null });
      return this.redraw();
    }
    this.band = band;
    this.bandRows = ask();
    this.bandRows.then((rows) => this.band === band && this.#light(rows)).catch(() => {});
    this.redraw();
    panel.querySelector(`[data-band="${CSS.escape(band.key)}"]`)?.focus({ preventScroll: true });
  }

  #light(rows) {
    const { nodeIndex } = this.fold;
    const nodes = rows.map((row) => nodeIndex.get(row.node)).filter((node) => node !== undefined);
    this.reading.set({ lit: new Set(nodes) });
  }

  /** An element that fills when an answer arrives. */
  later(promise, draw) {
    const element = awaitAnswer(h("div", { class: "later" }), promise);
    const { playing, follow, status } = this.reading;
    const passing = playing || (follow && status === "running");
    const say = (words) => fill(element, h("p", { class: "working" }, words));
    if (passing) say("Each node's figures are worked out when you pause.");
    const patience = setTimeout(() => say("working it out…"), passing ? PASSED : 250);
    const sayProblem = (problem) => {
      if (problem instanceof Superseded) return;
      const tone = problem.status === 409 ? "notice warning" : "notice error";
      fill(element, h("p", { class: tone }, problem.message));
    };
    promise
      .then((answer) => fill(element, draw(answer)), sayProblem)
      .finally(() => clearTimeout(patience));
    return element;
  }

  /** Details that stay as the reader left them, whatever is drawn anew and at whichever decision. */
  details(key, props, summary, ...children) {
    const { unfoldedForGood: open } = this;
    const note = ({ target }) => (target.open ? open.add(key) : open.delete(key));
    return h("details", { ...props, open: open.has(key), ontoggle: note }, h("summary", { data: { key } }, summary), children);
  }

  nodeButton(name, more) {
    return nodeLink(this.names, name, this.onNode, more);
  }

  /** A sentence's parts as elements: nodes and pods are links to them. */
  phrase(parts) {
    return parts.map(({ text, strong, node, pod }) => {
      if (node) return this.nodeButton(node, { kind: "strong" });
      if (pod) {
        const press = () => this.onPod(pod);
        return h("button", { type: "button", class: "link strong", onclick: press }, text);
      }
      return strong ? h("b", {}, text) : text;
    });
  }

  closeNode() {
    const close = () => this.reading.set({ node: null });
    const label = "let go of the node";
    return h("button", { type: "button", class: "close", aria: { label }, onclick: close }, "×");
  }

  stepReprieve(by) {
    if (!this.strip) return;
    const { reprieve } = this.reading;
    const now = reprieve?.node === this.strip.node ? reprieve.step : -1;
    this.strip.show(Math.max(0, Math.min(this.strip.last, now + by)));
  }

  markStrip(step) {
    for (const card of this.panel.querySelectorAll(".strip-card")) {
      const pressed = Number(card.dataset.step) === step;
      card.setAttribute("aria-pressed", String(pressed));
      if (pressed) card.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
  }
}
