// The Events and Raw tabs: the decision in kubectl's words, and as the JSON that REST gives.

import { copy, h } from "./dom.js";
import { eventsOf } from "./kubectl.js";
import { failingFilters, question } from "./node-section.js";

export function drawEvents(page, event) {
  const events = eventsOf(event, page.release);
  const answer = page.reading.node && nodeInEvents(page, event, events);
  if (!events.length) return [answer, h("p", { class: "empty" }, "This decision leaves no event.")];
  return [
    answer,
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

/** What the events say of the selected node; they name few, and only count the others. */
function nodeInEvents(page, event, events) {
  const { evidence, inspector, reading, release } = page;
  const { node } = reading;
  const isAsked = event.kind !== "eviction" && event.outcome !== "gated";
  const naming = events.find(({ message }) => message.split(/[\s,:]+/).includes(node));
  const failed = events.find(({ reason }) => reason === "FailedScheduling");
  const words = () => {
    if (naming) return h("p", {}, `${naming.reason} names it.`);
    if (!isAsked) return notNamed(page, false);
    return inspector.later(evidence.node(event.seq, node), ({ filters }) => {
      const reasons = failingFilters(filters, release).flatMap((filter) => filter.reasons);
      const counted = reasons.filter((reason) => failed?.message.includes(reason));
      return counted.length
        ? h("p", {}, `FailedScheduling counts it for ${counted.join(", ")}.`)
        : notNamed(page, true);
    });
  };
  const heading = isAsked ? question(event, node) : node;
  return h("section", { class: "node-section" }, h("h3", {}, heading, inspector.closeNode()), words());
}

function notNamed({ reading }, wasAsked) {
  const toFilter = { type: "button", class: "link", onclick: () => reading.set({ tab: "filter" }) };
  return h(
    "p",
    {},
    "No event of this decision speaks of it.",
    wasAsked && [" What the scheduler found on it is under ", h("button", toFilter, "Filter"), "."],
  );
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
