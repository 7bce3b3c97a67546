import assert from "node:assert/strict";
import test from "node:test";

import { plain } from "../../static/js/debugger/words/phrases.js";
import { attemptSentence, clusterSaid, leadSentence } from "../../static/js/decisions/attempt-sentence.js";
import { kindOf } from "../../static/js/decisions/registry.js";
import { attempt, candidate, pod, preemption, ref, rejection, schedulerOf, victim } from "./events.js";

const api = pod("api");
const scheduler = schedulerOf();
const say = (fields, told) => plain(attemptSentence(attempt(api, fields), { scheduler, ...told }));

const preempts = (candidates, best) => ({
  outcome: "nominated",
  feasible: 0,
  chosen: null,
  best: [],
  total: null,
  preemption: preemption({
    candidates,
    best,
    nominated: best[0],
    potential: candidates.length,
    victims: candidates[0].victims.map(ref),
  }),
});
const low = (name, fields) => victim(pod(name, { priority: 100 }), fields);
const high = (name) => victim(pod(name, { priority: 500 }));

test("the best node is named with its total", () => {
  assert.equal(say({}), "Goes to a, the best of 2 nodes that fit (total 300).");
});

test("equal nodes are said to be equal, and that the real scheduler draws lots", () => {
  assert.equal(
    say({ best: ["a", "b"], feasible: 3 }),
    "Goes to a, any of 2 equal nodes (total 300); the real scheduler picks one at random.",
  );
});

