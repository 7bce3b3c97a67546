// What the page says for each version of kube-scheduler: words, overlapping bars, events, who took the room, who was
// terminating already.
import assert from "node:assert/strict";
import test from "node:test";

import { exactFigure } from "../../static/js/debugger/inspector/tabs/candidates.js";
import { filterFunnel, isOverlapping, preemptionFunnel } from "../../static/js/debugger/inspector/tabs/funnel.js";
import { asMarkdown } from "../../static/js/debugger/inspector/markdown.js";
import { marksOf } from "../../static/js/debugger/map/marks.js";
import { PluginColours } from "../../static/js/debugger/map/palette.js";
import { pastOf } from "../../static/js/debugger/inspector/past.js";
import { exactPoints, exactTotal, gapBetween } from "../../static/js/debugger/inspector/tabs/points.js";
import { plain } from "../../static/js/debugger/words/phrases.js";
import { takersOf } from "../../static/js/debugger/inspector/taken-room.js";
import { kindOf } from "../../static/js/decisions/registry.js";
import {
  attempt,
  bind,
  candidate,
  evict,
  logOf,
  node,
  pod,
  preemption,
  ref,
  remove,
  schedulerOf,
  state,
  terminate,
  victim,
} from "./events.js";

const sentence = (event, told) => kindOf(event).sentence(event, told);
const eventsOf = (event, scheduler) => kindOf(event).messages(event, scheduler);
const graceful = () => schedulerOf("1.11", ({ playing }) => Object.assign(playing, { has_grace: true }));
const api = pod("api", { priority: 1000 });
const low = pod("low", { priority: 10 });
const [v18, v19, v111, v136] = ["1.8", "1.9", "1.11", "1.36"].map((version) => schedulerOf(version));

const rejected = (plugin, reasons, nodes, code = "Unschedulable") => ({ plugin, code, reasons, nodes });
const FULL_AND_TAINTED = {
  nodes: 8,
  visited: 8,
  feasible: 0,
  chosen: null,
  outcome: "unschedulable",
  rejections: [
    rejected("GeneralPredicates", ["Insufficient cpu"], 5),
    rejected(
      "GeneralPredicates, PodToleratesNodeTaints",
      ["Insufficient cpu", "PodToleratesNodeTaints"],
      2,
      "UnschedulableAndUnresolvable",
    ),
    rejected("PodToleratesNodeTaints", ["PodToleratesNodeTaints"], 1, "UnschedulableAndUnresolvable"),
  ],
};
const preempts = (fields = {}) =>
  attempt(api, {
    outcome: "nominated",
    feasible: 0,
    chosen: null,
    best: [],
    nominated_after: "a",
    preemption: preemption({
      candidates: [candidate("a", [victim(low)])],
      best: ["a"],
      nominated: "a",
      potential: 1,
      victims: [ref(low)],
    }),
    ...fields,
  });
const keys = (of) => of.criteria().map(({ key }) => key);

test("1.8 knows no budgets, 1.9 puts them first, and only the framework asks for start times", () => {
  assert.deepEqual(keys(v18), ["highest_priority", "priority_sum", "victim_count", "name"]);
  assert.deepEqual(keys(v19), ["pdb_violations", ...keys(v18)]);
  assert.deepEqual(keys(v136), [...keys(v19).slice(0, -1), "earliest_start", "name"]);
});

test("1.8 draws a bar for every reason, and nodes that fail alike lie below one another", () => {
  const bands = filterFunnel(attempt(api, FULL_AND_TAINTED), v18);
  const drawn = bands.map(({ label, size, segments }) => [label, size, segments]);
  assert.deepEqual(drawn, [
    ["8 nodes", 8, undefined],
    [
      "insufficient cpu",
      7,
      [
        { from: 0, size: 2, tone: "hard" },
        { from: 3, size: 5, tone: "soft" },
      ],
    ],
    ["PodToleratesNodeTaints", 3, [{ from: 0, size: 3, tone: "hard" }]],
    ["fit", 0, undefined],
  ]);
  assert.ok(isOverlapping(bands));
  assert.equal(bands[1].note, "evicting can't help on 2 of them");
  assert.equal(bands[2].title, "PodToleratesNodeTaints: a taint isn't tolerated");
});

