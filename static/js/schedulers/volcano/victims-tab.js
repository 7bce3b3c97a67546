// The Victims tab: whom each plugin lets go, tier by tier, one column a pod. In a tier all have to agree; the first
// tier with somebody left decides, and later ones are not asked.

import { h } from "../../drawing/dom.js";
import { plural } from "../../debugger/words/units.js";
import { sharedBegin } from "./gang-states.js";

const LISTED = 40;
/** Names of more columns are cut where they begin alike, so that all of them can be seen. */
const WHOLE_NAMES = 3;

export function drawVictims(tools, event) {
  const { victims, tiers, action } = event;
  if (!tiers.length) return [h("p", { class: "empty" }, emptyWords(event))];
  const columns = columnsOf(tiers, victims);
  const shown = columns.slice(0, LISTED);
  const names = shown.map((uid) => nameOf(tools, uid));
  const cut = shown.length > WHOLE_NAMES ? sharedBegin(names) : 0;
  return [
    h("h3", {}, "Possible victims", h("small", { class: "muted" }, ` for ${action}, on ${tools.names.short(event.node)}`)),
    h(
      "div",
      { class: "table-scroll", tabindex: "0", role: "region", aria: { label: "victims by tier" } },
      h(
        "table",
        { class: "compact victims" },
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "plugin"), shown.map((uid, i) => h("th", { scope: "col" }, podLink(tools, uid, names[i], cut))))),
        tiers.map((tier, i) => tierBody(tier, { number: i + 1, isLast: i === tiers.length - 1, shown, victims })),
      ),
    ),
    columns.length > shown.length && h("p", { class: "muted small" }, `The first ${LISTED} of ${plural(columns.length, "pod")}.`),
    h("p", { class: "muted small" }, "Pods that no plugin lets go are not in the log. Tiers after the one that decides are not asked."),
    byChance(tiers).map((said) => h("p", { class: "small" }, said)),
    outOf(tools, event),
  ];
}

/** What the real one leaves to chance: so many of pods that are alike to a plugin go, whichever it comes to first. */
function byChance(tiers) {
  const drawing = tiers.flat().filter(({ or_else: others }) => others?.length);
  return drawing.map(({ plugin, chosen, or_else: others }) => {
    const all = plural(chosen.length + others.length, "pod");
    return `${plugin} allows ${chosen.length} of ${all} as victims, and Volcano leaves it to chance which: here the first, in reality it may be others of these.`;
  });
}

function emptyWords({ outcome, why }) {
  if (outcome === "pipelined") return "No pod is evicted for it.";
  return why === "victims" ? "On no node would the eviction of all possible victims make enough room." : "No pod was evicted for it.";
}

/** Victims first, in the order in which they go, then who else was let go by somebody. */
function columnsOf(tiers, victims) {
  const named = tiers.flatMap((tier) => tier.flatMap(({ chosen, or_else: others = [] }) => [...chosen, ...others]));
  return [...new Set([...victims.map(({ uid }) => uid), ...named])];
}

function tierBody(tier, { number, isLast, shown, victims }) {
  const agreed = new Set(tier.at(-1)?.victims ?? []);
  const decides = isLast && agreed.size > 0;
  const silent = tier.find(({ chosen }) => !chosen.length)?.plugin;
  const verdict = decides
    ? `decides: ${plural(agreed.size, "possible victim")}`
    : silent
      ? `no answer: ${silent} names no victim`
      : tier.length
        ? "no answer: no pod is a victim for all plugins"
        : "no plugin has an answer";
  const outPlace = new Map(victims.map(({ uid }, i) => [uid, i + 1]));
  return h(
    "tbody",
    { class: decides ? "decides" : "" },
    h("tr", { class: "tier" }, h("th", { scope: "rowgroup", colspan: shown.length + 1 }, h("b", {}, `tier ${number}`), ` ${verdict}`)),
    tier.map(({ plugin, chosen, or_else: others = [] }) =>
      h("tr", {}, h("th", { scope: "row" }, plugin), shown.map((uid) => h("td", {}, others.includes(uid) ? "or this" : tick(chosen.includes(uid))))),
    ),
    tier.length > 0 &&
      h(
        "tr",
        { class: "intersection" },
        h("th", { scope: "row" }, tier.length > 1 ? "in all" : "so"),
        shown.map((uid) => lastCell(agreed.has(uid), decides ? outPlace.get(uid) : undefined)),
      ),
  );
}

function tick(isChosen) {
  const [mark, said] = isChosen ? ["✓", "victim"] : ["✕", "no victim"];
  return [h("span", { class: isChosen ? "" : "is-unsched", aria: { hidden: true } }, mark), h("span", { class: "visually-hidden" }, said)];
}

function lastCell(isIn, place) {
  if (place !== undefined) return h("td", { class: "goes" }, `${place}. evicted`);
  return h("td", { class: "muted" }, isIn ? "not needed" : "–");
}

function outOf(tools, { victims }) {
  if (!victims.length) return null;
  return h(
    "section",
    {},
    h("h3", {}, "One by one, until it fits"),
    h("ol", { class: "changes" }, victims.map(({ uid, priority }) => h("li", {}, podLink(tools, uid, fullName(tools, uid)), ` priority ${priority}`))),
  );
}

/** A press selects the pod; of its name the first `cut` letters are left out, but for who doesn't see it. */
function podLink({ onPod }, uid, name, cut = 0) {
  const aria = cut ? { label: name } : {};
  return h("button", { type: "button", class: "link", title: name, aria, onclick: () => onPod(uid) }, cut ? `…${name.slice(cut)}` : name);
}

function nameOf({ fold }, uid) {
  return fold.pods[fold.podIndex.get(uid)]?.name ?? uid;
}

function fullName({ fold }, uid) {
  const pod = fold.pods[fold.podIndex.get(uid)];
  return pod ? `${pod.namespace}/${pod.name}` : uid;
}
