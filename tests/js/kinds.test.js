// What each kind of decision says, marks and offers, and that one nobody knows is still told whole.
import assert from "node:assert/strict";
import test from "node:test";

import { asMarkdown } from "../../static/js/debugger/inspector/markdown.js";
import { plain } from "../../static/js/debugger/words/phrases.js";
import { DEFAULT_STOP } from "../../static/js/debugger/controls/stops.js";
import { Transport } from "../../static/js/debugger/controls/transport.js";
import { changeLines } from "../../static/js/decisions/changes.js";
import { TONES } from "../../static/js/decisions/figures.js";
import { generic } from "../../static/js/decisions/generic.js";
import { kindOf, KINDS } from "../../static/js/decisions/registry.js";
import { offeredStops, stopTests } from "../../static/js/decisions/stops.js";
import {
  QUEUE,
  appear,
  attempt,
  bind,
  candidate,
  columnsOf,
  evict,
  figuresOf,
  join,
  node,
  nominate,
  pod,
  preemption,
  ref,
  schedulerOf,
  set,
  state,
  terminate,
  vanish,
  victim,
} from "./events.js";

const scheduler = schedulerOf();
const api = pod("api", { priority: 1000 }),
  web = pod("web", { node: "a" });
const eviction = (outcome, fields = {}) => ({
  seq: 1,
  kind: "eviction",
  pod: ref(web),
  outcome,
  node: "a",
  message: null,
  changes: [],
  ...fields,
});
const rebalance = {
  seq: 1,
  kind: "rebalance",
  actor: "descheduler",
  time: 90,
  cause: 3,
  pod: ref(web),
  outcome: "moved",
  node: "a",
  message: "The node was too full.",
  changes: [...evict(web, 0), set("nodes", "a", { phase: "" }, { phase: { warm: true } })],
};
const nobody = { seq: 2, kind: "tick" };
const say = (event) => plain(kindOf(event).sentence(event, { scheduler }));
const cardOf = (uid) => [api, web].find((card) => card.uid === uid);
const run = { id: 3, seed: null, profile: "kube-1.36", engine_version: "1" };
const marked = (event) => {
  const marks = { placed: new Set(), candidates: new Set(), best: new Set(), chosen: null, nominatedTo: null, focus: false };
  kindOf(event).mark(event, marks, { node: (name) => ["a", "b"].indexOf(name), pod: (uid) => [api.uid, web.uid].indexOf(uid) });
  return marks;
};

test("every kind is registered under its own name and says all that the page asks", () => {
  for (const kind of KINDS.filter(({ isOf }) => !isOf)) assert.equal(kindOf({ kind: kind.kind }), kind);
  for (const kind of [...KINDS, generic]) {
    assert.deepEqual(
      Object.keys(generic).filter((name) => typeof kind[name] !== typeof generic[name]),
      [],
    );
    for (const { key, label, draw } of kind.tabs) assert.ok(key && label && draw, kind.kind);
  }
  assert.equal(kindOf(rebalance), generic);
});

test("of a kind that nobody knows: who, when, how it came out, why, and what it changed", () => {
  assert.deepEqual(kindOf(rebalance).who(rebalance), { name: "shop/web", pod: "uid-web" });
  assert.deepEqual(kindOf(rebalance).notes(rebalance), ["by descheduler", "at 0.09 s", "caused by decision 3"]);
  assert.equal(
    say(rebalance),
    "moved (rebalance) on a: The node was too full. It changes 4 things.",
  );
  assert.deepEqual(
    changeLines(rebalance, cardOf).map(plain),
    [
      "shop/web is evicted",
      "shop/web leaves the pods on a at 0",
      "shop/web is gone from a",
      'a phase {"warm":true} instead of (empty)',
    ],
  );
  assert.deepEqual(kindOf(rebalance).messages(rebalance, scheduler), []);
});

test("a decision that has nothing but a kind is told without a gap", () => {
  assert.deepEqual(kindOf(nobody).who(nobody), { name: "tick", pod: null });
  assert.equal(say(nobody), "decided (tick). It changes nothing.");
  assert.deepEqual(kindOf(nobody).notes(nobody), []);
  assert.deepEqual(changeLines(nobody, cardOf), []);
  assert.equal(marked(nobody).chosen, null);
  const { tabs, opening } = kindOf(nobody);
  assert.ok(tabs.some(({ key }) => key === opening(nobody)));
  assert.match(asMarkdown({ event: nobody, run, scheduler, link: "l" }), /^\*\*tick\*\*\n\ndecided \(tick\)/);
});

