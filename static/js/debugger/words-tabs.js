// The Events and Raw tabs: the decision in kubectl's words, and as the JSON that REST gives.

import { copy, h } from "./dom.js";
import { eventsOf } from "./kubectl.js";

export function drawEvents(page, event) {
  const events = eventsOf(event, page.release);
  if (!events.length) return [h("p", { class: "empty" }, "This decision leaves no event.")];
  return [
    h(
      "div",
      { class: "kubectl" },
      events.map(({ type, reason, from, object, message }) =>
        h(
          "article",
          { class: "kubectl-event" },
          h(
            "header",
            {},
            h("span", { class: type === "Warning" ? "warning" : "" }, type),
            h("b", {}, reason),
            h("span", {}, object),
            h("span", { class: "muted" }, from),
            h(
              "button",
              { type: "button", class: "link", onclick: (press) => copy(message, press.currentTarget) },
              "copy",
            ),
          ),
          h("p", { class: "mono" }, message),
        ),
      ),
    ),
  ];
}

export function drawRaw(page, event) {
  const { rest, reading } = page;
  const address = rest.decisionAddress(event.seq);
  const text = JSON.stringify(event, null, 2);
  const pre = h("pre", { class: "raw", tabindex: "0", aria: { label: "JSON of the decision" } }, text);
  const whole = h(
    "button",
    {
      type: "button",
      class: "link",
      onclick: async () => {
        whole.disabled = true;
        pre.textContent = "…";
        const document = await page.evidence
          .cycle(event.seq)
          .then((cycle) => cycle.document)
          .catch((problem) => ({ problem: problem.message }));
        pre.textContent = JSON.stringify(document, null, 2);
      },
    },
    "with every node's verdict",
  );
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
      whole,
    ),
    pre,
  ];
}
