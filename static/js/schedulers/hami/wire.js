// What a kube-scheduler and its extender would say to each other over the wire, put together from the explanation. Pure.

import { plural } from "../../debugger/words/units.js";

/** What the webhook did to the pod, as a step; `review`: the explanation's, null where it wasn't asked. */
export function webhookLines(review) {
  if (!review) return ["HAMi's webhook was not asked about this pod in this run."];
  if (!review.patch.length) return [review.response.response.status.message ?? "let in as it was: nothing to complete"];
  return review.patch.map(({ op, path, value }) => `${op} ${pathWords(path)}${op === "remove" ? "" : `: ${shortJson(value)}`}`);
}

/** A JSON pointer as a path with dots. */
function pathWords(pointer) {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
    .join(".");
}

function shortJson(value) {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The request of a filter call, as kube-scheduler sends it to an extender that has a cache of nodes. */
export function filterRequest({ namespace, name, uid }, nodes) {
  return { Pod: { metadata: { name, namespace, uid } }, Nodes: null, NodeNames: nodes };
}

/** The answer of a filter call. */
export function filterAnswer({ fits, failed, unresolvable, error }) {
  const isRefused = !error && !fits.length;
  return {
    Nodes: null,
    NodeNames: error || isRefused ? null : fits,
    FailedNodes: isRefused ? failed : null,
    FailedAndUnresolvableNodes: Object.keys(unresolvable ?? {}).length ? unresolvable : null,
    Error: error ?? "",
  };
}

/** JSON with a long list of names cut. */
export function cutJson(document, most = 12) {
  const shorter = (_key, value) => (Array.isArray(value) && value.length > most ? [...value.slice(0, most), `… ${value.length - most} more`] : value);
  return JSON.stringify(document, shorter, 1);
}

/** The steps of a decision in order: [{title, isPlayed, lines}], from the log. `given`: what the pod gets. */
export function wireSteps({ exchanges, pod }, { node, given }) {
  const steps = [];
  for (const { verb, sent, fits, error } of exchanges) {
    if (verb === "filter") {
      const out = error ? `error: ${error}` : fits?.length ? `${plural(fits.length, "node name")} out: ${fits.join(", ")}` : "no node out";
      steps.push({ title: "POST /filter", lines: [`${plural(sent, "node name")} in, ${out}`] });
      if (node && !error) steps.push({ title: "annotations", lines: [`hami.io/vgpu-node: ${node}`, ...given] });
    } else if (verb === "bind") {
      steps.push({ title: "POST /bind", lines: [error ? `error: ${error}` : `node locked (hami.io/mutex.lock) · hami.io/bind-phase: allocating · ${pod.namespace}/${pod.name} bound`] });
      if (!error) steps.push({ title: "device plugin", isPlayed: true, lines: ["hami.io/bind-phase: success · lock released"] });
    } else steps.push({ title: `POST /${verb}`, lines: [error ? `error: ${error}` : ""] });
  }
  return steps;
}
