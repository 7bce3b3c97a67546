/* Configurations that stand in the snapshot's ConfigMaps: offered to a scheduler of their kind, copied when chosen. */

import { h } from "../drawing/dom.js";
import { takenBy } from "./versions.js";

export class FoundConfigurations {
  /** `take(yaml)` is called with the text of the one that is chosen. */
  constructor(field, found, take) {
    this.field = field;
    this.all = found;
    this.choice = field.querySelector("select");
    this.choice.addEventListener("change", () => {
      const chosen = this.offered[this.choice.value];
      if (chosen) take(chosen.yaml);
      this.choice.value = "";
    });
  }

  /** Offer what the version takes; without any, the field is hidden. */
  offer(version) {
    this.offered = takenBy(this.all, version);
    const options = this.offered.map(({ where }, place) => h("option", { value: String(place) }, where));
    this.choice.replaceChildren(this.choice.options[0], ...options);
    this.field.hidden = !options.length;
  }
}