test("1.11 stops at a node's first predicate: the bars are a partition in its order", () => {
  const rejections = [
    rejected("PodToleratesNodeTaints", ["node(s) had taints that the pod didn't tolerate"], 1),
    rejected("GeneralPredicates", ["Insufficient cpu", "node(s) didn't match node selector"], 2),
    rejected("CheckNodeCondition", ["node(s) were not ready"], 1),
  ];
  const bands = filterFunnel(attempt(api, { nodes: 4, visited: 4, feasible: 0, rejections }), v111);
  assert.deepEqual(
    bands.map(({ label, from, size }) => [label, from, size]),
    [
      ["4 nodes", 0, 4],
      ["not ready", 0, 1],
      ["insufficient cpu, didn't match node selector", 1, 2],
      ["taints that the pod didn't tolerate", 3, 1],
      ["fit", 4, 0],
    ],
  );
  assert.ok(!isOverlapping(bands));
});

test("an affinity failure is said once, by the reason that is exact", () => {
  const reasons = ["MatchInterPodAffinity", "PodAntiAffinityRulesNotMatch"];
  const event = attempt(api, {
    feasible: 0,
    rejections: [rejected("MatchInterPodAffinity", reasons, 4)],
  });
  assert.deepEqual(
    filterFunnel(event, v19).map(({ label }) => label),
    ["4 nodes", "PodAntiAffinityRulesNotMatch", "fit"],
  );
});

test("counts that overlap are said to overlap", () => {
  assert.equal(
    plain(sentence(attempt(api, FULL_AND_TAINTED), { scheduler: v18 })),
    "Fits on none of 8 nodes: 7 insufficient cpu; 3 PodToleratesNodeTaints (a node counts at all that it fails).",
  );
  const rejections = [
    rejected("GeneralPredicates", ["Insufficient cpu"], 1),
    rejected("GeneralPredicates", ["Insufficient cpu", "Insufficient memory"], 2),
  ];
  const general = attempt(api, { ...FULL_AND_TAINTED, nodes: 3, visited: 3, rejections });
  assert.equal(
    plain(sentence(general, { scheduler: v111 })),
    "Fits on none of 3 nodes: all 3 insufficient cpu; 2 insufficient memory" +
      " (a node counts at all that its first failing predicate names).",
  );
  assert.ok(!isOverlapping(filterFunnel(general, v111)));
});

test("1.8 notes the node and holds nothing; later releases hold the room", () => {
  assert.match(
    plain(sentence(preempts(), { scheduler: v18 })),
    /\. 1\.8 notes a in an annotation; nothing holds the room until it is tried again\.$/,
  );
  assert.doesNotMatch(plain(sentence(preempts(), { scheduler: v19 })), /annotation/);
  assert.match(v18.nominationWords("a"), /the annotation NominatedNodeName; nothing holds the room/);
  assert.match(v19.nominationWords("a"), /the annotation NominatedNodeName; until the pod is placed/);
  assert.match(v111.nominationWords("a"), /status\.nominatedNodeName; until the pod is placed/);
});

test("with a grace period the victims are terminating, not gone", () => {
  const text = plain(sentence(preempts(), { scheduler: graceful() }));
  assert.match(text, /Evicting 1 pod on a will make room: .*\. The victim is terminating: until it is gone/);
});

