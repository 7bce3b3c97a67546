// The devices that a pod's ResourceClaims have on its node, below an attempt that placed it.

import { h } from "../drawing/dom.js";

/** A list of the claims; nothing for a pod without any. */
export function drawClaims(event) {
  const sentences = claimSentences(event);
  return sentences.length ? [h("ul", { class: "claims-given small" }, sentences.map((sentence) => h("li", {}, sentence)))] : [];
}

/** A sentence for each claim: what it is given, or had before. */
export function claimSentences({ claims = [] }) {
  return claims.map(({ claim, new: isNew, devices }) => {
    const list = devices.map(deviceWords).join(", ") || "no device";
    return `Claim ${claim} ${isNew ? "is given" : "already has"} ${list}.`;
  });
}

function deviceWords({ request, driver, pool, device, admin, consumed }) {
  const part = Object.entries(consumed).map(([name, amount]) => `${name} ${amount}`);
  const notes = [...part, ...(admin ? ["for administration"] : [])];
  return `${driver}/${pool}/${device} (${[request, ...notes].join(", ")})`;
}