test("of a list of named things only those are told that differ, and what of them", () => {
  const task = (name, counts) => ({ name, replicas: 24, min_available: 12, counts });
  const change = {
    verb: "set",
    table: "jobs",
    id: "ml/train",
    old: { tasks: [task("driver", { Running: 1 }), task("worker", { Pending: 2 })] },
    new: { tasks: [task("driver", { Running: 1 }), task("worker", { Running: 2 })] },
  };
  const [said] = changeLines({ changes: [change] }, () => undefined).map(plain);
  assert.equal(said, "ml/train of jobs tasks: worker Pending 0 instead of 2, Running 2 instead of 0");
});

test("Markdown of a kind that nobody knows holds its changes and its message", () => {
  const text = asMarkdown({ event: rebalance, run, scheduler, link: "http://here" });
  assert.match(text, /^- uid-web is evicted$/m);
  assert.match(text, /^```\nThe node was too full\.\n```$/m);
  assert.match(text, /\[Run 3, decision 1\]\(http:\/\/here\)/);
});

test("every change is a line, also one without the fields that its verb has, or by a verb that nobody knows", () => {
  const copy = pod("web-r1");
  const changes = [
    ...bind(api),
    ...terminate(web, 0, 7, "a", [api, 3]),
    vanish(web),
    nominate(api, "a", ""),
    appear(copy),
    join(QUEUE, "active", api, 4),
    { verb: "move_all", list: QUEUE, of: "unschedulable", to: "active", by: 1, first: 5, count: 1200 },
    appear(node("c"), "nodes"),
    set("nodes", "a", { unschedulable: false }, { unschedulable: true }),
    { verb: "join", list: "gangs", of: "g", id: "x", order: 1 },
    { verb: "set", table: "pods" },
    { verb: "swap", list: "gangs", by: 2 },
    {},
  ];
  assert.deepEqual(changeLines({ changes }, cardOf).map(plain), [
    "shop/api is bound to a, starts at 2026-06-01T00:00:01Z",
    "shop/api enters the pods on a at 0",
    "shop/web is evicted, begins terminating",
    "shop/web leaves the pods on a at 0; shop/api takes its place, 3 → 0",
    "shop/web enters the pods on a at 7",
    "shop/web is gone from a",
    "shop/api is nominated to no node instead of a",
    "shop/web-r1 comes into being",
    "shop/api enters active of default-scheduler's queue at 4",
    "All 1,200 of unschedulable of default-scheduler's queue move to active of default-scheduler's queue",
    "c appears",
    "a unschedulable true instead of false",
    "x enters g of gangs at 1",
    "set: table pods",
    "swap: list gangs, by 2",
    "change",
  ]);
});

test("an eviction goes, is refused with the budget's words, or is left alone", () => {
  assert.equal(say(eviction("evicted")), "Is evicted from a, as an edit asks.");
  assert.equal(
    say(eviction("refused", { message: "the budget cart allows none" })),
    "Stays on a: its eviction is refused, the budget cart allows none.",
  );
  const ended = eviction("refused", { message: "The budget cart needs 2 healthy pods and has 1 currently." });
  assert.match(say(ended), /refused, The budget cart needs 2 healthy pods and has 1 currently\.$/);
  assert.equal(say(eviction("skipped", { message: "a DaemonSet's pod." })), "Is left alone on a: a DaemonSet's pod.");
});

test("an eviction offers no tab of filters, scores or preemption", () => {
  const { tabs, opening } = kindOf(eviction("evicted"));
  assert.deepEqual(
    tabs.map(({ key }) => key),
    ["changes", "events", "raw"],
  );
  assert.equal(opening(eviction("evicted")), "changes");
});

test("an eviction's event is the API's, and a refusal warns", () => {
  const [gone] = kindOf(eviction("evicted")).messages(eviction("evicted"), scheduler);
  assert.deepEqual([gone.type, gone.reason, gone.object, gone.message], [
    "Normal",
    "Evicted",
    "pod/web",
    "evicted from a",
  ]);
  const [kept] = kindOf(eviction("refused")).messages(eviction("refused"), schedulerOf("1.8"));
  assert.deepEqual([kept.type, kept.reason, kept.object], ["Warning", "EvictionRefused", "Pod web"]);
});

test("an attempt opens the tab that answers best", () => {
  const opening = (fields) => kindOf(attempt(api)).opening(attempt(api, fields));
  assert.equal(opening({}), "scores");
  assert.equal(opening({ total: null }), "filter");
  assert.equal(opening({ outcome: "nominated" }), "preemption");
  assert.equal(opening({ outcome: "unschedulable" }), "filter");
});

