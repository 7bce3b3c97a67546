// Draw a funnel: a row for each band with its label, its place within the whole, and its count. A band that
// names nodes is a button that lights them on the map and lists them below.

import { h } from "../../../drawing/dom.js";
import { count } from "../../words/units.js";

export function drawBands(bands, { pressed = null, onPress = null, label, canPress = (band) => namesNodes(band) }) {
  const whole = Math.max(1, bands[0]?.size ?? 1);
  return h(
    "div",
    { class: "funnel", role: "group", aria: { label } },
    bands.map((band) => bandRow(band, whole, pressed === band.key, canPress(band) ? onPress : null)),
  );
}

function bandRow(band, whole, isPressed, onPress) {
  const cells = [
    h("span", { class: "band-label", title: band.title ?? band.label }, band.label),
    h(
      "span",
      { class: "band-track", aria: { hidden: true } },
      band.size > 0 && (band.segments ?? [band]).map((segment) => bar(segment, whole)),
    ),
    h("span", { class: "band-count" }, count(band.size)),
  ];
  if (!onPress || band.size === 0) return h("div", { class: "band" }, cells);
  return h(
    "button",
    {
      class: "band",
      type: "button",
      aria: { pressed: isPressed },
      data: { band: band.key },
      onclick: () => onPress(band),
    },
    cells,
  );
}

function bar({ from, size, tone }, whole) {
  const style = { left: share(from, whole), width: `max(2px, ${share(size, whole)})` };
  return h("span", { class: `band-bar tone-${tone}`, style });
}

/** Bands whose nodes REST can list. */
function namesNodes({ key }) {
  return key !== "all" && key !== "apart";
}

function share(part, whole) {
  return `${(part / whole) * 100}%`;
}