test("a victim that an earlier decision had marked is said to be terminating already, and since when", () => {
  const other = pod("other", { priority: 900 });
  const third = pod("third", { node: "a", terminating: true });
  const base = state([node("a")], [api, other, { ...low, node: "a" }, third]);
  const log = logOf(base, [
    preempts({ changes: terminate(low, 0, 1, "a", [third, 1]) }),
    attempt(other, { outcome: "unschedulable" }),
    preempts(),
    preempts(),
  ]);
  const grace = graceful();
  const told = (seq, victims) => {
    const event = { ...preempts(), seq };
    Object.assign(event.preemption, { victims: victims.map(ref) });
    return plain(sentence(event, { scheduler: grace, ...pastOf(log, event, grace) }));
  };
  assert.match(told(1, [low]), / The victim is terminating: until it is gone/);
  assert.match(
    told(3, [low]),
    / The victim is terminating already, since decision 1: until it is gone, it takes its room\.$/,
  );
  assert.match(told(3, [third]), / The victim is terminating already, from the start: until it is gone/);
  const marksAgain = logOf(base, [preempts({ changes: terminate(third, 1, 1) })]);
  const { marked } = pastOf(marksAgain, { ...preempts(), seq: 1, preemption: { victims: [ref(third)] } }, grace);
  assert.deepEqual(marked, [{ uid: third.uid, seq: 0 }], "a pod that was on its way out is marked by nobody anew");
  assert.match(told(4, [low, third]), / already, from the start and since decision 1: until they are gone/);
});

test("equal nodes are taken in turn before 1.36", () => {
  const tied = attempt(api, { best: ["a", "b"], feasible: 3 });
  assert.match(plain(sentence(tied, { scheduler: v111 })), /; the real scheduler takes the equal ones in turn\.$/);
  assert.match(plain(sentence(tied, { scheduler: v136 })), /; the real scheduler picks one at random\.$/);
});

test("before 1.36 a nominated node is chosen among all that fit", () => {
  const taken = attempt(api, { nominated_before: "a", feasible: 2 });
  assert.equal(
    plain(sentence(taken, { scheduler: v111 })),
    "Takes a, the node it was nominated to: the best of 2 nodes that fit (total 300).",
  );
  const leaves = attempt(api, { nominated_before: "b", feasible: 1, total: null });
  assert.match(plain(sentence(leaves, { scheduler: v18 })), /\. Its nomination to b held nothing\.$/);
});

test("a pod that comes again is told who took the room it had made", () => {
  const thief = pod("thief"),
    passing = pod("passing");
  const base = state([node("a"), node("b")], [api, thief, passing, { ...low, node: "a" }]);
  const again = preempts({ nominated_before: "a", attempt: 2 });
  const log = logOf(base, [
    preempts({ changes: evict(low, 0) }),
    attempt(passing, { chosen: "b", best: ["b"], changes: bind(passing, "b") }),
    attempt(thief, { changes: bind(thief) }),
    again,
  ]);
  const takers = takersOf(log, { ...again, seq: 4 }, v18);
  assert.deepEqual([takers.node, takers.pods.map(({ name }) => name)], ["a", ["thief"]]);
  assert.match(
    plain(sentence(again, { scheduler: v18, takers })),
    /^Fits on none of 4 nodes\. The room it had made on a was taken by shop\/thief\. Evicting 1 pod/,
  );
  assert.equal(takersOf(log, { ...again, seq: 3 }, v18), null);
});

test("who took the room and has gone since isn't named any more", () => {
  const [thief, second] = [pod("thief"), pod("second")];
  const again = preempts({ nominated_before: "a", attempt: 2 });
  const log = logOf(state([node("a")], [api, thief, second, { ...low, node: "a" }]), [
    preempts({ changes: evict(low, 0) }),
    attempt(thief, { changes: bind(thief) }),
    attempt(second, { changes: [...bind(second, "a", 1), ...remove({ ...thief, node: "a" }, 0, "a", [second, 1])] }),
    again,
  ]);
  assert.deepEqual(takersOf(log, { ...again, seq: 4 }, v18).pods.map(({ name }) => name), ["second"]);
});

