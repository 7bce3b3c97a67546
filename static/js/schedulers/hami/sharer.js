// What HAMi brings to the cards of a run (../cards/view.js): how its decisions judged them, and how they fragment.

import { keyOf } from "../../debugger/inspector/object-key.js";
import { part } from "../../debugger/parts.js";
import { ACTORS } from "../../effects.js";
import { hasAskedForCards } from "../cards/answer.js";
import { FRAGMENTATION_TABS, fragmentationHead } from "./fragmentation-card.js";
import { judgedCards } from "./judging.js";
import { MixChoice } from "./mix-choice.js";

const ALL = "all";

export const hamiCards = {
  judges: hasAskedForCards,
  judged: (evidence, event) => judgedCards(evidence, event).then(({ nodes }) => ({ nodes, by: "HAMi" })),
  about: { cards: { label: "cards", find: (_fold, name) => name === ALL, head: fragmentationHead, tabs: FRAGMENTATION_TABS } },

  /** Offer how cards fragment, where HAMi shares some. */
  begin({ fold, rest, reading, selection }, changed) {
    const { rows } = fold.tables.table(ACTORS);
    if (rows.some(({ engine }) => engine.startsWith("hami-"))) {
      part("fragmentation").hidden = false;
      part("fragmentation").addEventListener("click", () => selection.card(keyOf("cards", ALL)));
    }
    return { mix: new MixChoice({ fold, rest, reading, changed }) };
  },
};
