// The tabs that the cards of queues and of jobs have in common: what each session decided about it, and its row as JSON.

import { copy, h } from "../../drawing/dom.js";
import { count } from "../../debugger/words/units.js";

const SESSIONS = 100;

/**
 * The sessions that decided something about it, the newest first: how often what, each a way to the last such decision.
 * `sayings`: what sessions say of it beside that (sayings.js).
 */
export function drawSessions({ figures, fold, onSeek, scheduler, sessions }, seqs, sayings = []) {
  const said = new Map(sayings.map((one) => [one.seq, one]));
  const all = sessions.grouped([...new Set([...seqs, ...said.keys()])].sort((a, b) => a - b)).reverse();
  if (!all.length) return h("p", { class: "empty" }, "No decision has been about it so far.");
  const current = sessions.at(fold.at);
  const rows = all.slice(0, SESSIONS).map(({ session, seqs: of }) =>
    h(
      "tr",
      { class: session === current ? "selected" : null, aria: { current: session === current ? "true" : null } },
      h("th", { scope: "row", class: "num" }, session ? count(session.number) : "–"),
      h(
        "td",
        { class: "role" },
        counted(of.filter((seq) => !said.has(seq)), figures).map(({ kind, outcome, times, last }, i) => [
          i > 0 && " · ",
          h("button", { type: "button", class: "link", onclick: () => onSeek(last) }, scheduler.outcome(kind, outcome).word),
          times > 1 && ` ×${count(times)}`,
        ]),
        of.filter((seq) => said.has(seq)).map((seq) => saying(said.get(seq), onSeek)),
      ),
    ),
  );
  return [
    h(
      "table",
      { class: "dense card-jobs" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "num" }, "session"), h("th", { scope: "col" }, "what it decided"))),
      h("tbody", {}, rows),
    ),
    all.length > SESSIONS && h("p", { class: "muted small" }, `the last ${count(SESSIONS)} of ${count(all.length)}`),
  ];
}

const SAID = { invalid: "can't take part", status: "at the close" };

function saying({ seq, what, text, last }, onSeek) {
  const again = last > seq && h("button", { type: "button", class: "link small", onclick: () => onSeek(last) }, `as late as ${count(last)}`);
  return h("div", { class: "small" }, h("button", { type: "button", class: "link", onclick: () => onSeek(seq) }, SAID[what]), ` ${text}`, again && [", ", again]);
}

/** Decisions by kind and outcome in the order of the first of each: [{kind, outcome, times, last}]. */
export function counted(seqs, figures) {
  const found = new Map();
  for (const seq of seqs) {
    const { kind, outcome } = figures.endingOf(seq);
    const key = `${kind} ${outcome}`;
    const { times } = found.get(key) ?? { times: 0 };
    found.set(key, { kind, outcome, times: times + 1, last: seq });
  }
  return [...found.values()];
}

/** Its row as the log has it, and the address of the whole state. */
export function drawRow({ fold, rest }, row) {
  const text = JSON.stringify(row, null, 2);
  const address = new URL(`${rest.root}state/?at=${fold.at}`, location.href);
  return [
    h("p", { class: "raw-address" }, h("a", { href: address.href, class: "mono" }, `GET ${address.pathname}${address.search}`)),
    h("p", { class: "raw-address" }, h("button", { type: "button", class: "link", onclick: ({ currentTarget }) => copy(text, currentTarget) }, "copy JSON")),
    h("pre", { class: "raw", tabindex: "0", aria: { label: "JSON of its row" } }, text),
  ];
}
