// Joins what a run with Volcano has beside the other parts of the page: the left column, the card of a queue or a job,
// and the colours by queue.

import { jobName } from "../../job-names.js";
import { hasOthers } from "../facts.js";
import { groupRows, hasSessions, queueRows } from "./rows.js";
import { fill, h, keep } from "../../drawing/dom.js";
import { ObjectCard } from "../../debugger/inspector/object-card.js";
import { part } from "../../debugger/parts.js";
import { VolcanoColumn } from "./column.js";
import { JOB_TABS, jobHead } from "./job-card.js";
import { momentOf } from "./moment.js";
import { QUEUE_TABS, queueHead } from "./queue-card.js";
import { QueueColours } from "./queue-colours.js";

const ABOUT = {
  queue: { label: "queue", find: (fold, name) => queueRows(fold).get(name), head: queueHead, tabs: QUEUE_TABS },
  group: { label: "job", called: jobName, find: (fold, name) => groupRows(fold).get(name), head: jobHead, tabs: JOB_TABS },
};

/** The view of a page whose run has Volcano in it, else null. `element` is the left column. */
export function volcanoOf(page, element) {
  return hasSessions(page.fold) ? new VolcanoView(page, element) : null;
}

class VolcanoView {
  constructor(page, element) {
    const { fold, figures, loads, log, map, reading, selection, standing } = page;
    this.page = page;
    this.colours = new QueueColours(fold);
    /** Where the queues of schedulers beside Volcano are drawn. */
    this.below = keep(h("div", { class: "volcano-below" }));
    reading.colour = this.colours.names.length > 1 ? "queue" : "priority";
    map.colours = this.colours;
    this.parts = { fold, figures, loads, log, reading, standing, sessions: figures.sessions, colours: this.colours };
    const below = hasOthers(fold) ? this.below : null;
    this.column = new VolcanoColumn({ ...this.parts, element, below, onChoose: (key) => selection.card(key) });
    element.classList.add("volcano-column");
    this.#colourChoice(reading);
    // The resource is chosen above the map and above the queues: both say the same.
    reading.when(["resource"], () => {
      part("resource").value = reading.resource;
    });
  }

  joinInspector(inspector) {
    const { page, parts } = this;
    const { names, rest, scheduler, selection } = page;
    this.card = new ObjectCard({
      ...parts,
      about: ABOUT,
      more: (event) => ({ moment: momentOf(parts, event) }),
      ...{ names, rest, scheduler, inspector },
      onPod: (uid) => selection.pod(uid),
      onSeek: (seq) => page.transport.seek(seq),
    });
  }

  #colourChoice(reading) {
    const choices = ["queue", "priority"].map((value) => h("option", { value, selected: value === reading.colour }, value));
    fill(part("colour"), choices);
    part("colour").addEventListener("change", ({ target }) => reading.set({ colour: target.value }));
    part("colour-label").hidden = false;
  }
}
