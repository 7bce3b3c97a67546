// Joins what a run with HAMi has beside the other parts of the page: cards on the map's tiles, what they are called in the
// legend, and the card of a device card in the inspector.

import { cardOf, hasCards } from "../../cards.js";
import { ObjectCard } from "../../debugger/inspector/object-card.js";
import { keyOf } from "../../debugger/inspector/object-key.js";
import { part } from "../../debugger/parts.js";
import { isOfHami } from "./answer.js";
import { CARD_TABS, cardHead } from "./device-card.js";
import { FRAGMENTATION_TABS, fragmentationHead } from "./fragmentation-card.js";
import { CardsOnMap } from "./cards-on-map.js";
import { MixChoice } from "./mix-choice.js";
import { judgedCards } from "./judging.js";

const ALL = "all";
const ABOUT = {
  card: { label: "device card", find: cardOf, head: cardHead, tabs: CARD_TABS },
  cards: { label: "cards", find: (_fold, name) => name === ALL, head: fragmentationHead, tabs: FRAGMENTATION_TABS },
};

/** The view of a page whose run has cards in it, else null. */
export function hamiOf(page) {
  return hasCards(page.fold) ? new HamiView(page) : null;
}

class HamiView {
  constructor(page) {
    const { fold, map, reading } = page;
    this.page = page;
    this.cards = new CardsOnMap({ fold, reading });
    map.cards = this.cards;
    reading.tiles = "cards";
    const choice = part("tiles");
    choice.value = reading.tiles;
    choice.addEventListener("change", () => reading.set({ tiles: choice.value }));
    // By which resource pods are drawn isn't asked where cards are.
    const ofPods = part("resource").closest("label");
    ofPods.hidden = true;
    reading.when(["tiles"], () => (ofPods.hidden = reading.tiles === "cards"));
    part("tiles-label").hidden = false;
    part("fragmentation").hidden = false;
    part("fragmentation").addEventListener("click", () => {
      reading.set({ card: keyOf("cards", ALL) });
      page.openInspector();
    });
  }

  joinInspector(inspector) {
    const { fold, names, reading, rest, scale, transport } = this.page;
    const mix = new MixChoice({ fold, rest, reading, redraw: () => this.card.draw() });
    this.card = new ObjectCard({
      ...{ mix, fold, names, reading, rest, scale, inspector, about: ABOUT },
      onNode: (name) => this.page.pickNode(name),
      onPod: (uid) => this.page.pickPod(uid),
      onSeek: (seq) => transport.seek(seq),
    });
  }

  /** Show a decision; null before the first, and while it is being read. */
  show(event) {
    this.cards.forget();
    this.card.show(event);
    if (event && isOfHami(event)) this.#judge(event);
  }

  /** Mark how the cards were judged, once the server has said so. */
  #judge(event) {
    const { evidence, map, fold } = this.page;
    judgedCards(evidence, event)
      .then(({ nodes }) => {
        if (fold.at !== event.seq) return;
        this.cards.learn(nodes);
        map.draw();
        this.page.table.draw();
        this.page.legend.draw();
      })
      .catch(() => {}); // The inspector asks the same, and says what went wrong.
  }
}
