// The Order tab: why one job, queue or pod comes before another. Every plugin in the order asked, what it says, and who
// decides; below it the order at the session's opening, of which any two neighbours can be compared.

import { jobName } from "../../job-names.js";
import { fill, h } from "../../drawing/dom.js";
import { groupRows, membersOf } from "./rows.js";
import { count } from "../../debugger/words/units.js";
import { withEvents } from "./gang.js";

const LISTED = 100;
const WHAT = { job: "job", queue: "queue", pod: "pod" };
const SAYS = {
  first: { mark: "◀", words: "the first" },
  second: { mark: "▶", words: "the second" },
  neutral: { mark: "=", words: "neutral" },
  "not asked": { mark: "", words: "not asked" },
};
/** What the reader compares, kept while the tools live: {of, first, second}. */
const kept = new WeakMap();

export function drawOrder(tools, event) {
  const { from } = tools.sessions.spanOf("session", event.seq);
  return withEvents(tools, { from, to: from }, ([opening]) => drawChoice(tools, event, opening));
}

function drawChoice(tools, event, opening) {
  const choices = choicesOf(tools, event, opening);
  const kinds = Object.keys(WHAT).filter((of) => choices[of].length > 1);
  if (!kinds.length) return [h("p", { class: "empty" }, "There is nothing to compare: one queue, one job, one pod.")];
  const pair = pairOf(kept.get(tools), kinds, choices, event);
  const element = h("div", {});
  const compare = (changed) => {
    Object.assign(pair, changed);
    kept.set(tools, pair);
    fill(element, drawPair(tools, event, opening, { kinds, choices, pair, compare }));
  };
  compare({});
  return [element];
}

/** Who can be compared at a decision: {queue, job, pod}, each a list of [key, name] in the opening's order. */
function choicesOf({ fold, sessions }, event, { queues, jobs }) {
  const queue = event.queue ?? "";
  const named = queue in jobs ? jobs[queue] : Object.values(jobs).flat();
  const job = event.job ?? sessions.jobOf(event.seq);
  const pods = job ? membersOf(fold, job).map((pod) => fold.pods[pod]) : [];
  return {
    queue: queues.map((name) => [name, name]),
    job: named.map((name) => [name, jobName(name)]),
    pod: pods.map(({ uid, name }) => [uid, name]),
  };
}

/** What is compared: what the reader chose as far as it is here, else the decision's own with the one behind it. */
export function pairOf(chosen, kinds, choices, { kind, job, queue, pod }) {
  const of = kinds.includes(chosen?.of) ? chosen.of : kind === "overused" && kinds.includes("queue") ? "queue" : kinds.includes("job") ? "job" : kinds[0];
  const keys = choices[of].map(([key]) => key);
  if (chosen?.of === of && keys.includes(chosen.first) && keys.includes(chosen.second)) return { ...chosen };
  const at = Math.max(0, keys.indexOf({ job, queue, pod: pod?.uid }[of]));
  const first = Math.min(at, keys.length - 2);
  return { of, first: keys[first], second: keys[first + 1] };
}

function drawPair(tools, event, opening, { kinds, choices, pair, compare }) {
  const { of, first, second } = pair;
  const names = new Map(choices[of]);
  const select = (key, label) =>
    h(
      "select",
      { class: "inline", aria: { label }, data: { key }, onchange: ({ target }) => compare({ [key]: target.value }) },
      choices[of].map(([value, name]) => h("option", { value, selected: value === pair[key] }, name)),
    );
  const chooseOf = ({ target }) => compare(pairOf(null, [target.value], choices, event));
  return [
    h("h3", {}, `Why this ${WHAT[of]} before that one`),
    h(
      "p",
      { class: "order-choice" },
      kinds.length > 1 &&
        h("select", { class: "inline", aria: { label: "what is compared" }, data: { key: "of" }, onchange: chooseOf }, kinds.map((kind) => h("option", { value: kind, selected: kind === of }, `${WHAT[kind]}s`))),
      select("first", `the first ${WHAT[of]}`),
      " beside ",
      select("second", `the second ${WHAT[of]}`),
    ),
    first === second
      ? h("p", { class: "empty" }, "These are the same.")
      : tools.later(tools.evidence.order(event.seq, of, first, second), (answer) => drawAnswer(tools, answer, names)),
    of !== "pod" && drawOrderAtOpening(tools, opening, choices, pair, compare),
  ];
}

