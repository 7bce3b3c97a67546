// The trust line under every answer: the snapshot's age, how nodes were scored, what isn't modelled, what is
// missing from the import and the kubectl lines that add it.

import { copy, fill, h } from "./dom.js";
import { trustPhrases } from "./markdown.js";
import { age } from "./units.js";

export function drawTrust(element, run) {
  const taken = run.snapshot?.taken_at;
  const phrases = trustPhrases(run.trust);
  const remedies = run.trust?.remedies ?? [];
  const line = [taken && h("time", { datetime: taken, title: taken }, `snapshot ${age(taken)} old`), taken && phrases.length > 0 && "; ", phrases.join("; ")];
  if (!remedies.length) return fill(element, h("p", {}, line));
  return fill(element, h("details", {}, h("summary", {}, line, ". ", h("span", { class: "add-missing" }, "What adds it")),
    h("p", {}, "Add what is missing to the import:"),
    remedies.map((remedy) => h("div", { class: "remedy" }, h("code", {}, remedy),
      h("button", { type: "button", class: "link", onclick: (press) => copy(remedy, press.currentTarget) }, "copy")))));
}
