// A selected pod: what it asks for, where it is, and its life in the run, each event a way to go there.

import { clockAt } from "../time/clock-axis.js";
import { h } from "../../drawing/dom.js";
import { whereIs } from "../search/finding.js";
import { asksWords } from "../words/asks.js";
import { drawLife } from "./life-bar.js";
import { whyUnasked } from "./unasked.js";
import { count } from "../words/units.js";

const EVENTS = 60,
  COPIES = 12;
/** What other decisions do to a pod; what its own come to is called as its scheduler's outcomes are. */
const SUFFERED = {
  lost: "loses its place",
  created: "comes back as a copy",
  nomination: "its nomination is taken",
  bound: "is bound",
  "taken back": "its try is taken back",
  told: "is told why it waits",
  rejected: "its job stays outside its queue",
  invalid: "its job can't take part in the session",
};

/** `parts`: {run, log, fold, figures, names, reading, scheduler, onPod(uid), onSeek(seq), onLoss()} */
export function drawPodCard(parts, pod) {
  const { fold, log, reading, names, run } = parts;
  const card = fold.pods[pod];
  const life = lifeOf(parts, pod);
  const shown = life.slice(-EVENTS);
  const unasked = whyUnasked(fold, pod, parts.scheduler);
  return h(
    "section",
    { class: "pod-card", aria: { label: `pod ${card.namespace}/${card.name}` } },
    h(
      "h3",
      {},
      `${card.namespace}/${card.name}`,
      h(
        "button",
        {
          type: "button",
          class: "close",
          aria: { label: "let go of the pod" },
          onclick: () => reading.set({ pod: null, siblings: null }),
        },
        "×",
      ),
    ),
    h(
      "p",
      { class: "muted small", title: whereIs(fold, pod) },
      [
        whereIs(fold, pod, (name) => names.shown(name)),
        fold.terminating.has(pod) && "terminating",
        `priority ${card.priority}`,
        fold.schedulers.length > 1 && `scheduler ${card.scheduler}`,
        `asks ${asksWords(fold, card)}`,
        card.workload && card.workload.replaceAll("/", " "),
        card.comes_back && "comes back on its node when evicted",
      ]
        .filter(Boolean)
        .join(" · "),
    ),
    fold.everWaits(pod) && drawLife(log, pod, clockAt(fold, reading)),
    unasked && h("p", { class: "small is-unsched", data: { unasked: "" } }, unasked),
    life.length === 0
      ? h(
          "p",
          { class: "small" },
          !log.isFromStart
            ? `No decision from ${count(log.first + 1)} on has been about it.`
            : card.node
            ? "It was running before the run began, and no decision has been about it."
            : "No decision has been about it so far.",
        )
      : h(
          "ol",
          { class: "life" },
          shown.map(({ seq, what, by, ...said }) =>
            h(
              "li",
              {},
              h(
                "button",
                {
                  type: "button",
                  class: `link${seq === reading.at ? " current" : ""}`,
                  data: { key: `life ${seq}` },
                  onclick: () => parts.onSeek(seq),
                },
                h("span", { class: "num" }, count(seq)),
                ` ${wordsOf(parts, seq, what)}${said.times > 1 ? ` ×${count(said.times)}` : ""}${by >= 0 ? ` to ${fold.pods[by].namespace}/${fold.pods[by].name}` : ""}`,
              ),
              said.text && h("span", { class: "muted small life-said" }, ` ${said.text}`),
              said.last > seq && [
                " ",
                h("button", { type: "button", class: "link small", onclick: () => parts.onSeek(said.last) }, `last by ${count(said.last)}`),
              ],
            ),
          ),
        ),
    !log.isFromStart && life.length > 0 && h("p", { class: "muted small" }, `from decision ${count(log.first + 1)} on`),
    life.length > shown.length &&
      h("p", { class: "muted small" }, `the last ${EVENTS} of ${count(life.length)}`),
    others(parts, pod),
    h(
      "p",
      { class: "small" },
      h(
        "a",
        { href: `/runs/${run.id}/pods/${encodeURIComponent(card.uid)}/` },
        "Its page: its whole life in the run",
      ),
    ),
  );
}

/** All that the log has of a pod, oldest first: decisions about it or that change it, and what sessions say of it. */
export function lifeOf({ figures, fold, log }, pod) {
  const { uid, group } = fold.pods[pod];
  const said = figures.sessions.sayings.ofPod(uid, group);
  return [...log.lifeOf(pod), ...said].sort((a, b) => a.seq - b.seq);
}

function wordsOf({ figures, scheduler }, seq, what) {
  if (SUFFERED[what]) return SUFFERED[what];
  const { kind, outcome } = figures.endingOf(seq);
  return scheduler.outcome(kind, outcome).life || kind;
}

/** Copies of the same pod: what it was before it was evicted, and what it came back as. */
function others({ fold, log, onPod, onLoss }, pod) {
  if (!log.wasEvicted(pod)) return null;
  const copies = log.copiesOf(pod).slice(0, COPIES);
  return [
    h(
      "p",
      { class: "small" },
      h(
        "button",
        { type: "button", class: "link", onclick: () => onLoss() },
        "When did it last lose its place?",
      ),
      h("kbd", {}, "b"),
    ),
    copies.length > 0 &&
      h(
        "p",
        { class: "small" },
        "The same pod as ",
        copies.map((copy, i) => [
          i > 0 && ", ",
          h(
            "button",
            { type: "button", class: "link", onclick: () => onPod(fold.pods[copy].uid) },
            fold.pods[copy].name,
          ),
        ]),
      ),
  ];
}

/** Other pods of the same controller that are there now. */
export function siblingsOf(fold, pod) {
  const { workload } = fold.pods[pod];
  if (!workload) return null;
  const found = new Set();
  fold.pods.forEach((card, i) => {
    if (i !== pod && fold.hasPod(i) && card.workload === workload) found.add(i);
  });
  return found;
}
