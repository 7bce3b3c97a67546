// The Raw tab: the decision as the JSON that REST gives, and the addresses that give it.

import { copy, h, keep } from "../../../drawing/dom.js";

export function drawRaw({ addressOf, evidence, kind, reading }, event) {
  const address = addressOf(event.seq);
  const asksNodes = kind.asksNodes(event);
  const text = JSON.stringify(event, null, 2);
  const pre = keep(h("pre", { class: "raw", tabindex: "0", aria: { label: "JSON of the decision" } }, text));
  const whole = keep(h(
    "button",
    {
      type: "button",
      class: "link",
      onclick: async () => {
        whole.disabled = true;
        pre.textContent = "…";
        const document = await evidence
          .cycle(event.seq)
          .then((cycle) => cycle.document)
          .catch((problem) => ({ problem: problem.message }));
        pre.textContent = JSON.stringify(document, null, 2);
      },
    },
    "with every node's verdict",
  ));
  return [
    h(
      "p",
      { class: "raw-address" },
      h("a", { href: address, class: "mono" }, `GET ${new URL(address).pathname}`),
      h(
        "button",
        { type: "button", class: "link", onclick: (press) => copy(address, press.currentTarget) },
        "copy address",
      ),
    ),
    reading.node &&
      asksNodes &&
      h(
        "p",
        { class: "raw-address" },
        h(
          "a",
          { href: `${address}nodes/${encodeURIComponent(reading.node)}/`, class: "mono" },
          `GET …/nodes/${reading.node}/`,
        ),
      ),
    h(
      "p",
      { class: "raw-address" },
      h(
        "button",
        { type: "button", class: "link", onclick: (press) => copy(pre.textContent, press.currentTarget) },
        "copy JSON",
      ),
      asksNodes && whole,
    ),
    pre,
  ];
}
