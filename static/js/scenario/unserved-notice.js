/* Where the editor says whom nobody serves: beside Run, in a notice with what to do about it, and among the figures. */

import { count } from "../amounts.js";
import { h } from "../drawing/dom.js";
import { podsInWords, podsOf, unservedWords } from "./unserved.js";

/**
 * Say beside Run whom nobody serves, and what to do about it. `own`: the schedulers that the cluster's waiting pods name,
 * with the names that are `unserved` by them too; `chosen`: those of the scenario.
 */
export function drawUnserved(root, leftAlone, { own, chosen }) {
  const part = (name) => root.querySelector(`[data-${name}]`);
  const pods = podsOf(leftAlone);
  part("unserved").hidden = part("unserved-short").hidden = pods === 0;
  part("unserved-short").querySelector("span").textContent = pods ? `${podsInWords(pods)} ${pods === 1 ? "gets" : "get"} no decision` : "";
  part("unserved-words").textContent = unservedWords(leftAlone);
  const isOwn = areSame(own, chosen);
  const lost = own.unserved.map(({ scheduler }) => scheduler);
  const helps = !isOwn && leftAlone.some(({ scheduler }) => !lost.includes(scheduler));
  const take = part("take-own");
  part("unserved-advice").hidden = helps && take !== null;
  if (take) take.hidden = !helps;
  part("own-words").textContent = isOwn ? "Taken from the cluster." : "The cluster's own schedulers.";
}

/** The row of figures below that of the pods that wait. */
export function unservedLine(pods) {
  const cells = ["without a scheduler", "", count(pods), ""];
  return h("tr", { class: "of-them is-unsched" }, cells.map((words, place) => h("td", { class: place ? "num" : null }, words)));
}

function areSame(one, other) {
  const told = ({ profile, config, beside }) => JSON.stringify([profile, config, beside]);
  return told(one) === told(other);
}