test("which kinds looked at nodes", () => {
  const asks = (event) => kindOf(event).asksNodes(event);
  assert.deepEqual(
    [attempt(api), attempt(api, { outcome: "gated" }), eviction("evicted"), rebalance].map(asks),
    [true, false, false, false],
  );
});

test("the plugin that decided is asked for only where scores set one node apart", async () => {
  const rows = [
    { node: "a", total: 30, plugins: { Fit: 20 } },
    { node: "b", total: 22, plugins: { Fit: 12 } },
  ];
  const evidence = { scores: async () => rows };
  const lead = async (event) => plain(await kindOf(event).lead(event, evidence));
  assert.equal(await lead(attempt(api)), "Fit decides: +8 over b, the next.");
  assert.equal(await lead(attempt(api, { best: ["a", "b"] })), "");
  assert.equal(await lead(attempt(api, { total: null })), "");
  assert.equal(await lead(eviction("evicted")), "");
});

test("a kind marks what it did on the map", () => {
  const placed = marked(attempt(api, { best: ["a", "b"] }));
  assert.deepEqual([placed.chosen, [...placed.best], placed.tone, placed.focus], [0, [0, 1], "placed", false]);
  const preempts = attempt(api, {
    outcome: "nominated",
    chosen: null,
    best: [],
    preemption: preemption({ nominated: "b", candidates: [candidate("b", [victim(web)])] }),
  });
  const nominated = marked(preempts);
  assert.deepEqual(
    [nominated.chosen, nominated.nominatedTo, [...nominated.candidates], nominated.tone, nominated.focus],
    [1, 1, [1], "preempt", true],
  );
  assert.deepEqual([marked(eviction("refused")).chosen, marked(eviction("refused")).tone], [0, "wait"]);
  assert.equal(marked(eviction("evicted")).tone, "preempt");
  assert.deepEqual([marked(rebalance).chosen, marked(rebalance).tone], [0, undefined]);
});

const story = () =>
  figuresOf(state([node("a"), node("b")], [api, web]), [
    attempt(api, { outcome: "unschedulable", chosen: null, best: [], feasible: 0 }),
    eviction("evicted", { changes: evict(web, 0) }),
    { ...rebalance, changes: [] },
    attempt(api, { changes: bind(api) }),
  ]);

test("the time line draws each decision as its kind says", () => {
  const figures = story();
  const tones = columnsOf(figures, 4).map((bucket) => TONES[bucket.tones.indexOf(1)]);
  assert.deepEqual(tones, ["unsched", "preempt", "other", "placed"]);
  assert.equal(columnsOf(figures, 4)[3].fitting, 0.5);
  assert.deepEqual(figures.endingOf(3), { kind: "rebalance", outcome: "moved" });
});

test("how many nodes fit isn't known where only the nominated one was asked", () => {
  const { figures } = kindOf(attempt(api));
  const alone = attempt(api, { nominated_before: "a", visited: 1, feasible: 1 });
  assert.ok(Number.isNaN(figures(alone).fits));
  assert.equal(figures(attempt(api, { nominated_before: "b" })).fits, 0.5);
  assert.equal(figures(attempt(api, { visited: 0, feasible: 0 })).fits, 0);
});

test("a stop of any kind pauses, and those of unknown kinds are offered where there are such decisions", () => {
  const figures = story();
  const reading = { at: 0, stop: { ...DEFAULT_STOP, kinds: ["other"] }, status: "finished" };
  reading.set = (values) => Object.assign(reading, values);
  const transport = new Transport({ log: figures.log, reading, say() {}, stopTest: stopTests(figures) });
  transport.nextStop(1);
  assert.equal(reading.at, 3);
  reading.stop = { ...DEFAULT_STOP, kinds: ["eviction", "placed"] };
  transport.nextStop(-1);
  assert.equal(reading.at, 2);
  transport.nextStop(1);
  assert.equal(reading.at, 4);
  reading.stop = { ...DEFAULT_STOP, kinds: [], pod: "web" };
  transport.nextStop(-1);
  assert.equal(reading.at, 3);
  const keys = (of) => offeredStops(of).map(({ key }) => key);
  const known = ["preemption", "unschedulable", "placed", "gated", "eviction", "again"];
  assert.deepEqual(keys(figures), [...known, "other"]);
  assert.deepEqual(keys(figuresOf(state([node("a")], [api]), [attempt(api)])), known);
});