test("equal nodes are counted, also those that the log doesn't name", () => {
  assert.match(say({ best: ["a", "b"], best_count: 5000, feasible: 5001 }), /^Goes to a, any of 5,000 equal nodes \(/);
});

test("a seed is named where lots were drawn with it", () => {
  assert.match(
    say({ best: ["a", "b"], feasible: 3 }, { seed: 7 }),
    /drawn with seed 7; the real scheduler picks one at random/,
  );
});

test("the only node that fits needs no score", () => {
  assert.equal(say({ feasible: 1, total: null }), "Goes to a, the only one of 4 nodes that fits.");
});

test("a nominated node that fits is taken without asking the others", () => {
  assert.equal(
    say({ nominated_before: "a", visited: 1, feasible: 1, total: null }),
    "Takes a, the node it was nominated to; no other node was asked.",
  );
});

test("a pod that fits nowhere says what most nodes lack, and then the rest", () => {
  const rejections = [
    rejection("TaintToleration", "node(s) had untolerated taint(s)", 1, "UnschedulableAndUnresolvable"),
    rejection("NodeResourcesFit", "Insufficient cpu", 3),
  ];
  assert.equal(
    say({ outcome: "unschedulable", chosen: null, best: [], feasible: 0, rejections }),
    "Fits on none of 4 nodes: 3 insufficient cpu; 1 untolerated taint(s).",
  );
});

test("reasons beyond the third are counted, one in the singular", () => {
  const reasons = ["Insufficient cpu", "Insufficient memory", "Insufficient pods", "Insufficient disk", "Insufficient gpu"];
  const end = (number) => {
    const rejections = reasons.slice(0, number).map((reason, i) => rejection("NodeResourcesFit", reason, 9 - i));
    return say({ outcome: "unschedulable", chosen: null, best: [], feasible: 0, rejections }).split(", ").at(-1);
  };
  assert.equal(end(4), "1 more reason.");
  assert.equal(end(5), "2 more reasons.");
});

test("a pod that may not preempt says why", () => {
  const fields = {
    outcome: "unschedulable",
    chosen: null,
    best: [],
    feasible: 0,
    preemption: preemption({ eligible: false, reason: "not eligible due to preemptionPolicy=Never." }),
  };
  assert.match(say(fields), /It may not preempt: preemptionPolicy=Never\.$/);
});

test("a pod whose nodes kube-scheduler has nothing against says that evicting changes nothing", () => {
  const not_candidates = [rejection("", 'expected at least one victim pod on node "a"', 1)];
  const fields = { outcome: "unschedulable", chosen: null, best: [], feasible: 0, preemption: preemption({ potential: 1, not_candidates }) };
  assert.match(say(fields), /evicting changes nothing kube-scheduler looks at\.$/);
});

test("a pod that finds no victims says so", () => {
  const not_candidates = [rejection("", "No preemption victims found for incoming pod", 3)];
  const fields = {
    outcome: "unschedulable",
    chosen: null,
    best: [],
    feasible: 0,
    preemption: preemption({ potential: 3, not_candidates }),
  };
  assert.match(
    say(fields),
    /It finds no victims on the 3 nodes where evicting could help: nobody there is less important\.$/,
  );
});

test("a preemption names its cost and the criterion at which the last rival lost", () => {
  const decided = preempts(
    [
      candidate("a", [low("x"), low("y")]),
      candidate("b", [high("z")], "highest_priority"),
      candidate("c", [high("w")], "pdb_violations"),
    ],
    ["a"],
  );
  assert.equal(
    say(decided),
    "Fits on none of 4 nodes. Evicting 2 pods on a makes room: of 3 candidates its highest victim has the lowest priority (100).",
  );
});

test("equal candidates are said to be equal", () => {
  assert.match(
    say(preempts([candidate("a", [low("x")]), candidate("b", [low("y")], "name")], ["a", "b"])),
    /: both candidates are equal, the real scheduler picks one of them at random\.$/,
  );
  const three = [candidate("a", [low("x")]), candidate("b", [low("y")]), candidate("c", [high("z")], "name")];
  assert.match(say(preempts(three, ["a", "b"])), /: of 3 candidates 2 are equal, /);
});

test("the only candidate has no rivals", () => {
  assert.match(
    say(preempts([candidate("a", [low("x")])], ["a"])),
    /it is the only node where evicting helps\.$/,
  );
});

test("a pod turned away in PreFilter names the plugin", () => {
  const prefilter = {
    plugin: "NodeAffinity",
    code: "UnschedulableAndUnresolvable",
    reasons: ["no such node"],
  };
  assert.equal(
    say({ outcome: "unschedulable", chosen: null, best: [], feasible: 0, visited: 0, prefilter }),
    "Is turned away before any node is asked: NodeAffinity says no such node.",
  );
});

test("the plugin with the largest lead over the next node decided", () => {
  const rows = [
    { node: "a", total: 30, plugins: { Fit: 20, Spread: 10 } },
    { node: "b", total: 22, plugins: { Fit: 10, Spread: 12 } },
  ];
  assert.equal(plain(leadSentence(rows, ["a"])), "Fit decides: +10 over b, the next; 8 in all.");
});

test("a name that looks like markup stays a name", () => {
  const named = attempt(api, { chosen: "<img src=x>", best: ["<img src=x>"] });
  const parts = attemptSentence(named, { scheduler });
  assert.equal(parts.find((part) => part.node).text, "<img src=x>");
});

test("what the cluster said is told where the attempt contradicts it", () => {
  const message = "0/3 nodes are available: 3 Insufficient cpu.";
  const told = clusterSaid(attempt(api, { cluster_said: { message, time: "2026-06-01T08:00:00Z" } }));
  assert.equal(told, `The cluster said “${message}” on 2026-06-01 08:00:00Z, before anything that this run did.`);
  assert.equal(clusterSaid(attempt(api, {})), "");
  assert.ok(kindOf(attempt(api, {})).markdown(attempt(api, { cluster_said: { message, time: null } }), scheduler).join("\n").includes("3 Insufficient cpu"));
});

const gang = (fields) => ({
  name: "default/train",
  place: 1,
  members: 8,
  min_count: 8,
  placed: 0,
  found: 6,
  fits: false,
  placement: "",
  placements: [],
  status: "False",
  reason: "Unschedulable",
  message: "pod group is unschedulable",
  preemption: null,
  victims: [],
  ...fields,
});

test("a pod of a gang that is short found a node and is not placed", () => {
  assert.equal(
    say({ outcome: "unschedulable", chosen: null, group: gang({}) }),
    "Fits on 2 nodes; its gang default/train is not placed: 6 of 8 pods found a node.",
  );
});

test("a pod that fits nowhere says how its gang stands, too", () => {
  const said = say({ outcome: "unschedulable", chosen: null, feasible: 0, rejections: [], total: null, group: gang({}) });
  assert.equal(said, "Fits on none of 4 nodes. Its gang default/train is short by 2: 6 of 8 pods found a node, 8 are needed.");
});

test("a gang that is placed says so behind each of its pods", () => {
  const whole = gang({ found: 8, fits: true });
  assert.match(say({ group: whole }), / Its gang default\/train is placed: 8 of 8 pods found a node, 8 are needed\.$/);
});

test("a gang that evicts as a whole names how many go, and keeps the room", () => {
  const guarded = victim(pod("low"), { violates_budget: true });
  const whole = gang({ found: 8, victims: [guarded] });
  assert.equal(
    say({ outcome: "nominated", chosen: null, nominated_after: "a", preemption: null, group: whole }),
    "Keeps room on a until its gang can be placed. Its gang default/train waits until pods have left: 8 of 8 pods found a node," +
      " 8 are needed." +
      " For the whole gang 1 pod is evicted, 1 against a disruption budget.",
  );
});

test("nothing is said of a gang that has all that it needs, or of a group that is none", () => {
  const fields = { outcome: "unschedulable", chosen: null, feasible: 0, rejections: [], total: null };
  for (const group of [gang({ placed: 8, found: 0, members: 1 }), gang({ min_count: null, found: 0 })])
    assert.equal(say({ ...fields, group }), "Fits on none of 4 nodes.");
});
