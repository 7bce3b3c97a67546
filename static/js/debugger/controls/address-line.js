// The browser's address: it holds what the reader looks at (address.js), follows when they rest, and leads back.

import { readAddress, writeAddress } from "../address.js";
import { announce } from "../parts.js";
import { clockAt } from "../time/clock-axis.js";

/** The browser takes only so many changes a second. */
const REST = 120;

export class AddressLine {
  /** @type {import("../../cluster.js").Cluster} */
  fold;
  /** @type {import("../reading.js").Reading} */
  reading;
  /** @type {import("./transport.js").Transport} */
  transport;

  /** `parts`: {fold, reading, transport} */
  constructor(parts) {
    Object.assign(this, parts);
    this.reading.when(["at", "time", "node", "pod", "pinned", "tab", "card", "mix", "loaded"], () => this.#write());
    addEventListener("popstate", () => this.#read());
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
    const { fold, reading } = this;
    return writeAddress({ ...reading, time: clockAt(fold, reading) });
  }

  #write() {
    if (!this.reading.loaded) return;
    clearTimeout(this.writing);
    this.writing = setTimeout(() => history.replaceState(null, "", this.#query()), REST);
  }

  #read() {
    const { at, time, node, pod, pinned, tab, card, mix } = readAddress(location.search);
    this.reading.set({ node, pod, pinned, tab, card, mix });
    if (at !== null) this.transport.seek(at, { time });
  }
}