function drawAnswer({ fold, scheduler }, { of, first, second, answers, comes_first: before, decided_by: by }, names) {
  const [one, other] = [names.get(first), names.get(second)];
  const isPlugin = answers.some(({ plugin, says }) => plugin === by && says !== "not asked" && says !== "neutral");
  const behind = before === first ? other : one;
  const figure = (plugin, key) => figureOf(fold, of, plugin, key);
  const row = ({ tier, plugin, says }) => {
    const decides = plugin === by && isPlugin;
    const { mark, words } = SAYS[says];
    return h(
      "tr",
      { class: decides ? "selected" : says === "not asked" ? "muted" : "" },
      h("td", { class: "num" }, count(tier + 1)),
      h("th", { scope: "row" }, decides ? h("b", {}, plugin) : plugin),
      h("td", { class: "num" }, figure(plugin, first)),
      h("td", { class: "num" }, figure(plugin, second)),
      h("td", { class: "role" }, h("span", { aria: { hidden: true } }, `${mark} `), decides ? h("b", {}, `decides for ${words}`) : words),
    );
  };
  const means = scheduler.orderWords(of, by);
  return [
    h("p", { class: "order-say" }, h("b", {}, names.get(before)), " comes before ", h("b", {}, behind), " because of ", h("b", {}, by), means && `: ${means}`, "."),
    answers.length === 0
      ? h("p", { class: "muted" }, "No plugin is asked.")
      : h(
          "div",
          { class: "table-scroll", tabindex: "0", role: "region", aria: { label: "what each plugin says" } },
          h(
            "table",
            { class: "dense order-table" },
            h("thead", {}, h("tr", {}, ["tier", "asked", one, other, "says"].map((words, i) => h("th", { scope: "col", class: [0, 2, 3].includes(i) ? "num" : "" }, words)))),
            h("tbody", {}, answers.map(row)),
          ),
        ),
  ];
}

/** The figure that a plugin looks at, as far as the log has it. */
function figureOf(fold, of, plugin, key) {
  const row = of === "job" ? groupRows(fold).get(key) : null;
  if (plugin === "priority" && row) return String(row.priority);
  if (plugin === "priority" && of === "pod") return String(fold.pods[fold.podIndex.get(key)].priority);
  // Exacter than elsewhere, since the smaller one decides.
  if (plugin === "drf" && typeof row?.share === "number") return String(Number(row.share.toFixed(4)));
  return "";
}

/** Jobs of a queue, or queues, in the order of the opening; a press compares one with the one behind it. */
function drawOrderAtOpening({ fold }, opening, choices, { of, first, second }, compare) {
  const keys = choices[of].map(([key]) => key);
  const queue = of === "job" ? opening.queues.find((name) => opening.jobs[name].includes(first)) : null;
  const deciders = queue ? opening.deciders[queue] : [];
  const rows = groupRows(fold);
  const isOne = !queue || opening.jobs[queue].length === keys.length;
  const row = (key, i) => {
    const next = keys[i + 1];
    const press = () => compare({ first: key, second: next });
    const priority = rows.get(key)?.priority;
    const called = of === "job" ? jobName(key) : key;
    return h(
      "tr",
      { class: key === first || key === second ? "selected" : "" },
      h("td", { class: "num" }, count(i + 1)),
      h("th", { scope: "row", title: key }, next ? h("button", { type: "button", class: "link", data: { key: `row-${i}` }, onclick: press }, called) : called),
      of === "job" && h("td", { class: "num" }, priority === undefined ? "–" : priority),
      of === "job" && h("td", { class: "muted" }, next && isOne ? deciders[i] || "age or name" : ""),
    );
  };
  const headings = of === "job" ? ["", "job", "priority", "before the next by"] : ["", "queue"];
  return h(
    "section",
    {},
    h("h3", {}, "The order at the session's opening"),
    h(
      "table",
      { class: "dense order-list" },
      h("thead", {}, h("tr", {}, headings.map((words) => h("th", { scope: "col", class: ["", "priority"].includes(words) ? "num" : "" }, words || h("span", { class: "visually-hidden" }, "place"))))),
      h("tbody", {}, keys.slice(0, LISTED).map(row)),
    ),
    keys.length > LISTED && h("p", { class: "muted small" }, `The first ${LISTED} of ${count(keys.length)}.`),
    h("p", { class: "muted small" }, "A press compares one with the next. The order moves while room is handed out; the answer above is that of right before this decision."),
  );
}
