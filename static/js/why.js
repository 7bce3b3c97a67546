// The snapshot's view "Why pending": names of nodes without what they have in common, undone by a click.

import { commonParts, shortened } from "./debugger/names/node-names.js";
import { h } from "./drawing/dom.js";

/** Cut the names in a part of the page that is new; the line that says so is the mark that it was done. */
function cutNames(part) {
  const line = part.querySelector?.(".names-line:empty");
  if (!line) return;
  const named = [...part.querySelectorAll("[data-node]")];
  const squares = [...part.querySelectorAll(".why-map g title")].map((one) => one.textContent.split(":")[0]);
  const common = commonParts(squares);
  if (!common.head && !common.tail) return;
  const words = h("span", {});
  const button = h("button", { type: "button", class: "as-link", onclick: () => draw(!whole) });
  let whole = false;
  const draw = (next) => {
    whole = next;
    for (const one of named) {
      one.textContent = whole ? one.dataset.node : shortened(one.dataset.node, common);
      one.title = one.dataset.node;
    }
    const cut = [common.head, common.tail].filter(Boolean).map((text) => h("code", {}, text));
    const said = cut.length > 1 ? ["names without ", cut[0], " and ", cut[1], " "] : ["names without ", ...cut, " "];
    words.replaceChildren(...(whole ? ["whole names "] : said));
    button.textContent = whole ? "shorten them" : "show whole names";
  };
  line.append(words, button);
  draw(false);
}

document.addEventListener("htmx:load", ({ target }) => cutNames(/** @type {Element} */ (target)));
cutNames(document);
