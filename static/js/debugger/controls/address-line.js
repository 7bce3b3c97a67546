// The browser's address: it holds what the reader looks at and how (address.js), follows when they rest, and leads back.

import { readAddress, writeAddress } from "../address.js";
import { differing, shownAs } from "../map/shown.js";
import { announce, part } from "../parts.js";
import { clockAt } from "../time/clock-axis.js";

/** The browser takes only so many changes a second. */
const REST = 120;

export class AddressLine {
  choices;
  /** @type {import("../../cluster.js").Cluster} */
  fold;
  /** @type {import("../map/map.js").ClusterMap | null} */
  map = null;
  /** @type {import("../reading.js").Reading} */
  reading;
  /** @type {import("./transport.js").Transport} */
  transport;

  /** `parts`: {choices: how the cluster can be shown (shown.js), fold, reading, transport} */
  constructor(parts) {
    Object.assign(this, parts);
    const held = ["at", "time", "node", "pod", "pinned", "tab", "card", "mix", "loaded", ...Object.keys(this.choices)];
    this.reading.when(held, () => this.#write());
    addEventListener("popstate", () => this.#read());
  }

  /** Hold also how far the map is zoomed in. */
  join(map) {
    this.map = map;
    this.reading.when([map.viewport], () => this.#write());
  }

  /** The address of what the reader sees now. */
  get link() {
    return new URL(this.#query(), location.href).href;
  }

  async share() {
    const { link } = this;
    try {
      await navigator.clipboard.writeText(link);
      announce("The link to this decision is copied.");
    } catch {
      announce(link);
    }
  }

  #query() {
    const { choices, fold, map, reading } = this;
    const shown = { ...differing(reading, choices), zoom: map?.viewport.place };
    return writeAddress({ ...reading, time: clockAt(fold, reading) }, shown);
  }

  #write() {
    if (!this.reading.loaded) return;
    const headroom = part("headroom");
    headroom.href = headroom.href.replace(/decision=\d+$/, `decision=${this.reading.at}`);
    clearTimeout(this.writing);
    this.writing = setTimeout(() => history.replaceState(null, "", this.#query()), REST);
  }

  #read() {
    const { at, time, node, pod, pinned, tab, card, mix, zoom, ...shown } = readAddress(location.search);
    this.reading.set({ node, pod, pinned, tab, card, mix, ...shownAs(shown, this.choices) });
    this.map?.viewport.goTo(zoom);
    if (at !== null) this.transport.seek(at, { time });
  }
}
