// What the columns and the letters of cards on the map mean.

import { h } from "../dom.js";
import { ALL_LETTERS } from "./letters.js";

/** `letters`: those that can be seen now. */
export function drawCardKeys(letters) {
  const means = (letter) => ALL_LETTERS.find((one) => one.letter === letter).means.split(":")[0];
  return [
    h("span", {}, h("i", { class: "key cores-used" }), "cores used"),
    letters.length > 0 && h("span", { class: "key-group" }, letters.map((letter) => h("span", {}, h("b", {}, letter), ` ${means(letter)}`))),
  ];
}