test("who wasn't nominated, or takes its node, or may still fit there, has lost no room", () => {
  const base = state([node("a")], [api, { ...low, node: "a" }]);
  const log = logOf(base, [preempts({ changes: evict(low, 0) }), attempt(api)]);
  assert.equal(takersOf(log, { ...attempt(api), seq: 2 }, v18), null);
  assert.equal(takersOf(log, { ...attempt(api, { nominated_before: "a" }), seq: 2 }, v18), null);
  assert.equal(takersOf(log, { ...attempt(api, { nominated_before: "b" }), seq: 2 }, v18), null);
});

test("events are worded as each version worded them", () => {
  const messages = (event, of) => eventsOf(event, of).map(({ object, message }) => [object, message]);
  assert.deepEqual(messages(preempts(), v18), [["Pod low", "by shop/api on node a"]]);
  assert.deepEqual(messages(preempts(), v136), [["pod/low", "Preempted by pod uid-api on node a"]]);
  assert.deepEqual(messages(attempt(api), v19), [["Pod api", "Successfully assigned api to a"]]);
  assert.deepEqual(messages(attempt(api), v111), [["Pod api", "Successfully assigned shop/api to a"]]);
});

test("the first victim stands for the highest, and the page says where it isn't", () => {
  const cheap = victim(pod("cheap", { priority: 0 }), { violates_budget: true });
  const odd = { ...candidate("a", [cheap, victim(pod("dear", { priority: 500 }))]), highest_priority: 0 };
  assert.match(exactFigure(odd, "highest_priority"), /only the first victim counts.*the highest has 500$/);
  const labels = v111.criteria([odd]).map(({ label }) => label);
  assert.ok(labels.includes("first victim") && !labels.includes("highest victim"));
});

test("nodes on which evicting would change nothing for kube-scheduler are one band", () => {
  const not_candidates = ["a", "b"].map((node) => ({ plugin: "", code: "Unschedulable", reasons: [`expected at least one victim pod on node "${node}"`], nodes: 1 }));
  not_candidates.push({ plugin: "NodeResourcesFit", code: "Unschedulable", reasons: ["Insufficient cpu"], nodes: 1 });
  const event = preempts({ nodes: 3, preemption: preemption({ potential: 3, not_candidates, candidates: [], nominated: null }) });
  const bands = preemptionFunnel(event, v136).filter(({ dryRun }) => dryRun);
  assert.deepEqual(bands.map(({ label, size }) => [label, size]), [["evicting changes nothing kube-scheduler looks at", 2], ["still insufficient cpu", 1]]);
});

test("the second funnel names only criteria of the version", () => {
  const event = preempts({
    preemption: preemption({
      potential: 2,
      nominated: "a",
      best: ["a"],
      candidates: [candidate("a", [victim(low)]), candidate("b", [victim(api)], "highest_priority")],
    }),
  });
  assert.deepEqual(
    preemptionFunnel(event, v18).map(({ key }) => key),
    ["all", "hopeless", "potential", "candidates", "highest_priority", "chosen"],
  );
});

test("GeneralPredicates asks for resources, ports and selectors; plugins ask for themselves", () => {
  assert.equal(v111.askedBy("PodFitsHostPorts"), "GeneralPredicates");
  assert.equal(v111.askedBy("PodToleratesNodeTaints"), "PodToleratesNodeTaints");
  assert.equal(v136.askedBy("NodePorts"), "NodePorts");
});

test("a priority function has the colour of the plugin that does its work today, and no two share one", () => {
  const { scores } = v18.profileOf("default-scheduler");
  const then = new PluginColours(scores),
    now = new PluginColours(v136.profileOf("default-scheduler").scores);
  assert.equal(new Set(scores.map(({ name }) => then.of(name))).size, scores.length);
  assert.equal(then.of("TaintTolerationPriority"), now.of("TaintToleration"));
});

