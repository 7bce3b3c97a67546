// Joins what a run with cards has beside the other parts of the page, whoever shares them: cards on the map's tiles, what they
// are called in the legend, and the card of a device card in the inspector.

import { cardOf, hasCards } from "../../cards.js";
import { ObjectCard } from "../../debugger/inspector/object-card.js";
import { part } from "../../debugger/parts.js";
import { CARD_TABS, cardHead } from "./device-card.js";
import { CardsOnMap } from "./cards-on-map.js";

const ABOUT = { card: { label: "device card", find: cardOf, head: cardHead, tabs: CARD_TABS } };

/**
 * The view of a page whose run has cards in it, else null. `sharers`: what each scheduler that shares cards brings:
 * {judges(event), judged(evidence, event), about, begin(page)}; `about`: more objects that the inspector knows, `begin`: the
 * tools that they need.
 */
export function cardsOf(page, sharers) {
  return hasCards(page.fold) ? cardsView(page, sharers, CardsOnMap, ABOUT) : null;
}

/** The same of what is shown like cards: `OnMap` draws it on tiles, `about` says what the inspector knows of it. */
export function cardsView(page, sharers, OnMap, about) {
  return new CardsView(page, sharers, OnMap, about);
}

class CardsView {
  constructor(page, sharers, OnMap, about) {
    const { fold, map, reading, standing } = page;
    this.page = page;
    this.sharers = sharers;
    this.about = about;
    this.cards = new OnMap({ fold, reading });
    map.cards = this.cards;
    reading.tiles = "cards";
    const choice = part("tiles");
    choice.value = reading.tiles;
    choice.addEventListener("change", () => reading.set({ tiles: choice.value }));
    // By which resource pods are drawn isn't asked where cards are.
    const ofPods = part("resource").closest("label");
    reading.derive([standing], () => this.#judge(standing.event));
    reading.when(["tiles"], () => (ofPods.hidden = reading.tiles === "cards"));
    part("tiles-label").hidden = false;
  }

  joinInspector(inspector) {
    const { fold, names, reading, rest, scale, selection, standing, transport } = this.page;
    const tools = Object.assign({}, ...this.sharers.map(({ begin }) => begin?.(this.page, () => reading.tell(this.card))));
    const about = { ...this.about };
    for (const { about: more } of this.sharers) Object.assign(about, more);
    this.card = new ObjectCard({
      ...{ fold, names, reading, rest, scale, standing, inspector, about },
      ...tools,
      onNode: (name) => selection.node(name),
      onPod: (uid) => selection.pod(uid),
      onSeek: (seq) => transport.seek(seq),
    });
  }

  /** Mark how the cards were judged by a decision, once the server has said so; null before the first, and while it is being read. */
  #judge(event) {
    this.cards.forget();
    const sharer = event && this.sharers.find(({ judges }) => judges(event));
    if (!sharer) return;
    const { evidence, map, fold, reading } = this.page;
    sharer
      .judged(evidence, event)
      .then((judged) => {
        if (fold.at !== event.seq) return;
        this.cards.learn(judged);
        reading.tell(map);
      })
      .catch(() => {}); // The inspector asks the same, and says what went wrong.
  }
}
