// The choice of whose requests the figure of fragmentation is about, remembered in the address; the shape of the reader's own
// beside it.

import { h, keep } from "../../drawing/dom.js";
import { OWN, PENDING, readMix, RUN, shapesIn, writeShape } from "./mix.js";
import { allCards, shapesOf } from "./shapes.js";

const WORDS = { [RUN]: "as this run gave", [PENDING]: "that wait now", [OWN]: "of my own" };
const FIELDS = [
  { name: "count", label: "cards", least: 1, most: 128 },
  { name: "memory", label: "MiB each", least: 0, most: 10_000_000 },
  { name: "cores", label: "cores each", least: 0, most: 100 },
];
const FIRST = { count: 1, memory: 8192, cores: 10 };

export class MixChoice {
  asking;
  changed;
  /** @type {import("../../cluster.js").Cluster} */
  fold;
  /** @type {import("../../debugger/reading.js").Reading} */
  reading;
  /** @type {import("../../debugger/rest.js").Rest} */
  rest;

  /** `rest`: that of the run; `changed()` is called when the server has said what pods ask for. */
  constructor({ fold, rest, reading, changed }) {
    Object.assign(this, { fold, rest, reading, changed, asked: null, problem: null });
    this.select = h("select", { class: "inline", id: "card-mix", onchange: () => this.#choose(this.select.value) });
    this.select.append(...Object.entries(WORDS).map(([value, words]) => h("option", { value }, words)));
    this.own = h("span", { class: "card-mix-own" });
    this.element = keep(h("div", { class: "card-mix" }, h("label", { for: "card-mix" }, "For requests"), this.select, this.own));
  }

  get mix() {
    return readMix(this.reading.mix);
  }

  /** The shapes at the fold's decision; null until the server has said what waiting pods ask for. */
  shapes() {
    if (this.mix.kind === PENDING && !this.asked) {
      this.#ask();
      return null;
    }
    return shapesIn(this.mix, this.fold, this.asked);
  }

  /** The control, as the address has it. */
  draw() {
    const { kind, shape } = this.mix;
    this.select.value = kind;
    this.own.hidden = kind !== OWN;
    if (kind === OWN) this.#showShape(shape);
    return this.element;
  }

  #showShape(shape) {
    if (!this.own.childElementCount) this.own.append(...this.#fields(shape));
    for (const field of this.own.querySelectorAll("[data-name]"))
      if (field !== document.activeElement) field.value = String(shape[field.dataset.name]);
  }

  #fields({ vendor }) {
    const vendors = [...new Set([...allCards(this.fold).map((card) => card.vendor), vendor])];
    const set = (name, value) => this.#set(writeShape({ ...this.mix.shape, [name]: value }));
    const number = ({ name, label, least, most }) => {
      const take = ({ target }) => set(name, Math.max(least, Math.min(most, Math.trunc(Number(target.value) || 0))));
      return h("label", {}, h("input", { type: "number", min: least, max: most, data: { name }, onchange: take }), ` ${label}`);
    };
    const choice = h("select", { class: "inline", aria: { label: "vendor" }, data: { name: "vendor" }, onchange: ({ target }) => set("vendor", target.value) }, vendors.map((one) => h("option", { value: one }, one)));
    return [choice, ...FIELDS.map(number)];
  }

  #choose(kind) {
    if (kind !== OWN) return this.#set(kind === RUN ? null : kind);
    const [usual] = shapesOf(this.fold);
    const [card] = allCards(this.fold);
    this.#set(writeShape(usual ?? { ...FIRST, vendor: card.vendor }));
  }

  #set(mix) {
    this.reading.set({ mix });
  }

  #ask() {
    this.asking ??= this.rest
      .cardShapes()
      .then(({ results }) => (this.asked = results))
      .catch((problem) => (this.problem = problem.message))
      .finally(() => this.changed());
  }
}
