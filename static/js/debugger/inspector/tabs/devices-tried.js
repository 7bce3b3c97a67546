// What came of each device of a node for a pod's claims: a block for each request, in it a line for all devices that are alike.

import { h } from "../../../drawing/dom.js";
import { plural } from "../../words/units.js";

const SIGNS = { taken: "✓", fits: "↩", unseen: "–" };

/** @param {LogDevicesTried | null | undefined} told */
export function drawDevicesTried(told) {
  if (!told) return null;
  const { held = [], requests = [], unusable = [], elsewhere = 0, replaced = 0, error = "" } = told;
  const beside = [
    elsewhere > 0 && h("li", {}, plural(elsewhere, "device"), " in slices for other nodes"),
    replaced > 0 && h("li", {}, plural(replaced, "device"), " in slices of an older generation of a pool"),
  ];
  return h(
    "section",
    { class: "devices-tried" },
    h("h4", {}, "Its devices"),
    error && h("p", { class: "verdict failed" }, "The search ended with an error: ", h("code", {}, error)),
    held.map(drawHeld),
    requests.map(drawRequest),
    (unusable.length > 0 || beside.some(Boolean)) && h("ul", { class: "plain" }, unusable.map(drawAlike), beside),
  );
}

function drawHeld({ claim, devices, usable }) {
  return h("p", {}, h("b", {}, claim), " has its devices already: ", devices.join(", ") || "none", usable ? "." : ", which this node can't use.");
}

function drawRequest({ claim, request, device_class, number, tried, devices = [], resource = "" }) {
  const asks = number === null ? "all devices" : plural(number, "device");
  return [
    h(
      "p",
      {},
      h("b", {}, resource || claim),
      `, request ${request}: ${asks} of class ${device_class}`,
      !tried && h("span", { class: "muted" }, "; the search ended before it"),
    ),
    devices.length > 0 && h("ul", { class: "plain" }, devices.map(drawAlike)),
  ];
}

/** Devices that are alike; their names unfold. */
function drawAlike({ verdict, reason, number, devices, about = "" }) {
  const named = devices.length < number ? [...devices, { device: `${plural(number - devices.length, "more device")}` }] : devices;
  const says = [
    h("span", { class: "sign", aria: { hidden: true } }, SIGNS[verdict] ?? "✕"),
    h("b", {}, plural(number, "device")),
    ` ${reason}`,
    about && [", ", h("code", {}, about)],
  ];
  return h("li", { class: verdict }, h("details", {}, h("summary", {}, says), h("ul", { class: "plain" }, named.map(drawDevice))));
}

function drawDevice({ device, said = "", claims = [], pods = [] }) {
  const holders = [claims.length > 0 && `held by ${claims.join(", ")}`, pods.length > 0 && `for ${pods.join(", ")}`];
  const notes = [said, ...holders].filter(Boolean).join(" ");
  return h("li", {}, h("span", { class: "mono" }, device), notes && h("span", { class: "muted" }, ` ${notes}`));
}
