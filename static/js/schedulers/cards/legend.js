// What the columns and the letters of cards on the map mean.

import { h } from "../../drawing/dom.js";
import { ALL_LETTERS } from "./letters.js";

/** The levels of detail at which cores have columns of their own. */
const WITH_CORES = ["tall", "large"];

/** `letters`: those that can be seen now; `detail`: how much tiles show (layout.js). */
export function drawCardKeys(letters, detail) {
  const means = (letter) => ALL_LETTERS.find((one) => one.letter === letter).means.split(":")[0];
  return [
    WITH_CORES.includes(detail) && h("span", {}, h("i", { class: "key cores-used" }), "cores used"),
    letters.length > 0 && h("span", { class: "key-group" }, letters.map((letter) => h("span", {}, h("b", {}, letter), ` ${means(letter)}`))),
  ];
}
