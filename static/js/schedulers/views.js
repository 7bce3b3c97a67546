// What a run's schedulers have beside the other parts of the page. To add a scheduler: a view of its own, and its function
// in VIEWS; types/scheduler.d.ts says what a view has.

import { cardsOf } from "./cards/view.js";
import { devicesOf } from "./devices/view.js";
import { hamiCards } from "./hami/sharer.js";
import { volcanoCards } from "./volcano/sharer.js";
import { volcanoOf } from "./volcano/view.js";

const VIEWS = [volcanoOf, (page) => cardsOf(page, [hamiCards, volcanoCards]), devicesOf];

/** The views of a page's run, none for most: each scheduler says whether it is there. `column`: the element on the left. */
export function viewsOf(page, column) {
  return new Views(VIEWS.map((viewOf) => viewOf(page, column)).filter(Boolean));
}

class Views {
  /** `colours` by queue, `cards` of nodes, and `below`, where queues of other schedulers are drawn, come from whom has them. */
  constructor(views) {
    /** @type {SchedulerView[]} */
    this.all = views;
    this.colours = views.find(({ colours }) => colours)?.colours;
    this.cards = views.find(({ cards }) => cards)?.cards;
    this.below = views.find(({ below }) => below)?.below;
  }

  joinInspector(inspector) {
    for (const view of this.all) view.joinInspector(inspector);
  }
}
