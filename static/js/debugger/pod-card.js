// A selected pod: what it asks for, where it is, and its life in the run, each event a way to go there.

import { h } from "./dom.js";
import { whereIs } from "./find.js";
import { count, requests } from "./units.js";

const EVENTS = 60,
  COPIES = 12;
const WORDS = {
  scheduled: "placed",
  nominated: "preempts for room",
  unschedulable: "fits nowhere",
  gated: "held at the gate",
  error: "error",
  evicted: "evicted by an edit",
  refused: "its eviction is refused",
  skipped: "left alone by a drain",
  lost: "loses its place",
  created: "comes back as a copy",
  nomination: "its nomination is taken",
};

export function podCard(page, pod) {
  const { fold, log, reading } = page;
  const card = fold.pods[pod];
  const life = log.lifeOf(pod);
  const shown = life.slice(-EVENTS);
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
          onclick: () => page.reading.set({ pod: null, siblings: null }),
        },
        "×",
      ),
    ),
    h(
      "p",
      { class: "muted small", title: whereIs(fold, pod) },
      [
        whereIs(fold, pod, (name) => page.names.shown(name)),
        fold.terminating.has(pod) && "terminating",
        `priority ${card.priority}`,
        `asks ${requests(card.requests)}`,
        card.workload && card.workload.replaceAll("/", " "),
        card.comes_back && "comes back on its node when evicted",
      ]
        .filter(Boolean)
        .join(" · "),
    ),
    life.length === 0
      ? h(
          "p",
          { class: "small" },
          card.node
            ? "It was running before the run began, and no decision has touched it."
            : "No decision has touched it so far.",
        )
      : h(
          "ol",
          { class: "life" },
          shown.map(({ seq, what, by }) =>
            h(
              "li",
              {},
              h(
                "button",
                {
                  type: "button",
                  class: `link${seq === reading.at ? " current" : ""}`,
                  onclick: () => page.transport.seek(seq),
                },
                h("span", { class: "num" }, count(seq)),
                ` ${WORDS[what] ?? what}${by >= 0 ? ` to ${fold.pods[by].namespace}/${fold.pods[by].name}` : ""}`,
              ),
            ),
          ),
        ),
    life.length > shown.length &&
      h("p", { class: "muted small" }, `the last ${EVENTS} of ${count(life.length)}`),
    others(page, pod),
    h(
      "p",
      { class: "small" },
      h(
        "a",
        { href: `/runs/${page.run.id}/pods/${encodeURIComponent(card.uid)}/` },
        "Its page: its whole life in the run",
      ),
    ),
  );
}

/** Copies of the same pod: what it was before it was evicted, and what it came back as. */
function others(page, pod) {
  const { fold, log } = page;
  if (!log.wasEvicted(pod)) return null;
  const copies = log.copiesOf(pod).slice(0, COPIES);
  return [
    h(
      "p",
      { class: "small" },
      h(
        "button",
        { type: "button", class: "link", onclick: () => page.lastLoss() },
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
            { type: "button", class: "link", onclick: () => page.pickPod(fold.pods[copy].uid) },
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
