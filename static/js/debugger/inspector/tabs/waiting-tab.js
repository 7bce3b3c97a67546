// The Waiting tab of a run whose clock moves: why a pod still waits, newest first, each link a way to its decision.

import { clockAt } from "../../time/clock-axis.js";
import { h } from "../../../drawing/dom.js";
import { partWords } from "../../../decisions/queue-words.js";
import { clock, count } from "../../words/units.js";
import { drawLife } from "../../pod/life-bar.js";
import { linksOf, nextLink, turnsOf } from "../../pod/waiting-chain.js";
import { drawWhyNotEarlier } from "../../pod/why-not-earlier.js";

/** So many decisions are told; the pod's life has all. */
const MOST = 12;
export const WAITING = "waiting";
const MARKS = { next: "○", woken: "◆", failed: "✕", placed: "→", moved: "·" };

/** The tab for a pod by index; null for one that is in no queue of a run with a clock, now or at any time. */
export function waitingTab(fold, pod) {
  if (pod === undefined || !fold.everWaits(pod)) return null;
  return { key: WAITING, label: "Waiting", draw: (tools) => drawWaiting(tools, pod) };
}

function drawWaiting(tools, pod) {
  const { log, fold } = tools;
  const turns = turnsOf(log, pod, fold.at, MOST);
  const known = turns.map((seq) => log.event(seq));
  if (known.every(Boolean)) return drawChain(tools, pod, known);
  return tools.later(Promise.all(turns.map((seq) => log.fetch(seq))), (events) => drawChain(tools, pod, events));
}

function drawChain(tools, pod, events) {
  const { fold, scheduler } = tools;
  const { uid, namespace, name, scheduler: profile } = fold.pods[pod];
  const place = fold.placeInQueue(pod);
  const told = { scheduler, profile };
  const linksIn = (some) => some.flatMap((event) => linksOf(event, uid, told));
  const since = sinceAttempt(tools.log, events, pod);
  const now = clockAt(fold, tools.reading);
  const next = place && nextLink(place, now, told);
  return [
    h("h3", {}, `${namespace}/${name}`, h("span", { class: "muted" }, place ? partWords(place.part) : "waits no more")),
    drawLinks(tools, [next, ...linksIn(events.slice(0, since))].filter(Boolean), uid),
    place && drawWhyNotEarlier(tools, uid),
    drawLife(tools.log, pod, now, place?.row?.latest ?? null),
    events.length > since && [h("h3", {}, "Before"), drawLinks(tools, linksIn(events.slice(since)), uid)],
    events.length === MOST && h("p", { class: "muted small" }, `The last ${MOST} decisions about it; its life has all.`),
  ];
}

/** How many of the events, newest first, are its last attempt and what came since; all if it was not tried. */
function sinceAttempt({ tried, pod: whose }, events, pod) {
  const place = events.findIndex(({ seq }) => tried.get(seq) && whose.get(seq) === pod);
  return place < 0 ? events.length : place + 1;
}

function drawLinks(tools, links, uid) {
  return h("ol", { class: "chain" }, links.map((link) => drawLink(tools, link, uid)));
}

function drawLink(tools, { seq, time, mark, title, details }, uid) {
  return h(
    "li",
    { class: `chain-link chain-${mark}` },
    h("span", { class: "chain-time" }, time === null ? "" : clock(time)),
    h("span", { class: "chain-mark", aria: { hidden: true } }, MARKS[mark]),
    h(
      "div",
      {},
      h("p", {}, tools.phrase(title), seq !== null && decisionLink(tools, seq, uid)),
      details.map((parts) => h("p", { class: "chain-detail" }, tools.phrase(parts))),
    ),
  );
}

/** To the decision, with the pod selected, so that its chain stays in view. */
function decisionLink({ onPod, onSeek }, seq, uid) {
  const press = () => {
    onPod(uid);
    onSeek(seq);
  };
  return h("button", { type: "button", class: "link small", onclick: press }, `decision ${count(seq)}`);
}
