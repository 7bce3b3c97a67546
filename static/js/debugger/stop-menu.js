// The menu of stops: kinds of decisions, a pod, a node, a priority. Any of them pauses play, where there are several
// schedulers on request only if a certain one decides.

import { offeredStops } from "../kinds/stops.js";
import { fill, h } from "./dom.js";
import { stopLabel } from "./stops.js";

export function stopMenu({ element, label, reading, transport, names, figures, schedulers }) {
  const change = (values) => reading.set({ stop: { ...reading.stop, ...values } });
  let offered = [];
  const draw = () => {
    const { stop } = reading;
    offered = offeredStops(figures);
    label.textContent = stopLabel({ ...stop, node: names.short(stop.node) });
    fill(
      element,
      h(
        "fieldset",
        {},
        h("legend", {}, "Play pauses, and n and p jump, at"),
        offered.map(({ key, label: words }) =>
          h(
            "label",
            {},
            h("input", {
              type: "checkbox",
              checked: stop.kinds.includes(key),
              onchange: (event) =>
                change({
                  kinds: event.target.checked
                    ? [...stop.kinds, key]
                    : stop.kinds.filter((kind) => kind !== key),
                }),
            }),
            words,
          ),
        ),
      ),
      field(
        "a pod whose name has",
        h("input", {
          type: "text",
          value: stop.pod,
          placeholder: "any part of namespace/name",
          onchange: (event) => change({ pod: event.target.value.trim() }),
        }),
      ),
      field(
        "the node",
        h("input", {
          type: "text",
          value: stop.node,
          placeholder: "its name, short or whole",
          list: "node-names",
          onchange: (event) => change({ node: names.whole(event.target.value.trim()) }),
        }),
      ),
      field(
        "priority above",
        h("input", {
          type: "number",
          value: stop.priority ?? "",
          onchange: (event) =>
            change({ priority: event.target.value === "" ? null : Number(event.target.value) }),
        }),
      ),
      schedulers.length > 1 &&
        field(
          "only decisions of",
          h(
            "select",
            { onchange: (event) => change({ actor: event.target.value }) },
            h("option", { value: "", selected: !stop.actor }, "anybody"),
            schedulers.map((name) => h("option", { value: name, selected: name === stop.actor }, name)),
          ),
        ),
      h(
        "div",
        { class: "stop-jumps" },
        h("button", { type: "button", onclick: () => transport.nextStop(-1) }, "previous", h("kbd", {}, "p")),
        h("button", { type: "button", onclick: () => transport.nextStop(1) }, "next", h("kbd", {}, "n")),
      ),
    );
  };
  reading.when(["stop"], draw);
  reading.when(["head"], () => offered.length < offeredStops(figures).length && draw());
  draw();
}

function field(words, input) {
  return h("label", { class: "stop-field" }, h("span", {}, words), input);
}
