// The find box: what is in the run by a part of its name, or a decision by its number.

import { fill, h } from "../../drawing/dom.js";
import { matches } from "./finding.js";
import { nodeText } from "../names/node-link.js";

export class Find {
  input;
  list;
  /** @type {import("../names/node-names.js").NodeNames} */
  names;
  onCard;
  onDecision;
  onJob;
  onNode;
  onPod;

  /** `parts`: {input, list, fold, log, names, onNode(name), onPod(uid), onCard(key), onJob(name), onDecision(seq)} */
  constructor(parts) {
    Object.assign(this, parts);
    this.found = [];
    this.active = 0;
    this.input.addEventListener("input", () => this.#search());
    this.input.addEventListener("focus", () => this.#search());
    this.input.addEventListener("blur", () => setTimeout(() => this.#left(), 150));
    this.input.addEventListener("keydown", (event) => this.#key(event));
  }

  focus() {
    this.input.focus();
    this.input.select();
  }

  #search() {
    const wanted = this.input.value.trim().toLowerCase();
    const { shown, isCut } = wanted ? matches(this, wanted) : { shown: [], isCut: false };
    this.found = shown;
    this.isCut = isCut;
    this.active = 0;
    this.#draw(wanted);
  }

  #draw(wanted) {
    if (!wanted) return this.#hide();
    const options = this.found.map((item, i) =>
      h(
        "li",
        {
          role: "option",
          id: `found-${i}`,
          aria: { selected: i === this.active },
          onpointerdown: (event) => {
            event.preventDefault();
            this.#pick(item);
          },
        },
        h("span", { class: "found-name", title: item.title }, item.node ? nodeText(this.names, item.node) : item.name),
        h("span", { class: "found-what" }, item.what),
      ),
    );
    fill(
      this.list,
      options,
      this.#rest(),
    );
    this.list.hidden = false;
    this.input.setAttribute("aria-expanded", "true");
    this.input.setAttribute("aria-activedescendant", options.length ? `found-${this.active}` : "");
  }

  /** What is said below what was found. */
  #rest() {
    if (!this.found.length) return h("li", { class: "found-none" }, "Nothing in the run has this in its name.");
    return this.isCut && h("li", { class: "found-none", role: "presentation" }, "More has this in its name: go on typing.");
  }

  /** A moment after the box was left, unless the reader is back in it by then. */
  #left() {
    if (document.activeElement !== this.input) this.#hide();
  }

  #hide() {
    this.list.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
  }

  #key(event) {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const all = this.found.length;
      if (all) this.active = (this.active + (event.key === "ArrowDown" ? 1 : all - 1)) % all;
      this.#draw(this.input.value.trim());
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (this.found[this.active]) this.#pick(this.found[this.active]);
    } else if (event.key === "Escape") {
      event.preventDefault();
      this.input.value = "";
      this.#hide();
      this.input.blur();
    }
  }

  #pick(item) {
    this.#hide();
    this.input.blur();
    if (item.node) this.onNode(item.node);
    else if (item.card) this.onCard(item.card);
    else if (item.job) this.onJob(item.job);
    else if (item.pod) this.onPod(item.pod);
    else this.onDecision(item.seq);
  }
}
