// The heads of the lanes: what each shows and its value at the reader's instant; to fold it, to move it up, to pin a pod.

import { fill, h, keep } from "../../drawing/dom.js";
import { withTail } from "../queue/queue.js";

export class LaneHeads {
  element;
  laneOrder;
  onChange;
  onPin;
  /** @type {import("../reading.js").Reading} */
  reading;

  /** `parts`: {element, laneOrder, reading, onChange(), onPin(uid), onPod(uid)} */
  constructor(parts) {
    Object.assign(this, parts);
    this.drawn = "";
  }

  /** `rows`: the lanes from above (lanes.js); `top`: where the first pixel of the canvas is, from that of the heads. */
  draw(rows, scene, top) {
    const key = JSON.stringify([rows.map((row) => [row.lane.key, row.top, row.isFolded]), this.reading.pinned, top]);
    const heads = rows.map(({ lane }) => lane.head(scene));
    if (key !== this.drawn) this.#rebuild(rows, heads, scene, top);
    this.drawn = key;
    heads.forEach(({ value }, i) => {
      if (this.values[i].textContent !== value) this.values[i].textContent = this.values[i].title = value;
    });
  }

  #rebuild(rows, heads, scene, top) {
    const groups = [...new Set(rows.map(({ lane }) => lane.group))];
    this.values = rows.map(() => keep(h("span", { class: "lane-value" })));
    const drawn = rows.map((row, i) => {
      const at = { top: `${top + row.top}px`, height: `${row.height}px` };
      return h("div", { class: "lane-head", style: at, data: { lane: row.lane.key, key: row.lane.key } }, this.#head(row, heads[i].label, groups, scene), this.values[i]);
    });
    fill(this.element.querySelector("[data-part=lanes]"), drawn);
  }

  #head({ lane, isFolded }, label, groups, { fold }) {
    const { laneOrder } = this;
    const { group } = lane;
    const isPod = lane.pod !== undefined;
    const folds = h(
      "button",
      {
        type: "button",
        class: "link lane-fold",
        title: isFolded ? "unfold" : "fold to one line",
        aria: { expanded: !isFolded, label: `lane ${label}` },
        onclick: () => this.#change(() => laneOrder.toggle(group)),
      },
      h("span", { class: "lane-mark", aria: { hidden: true } }, isFolded ? "▸" : "▾"),
      h("span", { class: "lane-name" }, isPod ? withTail(label) : label),
    );
    const raises = groups.indexOf(group) > 0 && h(
      "button",
      {
        type: "button",
        class: "link lane-up",
        title: "move up",
        aria: { label: `move ${label} up` },
        onclick: () => this.#change(() => laneOrder.raise(group, groups)),
      },
      "↑",
    );
    return [folds, isPod && this.#pin(fold.pods[lane.pod].uid, label), raises];
  }

  #pin(uid, label) {
    const isPinned = this.reading.pinned.includes(uid);
    return h(
      "button",
      {
        type: "button",
        class: "link lane-pin",
        title: isPinned ? "shown until it is let go" : "keep this lane when another pod is selected",
        aria: { pressed: isPinned, label: `pin ${label}` },
        onclick: () => this.onPin(uid),
      },
      isPinned ? "pinned" : "pin",
    );
  }

  #change(change) {
    change();
    this.onChange();
  }
}
