// The Gang tab: each pod of the job and what became of it in each try of this session, its state now, and the condition
// that the pod group has.

import { jobName } from "../../job-names.js";
import { h } from "../../drawing/dom.js";
import { MARKS, refusalNote } from "./decisions/words.js";
import { count, plural } from "../../debugger/words/units.js";
import { drawGangSessions } from "./gang-sessions.js";
import { withEvents, withGang } from "./gang.js";
import { term } from "../../terms.js";

const LISTED = 200;

export function drawGang(tools, event) {
  const session = tools.sessions.spanOf("session", event.seq);
  return [
    withGang(tools, event, (gang) =>
      withEvents(tools, session, (events) => [
        membersTable(tools, event, gang, statementsOf(events, event.job)),
        h("p", { class: "muted small" }, minimumWords(gang)),
        condition(gang),
      ]),
    ),
    drawGangSessions(tools, event),
  ];
}

/** The tries of a job in a session, one statement after the other: [{action, tries: Map(uid -> event), settled}]. */
function statementsOf(events, job) {
  const statements = [];
  for (const event of events.filter((one) => one.job === job && (one.kind === "placement" || one.kind === "gang"))) {
    const last = statements.at(-1);
    const open = last && !last.settled && last.action === event.action ? last : null;
    if (event.kind === "gang" && open) open.settled = event;
    else if (event.kind === "gang") statements.push({ action: event.action, tries: new Map(), settled: event });
    else if (open) open.tries.set(event.pod.uid, event);
    else statements.push({ action: event.action, tries: new Map([[event.pod.uid, event]]), settled: null });
  }
  return statements.filter(({ tries }) => tries.size);
}

function membersTable(tools, event, { states, min, job }, statements) {
  const lastNeeded = states[min - 1];
  const row = (one) =>
    h(
      "tr",
      { class: one === lastNeeded ? "at-minimum" : "" },
      h("th", { scope: "row" }, h("button", { type: "button", class: "link", onclick: () => tools.onPod(one.uid) }, one.name)),
      statements.map(({ tries, settled }) => triedCell(tools, event, tries.get(one.uid), settled)),
      h("td", {}, state(tools, one)),
    );
  const headings = ["pod", ...statements.map(({ action }) => action), "now"];
  return [
    h(
      "div",
      { class: "table-scroll", tabindex: "0", role: "region", aria: { label: `pods of ${jobName(job)}` } },
      h(
        "table",
        { class: "compact gang-table" },
        h("thead", {}, h("tr", {}, headings.map((words) => h("th", { scope: "col" }, words)))),
        h("tbody", {}, states.slice(0, LISTED).map(row)),
      ),
    ),
    states.length > LISTED && h("p", { class: "muted small" }, `The first ${LISTED} of ${count(states.length)}.`),
  ];
}

/** A press leads to the try; what lies ahead of the reader is pale. */
function triedCell({ onSeek, names, scheduler }, event, tried, settled) {
  if (!tried) return h("td", { class: "muted" }, h("span", {}, MARKS.passed, h("span", { class: "visually-hidden" }, "not tried")));
  const press = () => onSeek(tried.seq);
  const ahead = tried.seq > event.seq ? "is-ahead" : "";
  const { mark, words } = triedWords({ names, scheduler }, tried, settled);
  return h("td", { class: ahead }, h("button", { type: "button", class: "link", onclick: press }, `${mark} ${words}`));
}

function triedWords({ names, scheduler }, tried, settled) {
  const { outcome, node, victims, why } = tried;
  if (outcome === "refused") return { mark: MARKS.refused, words: why === "nodes" ? refusalNote(tried) : scheduler.refusal(tried) };
  if (outcome === "skipped") return { mark: MARKS.passed, words: scheduler.refusal(tried) };
  const on = names.short(node);
  if (settled?.outcome === "discarded") return { mark: MARKS.back, words: `${on}, taken back` };
  if (outcome === "pipelined") return { mark: MARKS.pipelined, words: victims.length ? `${on}, ${victims.length} to go` : on };
  return { mark: settled?.outcome === "committed" ? MARKS.committed : MARKS.placed, words: on };
}

function state({ names }, { mark, tone, words, node, holds }) {
  const where = node && holds ? `, ${names.short(node)}` : "";
  return h("span", { class: `is-${tone}` }, h("span", { aria: { hidden: true } }, `${mark} `), `${words}${where}`);
}

function minimumWords({ min, size, standing }) {
  return `The thick line is the minimum, ${count(min)} of ${plural(size, "pod")}: ${standing.have >= min ? "it is reached" : `${count(standing.have)} count for it now`}.`;
}

function condition({ group }) {
  if (!group) return null;
  const { phase, reason, message } = group;
  return h(
    "section",
    {},
    h("h3", {}, h("span", {}, term("gang", "Pod group"), " now")),
    h("p", {}, h("b", {}, phase), reason && ` · ${reason}`),
    message && h("pre", { class: "mono pod-group-message", tabindex: "0" }, message),
  );
}
