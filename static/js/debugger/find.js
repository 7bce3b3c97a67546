// The find box: pods and nodes by a part of their name, or a decision by its number.

import { fill, h } from "./dom.js";
import { nodeText } from "./node-link.js";

const SHOWN = 12;

export class Find {
  /** `parts`: {input, list, fold, log, names, onNode(name), onPod(uid), onDecision(seq)} */
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
    this.found = wanted ? matches(this, wanted) : [];
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
        h("span", { class: "found-name" }, item.node ? nodeText(this.names, item.node) : item.name),
        h("span", { class: "found-what" }, item.what),
      ),
    );
    fill(
      this.list,
      options.length ? options : h("li", { class: "found-none" }, "No pod or node has this in its name."),
    );
    this.list.hidden = false;
    this.input.setAttribute("aria-expanded", "true");
    this.input.setAttribute("aria-activedescendant", options.length ? `found-${this.active}` : "");
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
    else if (item.pod) this.onPod(item.pod);
    else this.onDecision(item.seq);
  }
}

function matches({ fold, log, names }, wanted) {
  const found = [];
  const called = (name) => names.shown(name);
  if (/^\d+$/.test(wanted) && Number(wanted) <= log.end) {
    found.push({ seq: Number(wanted), name: `decision ${Number(wanted)}`, what: "decision" });
  }
  for (const name of nodesCalled(fold, names, wanted)) {
    if (found.length >= SHOWN / 2) break;
    found.push({ node: name, what: "node" });
  }
  for (let i = 0; i < fold.pods.length && found.length < SHOWN; i++) {
    const { namespace, name, uid } = fold.pods[i];
    const full = `${namespace}/${name}`;
    if (full.toLowerCase().includes(wanted) || uid === wanted)
      found.push({ pod: uid, name: full, what: whereIs(fold, i, called) });
  }
  return found;
}

/** Names of nodes with these letters, short or whole; first the one whose short name it is. */
function nodesCalled(fold, names, wanted) {
  const present = fold.presentNodes().map((node) => fold.nodes[node].name);
  const found = present.filter((name) => name.toLowerCase().includes(wanted));
  const called = names.whole(wanted);
  return found.includes(called) ? [called, ...found.filter((name) => name !== called)] : found;
}

/** "on node-4", "waiting", "gone"; `called(name)` is how a node is called here. */
export function whereIs(fold, pod, called = (name) => name) {
  const { node, nominated, evicted } = fold.pods[pod];
  if (!fold.hasPod(pod)) return evicted ? "evicted" : node ? "gone" : "not there yet";
  if (node) return `on ${called(node)}`;
  return nominated ? `nominated to ${called(nominated)}` : "waiting";
}
