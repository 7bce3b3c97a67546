// The page of two runs: reads both logs, keeps both maps at the reader's decision, and the address with them.

import { fill, h } from "../drawing/dom.js";
import { Legend } from "../debugger/map/legend.js";
import { Palette, PriorityScale } from "../debugger/map/palette.js";
import { Reading } from "../debugger/reading.js";
import { readAddress } from "../debugger/address.js";
import { drawNamesLine } from "../debugger/names/names-line.js";
import { NodeNames } from "../debugger/names/node-names.js";
import { Rest } from "../debugger/rest.js";
import "../presses.js";
import { ready } from "../ready.js";
import { compareAddress, opening, Pair, swapped } from "./pair.js";
import { Passage } from "./passage.js";
import { Scrubber } from "./scrubber.js";
import { readRun, Side } from "./side.js";
import { firstParts } from "./words.js";

const NO_STOP = { kinds: [], pod: "", node: "", priority: null, actor: "" };
const ADDRESS_AFTER = 120;
const FEW_NODES = 8;

class Page {
  element;
  /** @type {import("../debugger/reading.js").Reading} */
  reading;
  sides;

  constructor(element, sides, shared) {
    Object.assign(this, { element, sides, reading: shared.reading });
    const { reading } = this;
    this.first = element.dataset.first ? Number(element.dataset.first) : null;
    this.asked = readAddress(location.search).at;
    this.pair = new Pair(sides);
    const stopTest = () => (seq) => seq === this.first;
    this.transport = new Passage({ log: this.pair, reading, say: () => {}, stopTest });
    this.scrubber = new Scrubber({ ...this, element });
    const legend = element.querySelector("[data-part=legend]");
    const maps = sides.map(({ map }) => map);
    const schedulers = sides.map(({ facts }) => facts.scheduler);
    this.legend = new Legend({
      element: legend,
      scale: shared.scale,
      reading,
      maps,
      isHeld: schedulers.some(({ nomination }) => nomination.is_held),
      hasGrace: schedulers.some(({ playing }) => playing.has_grace),
    });
    element.classList.toggle("few-nodes", sides.every(({ fold }) => fold.nodes.length <= FEW_NODES));
    reading.when(["at"], () => reading.loaded && this.#moved());
    reading.when(["loaded"], () => reading.loaded && (element.dataset.loaded = "yes"));
    reading.begin();
    for (const side of sides) side.follow(() => this.#advance(), (text) => this.#lost(side, text));
  }

  /** More of a log is there: open once both reach the decision to open at, then only take note. */
  #advance() {
    const { reading, pair, sides } = this;
    if (!reading.loaded) {
      const target = opening(this.asked, this.first, pair.common);
      if (pair.isRead || ((this.asked ?? this.first) !== null && sides.every(({ log }) => log.head >= target)))
        this.#open(Math.min(target, pair.head));
    }
    this.transport.advance();
  }

  #open(at) {
    if (document.querySelector("#going") && this.asked === null) this.unmoved = at;
    this.reading.set({ loaded: true, at });
  }

  /** While a run goes on, the address names no decision before the reader has chosen one: drawn anew once both have
   * ended, the page opens at the first difference. */
  #moved() {
    const { at } = this.reading;
    if (at === this.unmoved) return;
    this.unmoved = null;
    this.#writeAddress();
  }

  /** Links follow at once, the browser's address when the reader rests: it takes only so many changes. */
  #writeAddress() {
    const address = compareAddress(location.search, this.reading.at) + location.hash;
    this.element.querySelector("[data-part=address]").textContent = new URL(address, location.href).href;
    document.querySelector("[data-part=swap]").href = swapped(new URL(address, location.href).search);
    clearTimeout(this.writing);
    this.writing = setTimeout(() => history.replaceState(null, "", address), ADDRESS_AFTER);
  }

  #lost(side, text) {
    fill(side.part("now"), h("p", { class: "error-text" }, text));
  }
}

/** The card of the first difference: each side's sentence, from its decision as it was recorded. */
async function drawCard(card, sides, reading) {
  const seq = Number(card.dataset.seq);
  for (const place of card.querySelectorAll("[data-sentence]")) {
    const side = sides.find(({ element }) => element.dataset.side === place.dataset.sentence);
    const [event] = await side.rest.decisions(seq - 1, 1);
    if (!event) continue;
    const draw = () => fill(place, firstParts(event, side));
    reading.when(["wholeNames"], draw);
    draw();
  }
}

/** The names of both runs' nodes: a node is called the same on either side. */
function nodesOf(runs) {
  return [...new Set(runs.flatMap(({ base }) => Object.keys(base.tables.nodes ?? {})))];
}

async function start() {
  const element = document.querySelector("#compare");
  const places = [...element.querySelectorAll("[data-side]")];
  element.querySelector("[data-part=address]").textContent = location.href;
  const reading = new Reading({ stop: NO_STOP, status: "finished", wanted: null });
  const tip = element.querySelector("[data-part=tip]");
  const rests = places.map((place) => new Rest(place.dataset.api));
  try {
    const runs = await Promise.all(rests.map(readRun));
    const names = new NodeNames(nodesOf(runs), reading);
    const shared = { names, reading, palette: new Palette(), scale: new PriorityScale(), tip };
    const sides = places.map((place, i) => new Side(place, rests[i], runs[i], shared));
    drawNamesLine(element.querySelector("[data-part=names-line]"), names, reading);
    const card = document.querySelector("[data-part=first]");
    if (card) drawCard(card, sides, reading).catch(console.error);
    window.comparison = new Page(element, sides, shared);
    ready();
  } catch (problem) {
    for (const place of places)
      fill(place.querySelector("[data-part=now]"), h("p", { class: "error-text" }, problem.message));
    console.error(problem);
  }
}

start();
