/* The palette (Ctrl-K): whatever is here by a part of its name, asked of REST. A combobox with a list box in a dialog:
   the focus stays in the field, ↑ and ↓ choose, Enter goes there. */

import { fill, h } from "./drawing/dom.js";
import { ask, complaint } from "./rest.js";

const ASK_AFTER = 120;
const LABELS = {
  page: "Pages",
  cluster: "Clusters",
  scenario: "Scenarios",
  run: "Runs",
  term: "Terms",
  queue: "Queues",
  job: "Jobs",
  workload: "Workloads",
  node: "Nodes",
  pod: "Pods",
};
/** Kinds of what is in a cluster. */
const IN_CLUSTER = ["queue", "job", "workload", "node", "pod"];

let palette = null;

/** Open it, or close it if it is open. */
export function open() {
  palette ??= new Palette();
  palette.toggle();
}

class Palette {
  constructor() {
    this.input = h("input", {
      type: "text",
      role: "combobox",
      placeholder: "a page, cluster, scenario, run, workload, job, queue, node, pod or term",
      autocomplete: "off",
      spellcheck: "false",
      maxlength: 200,
      aria: { label: "Find", expanded: "false", controls: "palette-list", autocomplete: "list" },
      oninput: () => {
        this.moved = false;
        this.#later();
      },
      onkeydown: (event) => this.#key(event),
    });
    this.list = h("div", { id: "palette-list", role: "listbox", class: "palette-list", aria: { label: "Found" } });
    this.said = h("p", { class: "palette-said small muted", role: "status" });
    this.dialog = h("dialog", { class: "palette", aria: { label: "Find whatever is here" } }, this.input, this.list, this.said);
    this.dialog.addEventListener("click", (event) => event.target === this.dialog && this.dialog.close());
    document.body.append(this.dialog);
    this.rows = [];
    this.active = 0;
    /** Whether a reader has chosen with the arrows since the last key. */
    this.moved = false;
    this.asked = 0;
  }

  toggle() {
    if (this.dialog.open) return this.dialog.close();
    this.input.value = "";
    this.moved = false;
    this.dialog.showModal();
    this.input.focus();
    this.#ask();
  }

  /** Ask once nothing was typed for a moment; until the answer the last one stays. */
  #later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#ask(), ASK_AFTER);
  }

  async #ask() {
    clearTimeout(this.timer);
    const text = this.input.value.trim();
    const number = ++this.asked;
    const query = new URLSearchParams({ q: text });
    const { snapshot } = document.body.dataset;
    if (snapshot) query.set("snapshot", snapshot);
    const answer = await ask("GET", `/api/v1/find/?${query}`);
    if (number !== this.asked) return;
    this.wanted = text;
    if (answer.ok) this.#draw(answer.body);
    else this.#fail(complaint(answer));
  }

  #draw({ cluster, results, more }) {
    const chosen = this.moved ? this.rows[this.active]?.address : "";
    this.rows = results;
    this.active = Math.max(
      0,
      results.findIndex(({ address }) => address === chosen),
    );
    const keys = results.map((row) => `${row.kind} ${row.cluster}`);
    fill(
      this.list,
      [...new Set(keys)].map((key) => {
        const places = [...keys.keys()].filter((i) => keys[i] === key);
        return this.#group(key, places, cluster?.name ?? "", more);
      }),
    );
    this.said.textContent = this.#summary(more.length > 0);
    this.#mark();
  }

  #summary(hasMore) {
    const all = this.rows.length;
    if (hasMore) return `${all} shown, there is more: go on typing`;
    if (all) return `${all} found`;
    return this.wanted ? "Nothing here has this in its name." : "Nothing is here yet.";
  }

  #fail(words) {
    this.rows = [];
    fill(this.list);
    this.said.textContent = words;
    this.#mark();
  }

  /** Rows of one kind, by their `places`; those of clusters are of one, of `atHand` if they name none. */
  #group(key, places, atHand, more) {
    const { kind, cluster } = this.rows[places[0]];
    const id = `palette-group-${places[0]}`;
    const where = IN_CLUSTER.includes(kind) ? ` in ${cluster || atHand}` : "";
    const isCut = !cluster && more.includes(kind);
    return h(
      "div",
      { role: "group", data: { key }, aria: { labelledby: id } },
      h("div", { class: "palette-kind", id, role: "presentation" }, `${LABELS[kind]}${where}${isCut ? ", the best of more" : ""}`),
      places.map((i) => this.#option(this.rows[i], i)),
    );
  }

  #option({ kind, name, says, address }, i) {
    return h(
      "a",
      { role: "option", id: `palette-row-${i}`, href: address, tabindex: -1, class: `palette-row is-${kind}`, aria: { selected: "false" } },
      h("b", {}, name),
      h("span", { class: "palette-says" }, says),
    );
  }

  #key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && this.rows.length) {
      event.preventDefault();
      this.moved = true;
      this.active = (this.active + step + this.rows.length) % this.rows.length;
      this.#mark();
    } else if (event.key === "Enter") {
      event.preventDefault();
      this.#go(event.ctrlKey || event.metaKey);
    }
  }

  /** Go to what is chosen: in what was found for the words that stand there now. */
  async #go(inNewTab) {
    if (this.wanted !== this.input.value.trim()) await this.#ask();
    const { address } = this.rows[this.active] ?? {};
    if (!address) return;
    if (inNewTab) return window.open(address, "_blank", "noopener");
    this.dialog.close();
    location.assign(address);
  }

  #mark() {
    const options = [...this.list.querySelectorAll("[role=option]")];
    options.forEach((option, i) => option.setAttribute("aria-selected", String(i === this.active)));
    const chosen = options[this.active];
    this.input.setAttribute("aria-expanded", String(options.length > 0));
    if (chosen) this.input.setAttribute("aria-activedescendant", chosen.id);
    else this.input.removeAttribute("aria-activedescendant");
    chosen?.scrollIntoView({ block: "nearest" });
  }
}
