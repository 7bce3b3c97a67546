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
    const { fold, map, reading, standing } = page;
    this.page = page;
    this.cards = new CardsOnMap({ fold, reading });
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
    part("fragmentation").hidden = false;
    part("fragmentation").addEventListener("click", () => {
      page.selection.card(keyOf("cards", ALL));
    });
  }

  joinInspector(inspector) {
    const { fold, names, reading, rest, scale, selection, standing, transport } = this.page;
    const mix = new MixChoice({ fold, rest, reading, changed: () => reading.tell(this.card) });
    this.card = new ObjectCard({
      ...{ mix, fold, names, reading, rest, scale, standing, inspector, about: ABOUT },
      onNode: (name) => selection.node(name),
      onPod: (uid) => selection.pod(uid),
      onSeek: (seq) => transport.seek(seq),
    });
  }

  /** Mark how the cards were judged by a decision, once the server has said so; null before the first, and while it is being read. */
  #judge(event) {
    this.cards.forget();
    if (!event || !isOfHami(event)) return;
    const { evidence, map, fold, reading } = this.page;
    judgedCards(evidence, event)
      .then(({ nodes }) => {
        if (fold.at !== event.seq) return;
        this.cards.learn(nodes);
        reading.tell(map);
      })
      .catch(() => {}); // The inspector asks the same, and says what went wrong.
  }
}
