// A job's life in the run, session by session: what became of its statements, how many had a node, and why not more.
// Sessions that came out alike, one after the other, are one line.

import { jobName } from "../../job-names.js";
import { h } from "../../drawing/dom.js";
import { refusalNote } from "./decisions/words.js";
import { count } from "../../debugger/words/units.js";
import { withDecisions } from "./gang.js";

const LISTED = 60;

export function drawGangSessions(tools, event) {
  const { sessions } = tools;
  const all = sessions.grouped(sessions.aboutJob(event.job)).filter(({ session }) => session);
  const shown = all.slice(-LISTED);
  const seqs = shown.flatMap(({ seqs: of }) => telling(tools, of));
  return h(
    "section",
    {},
    h("h3", {}, "Session by session", h("small", { class: "muted" }, " pale: still to come")),
    withDecisions(tools, seqs, (events) => table(tools, event, linesOf(shown, events, tools.scheduler))),
    all.length > shown.length && h("p", { class: "muted small" }, `The last ${LISTED} of ${count(all.length)}.`),
  );
}

/** Of a session's decisions about a job those that say what came of it: how it entered, its ends, its first refusal. */
function telling({ figures }, seqs) {
  const of = (wanted) => seqs.filter((seq) => figures.endingOf(seq).kind === wanted);
  const refused = seqs.find((seq) => figures.endingOf(seq).outcome === "refused");
  return [...of("enqueue"), ...(refused ? [refused] : []), ...of("gang")];
}

/** [{from, to, seq, words, have, min, why}], neighbours that came out alike as one. */
export function linesOf(grouped, events, scheduler) {
  const bySession = new Map();
  for (const event of events) bySession.set(event.session, [...(bySession.get(event.session) ?? []), event]);
  const lines = [];
  for (const { session, seqs } of grouped) {
    const line = lineOf(session, seqs.at(-1), bySession.get(session.number) ?? [], scheduler);
    const last = lines.at(-1);
    if (last && ["words", "have", "min", "why"].every((key) => last[key] === line[key])) Object.assign(last, { to: line.to, seq: line.seq });
    else lines.push(line);
  }
  return lines;
}

function lineOf(session, last, events, scheduler) {
  const ends = events.filter(({ kind }) => kind === "gang");
  const entry = events.find(({ kind }) => kind === "enqueue");
  const refused = events.find(({ outcome }) => outcome === "refused");
  const end = ends.at(-1);
  const word = ({ kind, outcome }) => scheduler.outcome(kind, outcome).word;
  const words = [...(entry ? [word(entry)] : []), ...ends.map((one) => `${one.action}: ${word(one)}`)].join(" · ");
  const outside = entry?.outcome === "rejected" ? entry.lacking.join(", ") : "";
  const why = end && end.outcome !== "discarded" ? "" : refused ? refusalWords(refused, scheduler) : outside;
  return { from: session.number, to: session.number, seq: end?.seq ?? last, words: words || "tried", have: end ? end.ready + end.waiting : null, min: end?.min_available ?? null, why };
}

function refusalWords(refused, scheduler) {
  return refused.why === "nodes" ? refusalNote(refused) : scheduler.refusal(refused);
}

function table({ fold, sessions, onSeek }, event, lines) {
  const now = sessions.at(fold.at)?.number;
  const row = ({ from, to, seq, words, have, min, why }) => {
    const isNow = from <= now && now <= to;
    const place = from === to ? count(from) : `${count(from)} – ${count(to)}`;
    return h(
      "tr",
      { class: isNow ? "selected" : from > now ? "is-ahead" : "", aria: { current: isNow ? "true" : null } },
      h("th", { scope: "row", class: "num" }, h("button", { type: "button", class: "link", aria: { label: `session ${place}` }, onclick: () => onSeek(seq) }, place)),
      h("td", { class: "role" }, words),
      h("td", { class: "num" }, have === null ? "–" : `${count(have)} of ${count(min)}`),
      h("td", { class: "role" }, why || "–"),
    );
  };
  const headings = ["session", "what came of it", "have room of needed", "why not"];
  return h(
    "div",
    { class: "table-scroll", tabindex: "0", role: "region", aria: { label: `sessions of ${jobName(event.job)}` } },
    h(
      "table",
      { class: "dense gang-sessions" },
      h("thead", {}, h("tr", {}, headings.map((words, i) => h("th", { scope: "col", class: i % 2 ? "" : "num" }, words)))),
      h("tbody", {}, lines.map(row)),
    ),
  );
}
