// Devices as the map shows them: like shared cards, each held as a whole or free. The block of a device has the colour of the
// pods that it is reserved for.

import { CardsOnMap } from "../cards/cards-on-map.js";
import { stateOf } from "./device-card.js";
import { claimsHolding, devicesOn, podsHolding, takenBy } from "./rows.js";

/** The only mark of a device: this decision gives it. */
const TAKEN = "✓";

export class DevicesOnMap extends CardsOnMap {
  held = "devices held by claims";

  on(node) {
    const { fold } = this;
    if (this.kept?.at !== fold.at) this.kept = { at: fold.at, cards: new Map() };
    const { cards } = this.kept;
    if (!cards.has(node)) cards.set(node, fold.hasNode(node) ? devicesOn(fold, fold.nodes[node].name).map((device) => this.#asCard(device)) : []);
    return cards.get(node);
  }

  /** A device with the figures of a card that has one slot and no memory of its own to divide. */
  #asCard(device) {
    const used = claimsHolding(this.fold, device.key).some(({ admin }) => !admin) ? 1 : 0;
    return { ...device, numa: device.pool, health: !device.tainted && !device.blocked, slots: 1, used, memory: 1, used_memory: used, cores: 1, used_cores: 0 };
  }

  /** The pods that a device is reserved for share its block. */
  holders(key) {
    const pods = podsHolding(this.fold, key);
    return pods.map((pod) => ({ pod, memory: 1 / pods.length, cores: 1, slots: 1 }));
  }

  get taken() {
    const { at } = this.fold;
    if (this.takenAt?.at !== at) this.takenAt = { at, cards: takenBy(this.fold, at) };
    return this.takenAt.cards;
  }

  drawKeys() {
    return [];
  }

  wordsOf({ key, model, tainted, blocked, capacity }) {
    const claims = claimsHolding(this.fold, key).map(({ claim }) => claim);
    const sizes = Object.entries(capacity).map(([name, amount]) => `${name} ${amount}`);
    const said = [model, ...sizes, tainted && "tainted", claims.length ? `held by ${claims.join(", ")}` : stateOf({ blocked })];
    return `device ${key}: ${said.filter(Boolean).join(", ")}${this.taken.has(key) ? `, given by this decision (${TAKEN})` : ""}`;
  }

  /** How many devices can be given; "≤" where they overlap, so that giving one takes others away. */
  shareWords(node) {
    const on = this.on(node);
    if (!on.length) return "";
    const free = on.filter(({ used, health }) => !used && health);
    const said = `${free.length} of ${on.length} free`;
    return free.some(({ overlaps }) => overlaps) ? `≤ ${said}` : said;
  }
}
