// The menu of stops: kinds of decisions, a pod, a node, a priority. Any of them pauses play, where there are several
// schedulers on request only if a certain one decides.

import { offeredStops } from "../../decisions/stops.js";
import { fill, h } from "../../drawing/dom.js";
import { stopLabel } from "./stops.js";

/** The fields are made once: what somebody types into one, and the focus, outlast a change of another. */
export function stopMenu({ element, label, reading, transport, names, figures, schedulers }) {
  const change = (values) => reading.set({ stop: { ...reading.stop, ...values } });
  const kinds = kindBoxes(reading, figures, change);
  const drawLabel = () => {
    const { stop } = reading;
    label.textContent = stopLabel({ ...stop, node: names.short(stop.node) });
  };
  fill(
    element,
    kinds.element,
    conditionFields(reading.stop, names, change),
    schedulers.length > 1 && field("only decisions of", actorChoice(reading.stop, schedulers, change)),
    h(
      "div",
      { class: "stop-jumps" },
      h("button", { type: "button", onclick: () => transport.nextStop(-1) }, "previous", h("kbd", {}, "p")),
      h("button", { type: "button", onclick: () => transport.nextStop(1) }, "next", h("kbd", {}, "n")),
    ),
  );
  reading.when(["stop"], drawLabel);
  reading.when(["head"], kinds.offer);
}

/** A box for each kind of decision: {element, offer(): adds the boxes that a longer log has brought}. */
function kindBoxes(reading, figures, change) {
  const boxes = new Map();
  const element = h("fieldset", {}, h("legend", {}, "Play pauses, and n and p jump, at"));
  const chosen = () => [...boxes].filter(([, box]) => box.checked).map(([key]) => key);
  const offer = () => {
    for (const { key, label } of offeredStops(figures)) {
      if (boxes.has(key)) continue;
      const checked = reading.stop.kinds.includes(key);
      boxes.set(key, h("input", { type: "checkbox", checked, onchange: () => change({ kinds: chosen() }) }));
      element.append(h("label", {}, boxes.get(key), label));
    }
  };
  offer();
  return { element, offer };
}

function conditionFields(stop, names, change) {
  const takeNode = ({ target }) => {
    target.value = names.whole(target.value.trim());
    change({ node: target.value });
  };
  const takePriority = ({ target }) => change({ priority: target.value === "" ? null : Number(target.value) });
  return [
    field(
      "a pod whose name has",
      h("input", {
        type: "text",
        value: stop.pod,
        placeholder: "any part of namespace/name",
        onchange: ({ target }) => change({ pod: target.value.trim() }),
      }),
    ),
    field(
      "the node",
      h("input", {
        type: "text",
        value: stop.node,
        placeholder: "its name, short or whole",
        list: "node-names",
        onchange: takeNode,
      }),
    ),
    field("priority above", h("input", { type: "number", value: stop.priority ?? "", onchange: takePriority })),
  ];
}

function actorChoice(stop, schedulers, change) {
  return h(
    "select",
    { onchange: ({ target }) => change({ actor: target.value }) },
    h("option", { value: "", selected: !stop.actor }, "anybody"),
    schedulers.map((name) => h("option", { value: name, selected: name === stop.actor }, name)),
  );
}

function field(words, input) {
  return h("label", { class: "stop-field" }, h("span", {}, words), input);
}