test("filters are asked in the order of the profile that decided", () => {
  const reversed = schedulerOf("1.36", ({ profiles }) => {
    profiles.push({ ...profiles[0], name: "other", filters: [...profiles[0].filters].reverse() });
  });
  const rejections = [
    rejected("NodeResourcesFit", ["Insufficient cpu"], 1),
    rejected("TaintToleration", ["node(s) had untolerated taint(s)"], 1),
  ];
  const plugins = (profile) => {
    const event = attempt(api, { profile, feasible: 2, rejections });
    return filterFunnel(event, reversed).map(({ plugin }) => plugin).filter(Boolean);
  };
  assert.deepEqual(plugins("default-scheduler"), ["TaintToleration", "NodeResourcesFit"]);
  assert.deepEqual(plugins("other"), ["NodeResourcesFit", "TaintToleration"]);
});

test("a criterion decides in the words that REST gives", () => {
  const other = schedulerOf("1.36", ({ preemption: { criteria } }) => {
    Object.assign(criteria[1], { before: "its ", decisive: "dearest pod costs least" });
  });
  const event = preempts({
    preemption: preemption({
      potential: 2,
      nominated: "a",
      best: ["a"],
      victims: [ref(low)],
      candidates: [candidate("a", [victim(low)]), candidate("b", [victim(api)], "highest_priority")],
    }),
  });
  assert.match(plain(sentence(event, { scheduler: other })), /of 2 candidates its dearest pod costs least \(10\)/);
});

test("an outcome is called as REST says, and one that it doesn't know by its own name", () => {
  assert.equal(v136.outcome("attempt", "nominated").word, "preempts");
  assert.deepEqual(v136.outcome("teapot", "boils"), { word: "boils", life: "boils" });
});

test("zero divided by zero is shown as that, and the rest still sets nodes apart", () => {
  const quotient = -(2 ** 63);
  const better = { total: quotient + 100_023, plugins: { Spread: quotient, Least: 23, Avoid: 100_000 } };
  const worse = { total: quotient + 100_021, plugins: { Spread: quotient, Least: 21, Avoid: 100_000 } };
  assert.equal(exactTotal(better, v18), "0÷0 + 100,023");
  assert.equal(exactPoints(quotient, v18), "0÷0");
  assert.equal(exactTotal({ total: -5, plugins: { Spread: -5 } }, v18), "-5");
  assert.equal(gapBetween(better, worse), 2);
});

test("a terminated pod is a victim in its place; a deleted one is put back as gone", () => {
  const keeper = pod("keeper", { node: "a" }),
    leaving = { ...low, node: "a" };
  const marked = { ...leaving, terminating: true, evicted: true };
  const log = logOf(state([node("a")], [leaving, keeper, api]), [
    preempts({ changes: terminate(leaving, 0, 1, "a", [keeper, 1]) }),
    attempt(api, { outcome: "unschedulable", changes: remove(marked, 1) }),
  ]);
  const [low_, node_] = [log.fold.podIndex.get(low.uid), log.fold.nodeIndex.get("a")];
  log.fold.moveTo(1);
  const first = marksOf(log.fold, 1);
  assert.deepEqual([[...first.victims], [...first.losing], first.before.size], [[low_], [node_], 0]);
  log.fold.moveTo(2);
  const second = marksOf(log.fold, 2);
  assert.deepEqual([[...second.victims], [...second.gone]], [[], [low_]]);
  assert.ok(second.before.get(node_).includes(low_));
});

test("Markdown says that the counts of 1.8 overlap", () => {
  const run = { id: 3, seed: null, profile: "kube-1.8", driver: "fifo", engine_version: "1" };
  const text = asMarkdown({ event: attempt(api, FULL_AND_TAINTED), run, scheduler: v18, link: "http://here/runs/3/" });
  assert.match(text, /1\.8 asks every predicate and names all that fail/);
});
