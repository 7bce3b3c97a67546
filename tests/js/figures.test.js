// Funnel, units, groups, layout, address, Markdown and kubectl's words: pure modules of the run page.
import assert from "node:assert/strict";
import test from "node:test";

import { hyperNodesBy, placesIn, tierGroupings } from "../../static/js/hyper-nodes.js";
import { readAddress, writeAddress } from "../../static/js/debugger/address.js";
import { exactFigure, lostGroups } from "../../static/js/debugger/inspector/tabs/candidates.js";
import { filterFunnel, preemptionFunnel } from "../../static/js/debugger/inspector/tabs/funnel.js";
import { grouped, groupings } from "../../static/js/debugger/map/groups.js";
import { detailOf, layOut } from "../../static/js/debugger/map/layout.js";
import { asMarkdown } from "../../static/js/debugger/inspector/markdown.js";
import { bytes } from "../../static/js/amounts.js";
import { age, requests, telling, verdictNumber } from "../../static/js/debugger/words/units.js";
import { kindOf } from "../../static/js/decisions/registry.js";
import { attempt, candidate, node, pod, preemption, ref, rejection, schedulerOf, victim } from "./events.js";

const api = pod("api");
const scheduler = schedulerOf();
const eventsOf = (event) => kindOf(event).messages(event, scheduler);
const bandsOf = (bands) => bands.map(({ label, from, size }) => [label, from, size]);

test("of a pod that its gates hold back the scheduler writes no event", () => {
  const preenqueue = { plugin: "SchedulingGates", code: "UnschedulableAndUnresolvable", reasons: ["waiting for scheduling gates: [a]"] };
  assert.deepEqual(eventsOf(attempt(api, { outcome: "gated", attempt: 0, preenqueue, message: preenqueue.reasons[0] })), []);
});

test("the filter funnel is a partition of all nodes, in the order of the filters", () => {
  const rejections = [
    rejection("NodeResourcesFit", "Insufficient cpu", 2),
    rejection("TaintToleration", "node(s) had untolerated taint(s)", 1),
  ];
  assert.deepEqual(bandsOf(filterFunnel(attempt(api, { nodes: 5, visited: 4, feasible: 1, rejections }), scheduler)), [
    ["5 nodes", 0, 5],
    ["left out by PreFilter", 0, 1],
    ["untolerated taint(s)", 1, 1],
    ["insufficient cpu", 2, 2],
    ["fits", 4, 1],
  ]);
});

test("the preemption funnel narrows criterion by criterion to the nominated node", () => {
  const cheap = [victim(pod("x", { priority: 1 }))],
    dear = [victim(pod("y", { priority: 9 }))];
  const event = attempt(api, {
    nodes: 6,
    outcome: "nominated",
    preemption: preemption({
      potential: 5,
      nominated: "a",
      best: ["a"],
      candidates: [
        candidate("a", cheap),
        candidate("b", cheap, "earliest_start"),
        candidate("c", dear, "highest_priority"),
      ],
      not_candidates: [rejection("NodeResourcesFit", "Insufficient cpu", 2)],
    }),
  });
  assert.deepEqual(bandsOf(preemptionFunnel(event, scheduler)), [
    ["6 nodes", 0, 6],
    ["evicting can't help", 0, 1],
    ["evicting could help", 1, 5],
    ["still insufficient cpu", 1, 2],
    ["candidates", 3, 3],
    ["lowest highest victim", 4, 2],
    ["latest earliest start", 5, 1],
    ["a", 5, 1],
  ]);
});

test("candidates that lost are told apart by the criterion, the closest rivals first", () => {
  const cheap = [victim(pod("x"))];
  const candidates = [
    candidate("a", cheap),
    candidate("b", cheap, "name"),
    candidate("c", cheap, "pdb_violations"),
    candidate("d", cheap, "pdb_violations"),
  ];
  const groups = lostGroups(preemption({ candidates, nominated: "a", best: ["a", "b"] }), scheduler);
  assert.deepEqual(
    groups.map(({ key, lost, candidates: losers }) => [key, lost, losers.map(({ node }) => node)]),
    [
      ["name", 1, ["b"]],
      ["pdb_violations", 2, ["c", "d"]],
    ],
  );
});

test("those that the log leaves out are counted all the same", () => {
  const candidates = [candidate("a", [victim(pod("x"))])];
  const eliminated = { highest_priority: 130 };
  const [group] = lostGroups(preemption({ candidates, eliminated, nominated: "a", best: ["a"] }), scheduler);
  assert.deepEqual([group.label, group.lost, group.candidates], ["highest victim", 130, []]);
});

test("the sum of priorities says how it is really compared", () => {
  assert.equal(
    exactFigure(candidate("a", [victim(pod("x", { priority: 100 }))]), "priority_sum"),
    "compared as 100 + 1 × 2,147,483,648 = 2,147,483,748",
  );
});

test("amounts carry their units", () => {
  assert.equal(bytes(-300), "−300 B");
  assert.equal(
    requests({ "nvidia.com/gpu": 1, memory: 2 ** 32, cpu: 250 }),
    "250m cpu, 4 GiB memory, 1 nvidia.com/gpu",
  );
  assert.equal(requests({}), "nothing");
});

test("a verdict's number says what is asked, free and short", () => {
  assert.equal(
    verdictNumber({ what: "cpu", asked: 2000, free: 1250, unit: "m" }),
    "cpu: asks 2, 1.25 free (750m short)",
  );
});

test("only the numbers that are short explain a rejection", () => {
  const cpu = { what: "cpu", asked: 2, free: 1, unit: "m" },
    memory = { what: "memory", asked: 1, free: 9, unit: "bytes" };
  assert.deepEqual(telling([memory, cpu]), [cpu]);
  assert.deepEqual(telling([memory]), [memory]);
});

test("an age is given in its largest unit", () => {
  assert.equal(age("2026-06-01T00:00:00Z", Date.parse("2026-06-01T03:10:00Z")), "3 h");
  assert.equal(age("2026-06-01T00:00:00Z", Date.parse("2026-06-05T00:00:00Z")), "4 days");
});

test("nodes are grouped by zone, then by labels that divide them", () => {
  const nodes = ["n-10", "n-9", "n-1"].map((name, i) =>
    node(name, {
      labels: {
        "topology.kubernetes.io/zone": i ? "z-b" : "z-a",
        pool: `p${i % 2}`,
        "kubernetes.io/hostname": name,
        arch: "amd64",
      },
    }),
  );
  assert.deepEqual(
    groupings(nodes).map(({ key }) => key),
    ["zone", "label:pool", "label:kubernetes.io/hostname", "none"],
  );
  assert.deepEqual(
    grouped(nodes, "zone", "name", () => 0),
    [
      { name: "z-a", nodes: [0] },
      { name: "z-b", nodes: [2, 1] },
    ],
  );
  assert.deepEqual(grouped(nodes, "none", "load", (i) => i)[0].nodes, [2, 1, 0]);
  assert.deepEqual(
    grouped(nodes, "zone", "name", () => 0, [1]),
    [{ name: "z-b", nodes: [1] }],
    "of nodes that aren't there, not even the group is shown",
  );
});

test("every node has a place within the room, at the level of detail that its size allows", () => {
  for (const [many, detail] of [
    [12, "tall"],
    [300, "bars"],
    [1500, "square"],
    [5000, "square"],
  ]) {
    const groups = [0, 1, 2].map((g) => ({
      name: `zone-${g}`,
      nodes: Array.from({ length: many / 3 }, (_, i) => g * (many / 3) + i),
    }));
    const layout = layOut(groups, 740, 660);
    assert.equal(layout.boxes.size, Math.floor(many / 3) * 3);
    assert.equal(detailOf(layout.tile.w, layout.isTall), detail);
    assert.ok(layout.height <= 660, `${many} nodes: ${layout.height}`);
    for (const { x, y } of layout.boxes.values())
      assert.ok(x >= 0 && x + layout.tile.w <= 741 && y + layout.tile.h <= 661);
  }
});

test("many pools fit into half a window's width too: headings move closer before tiles are cut off", () => {
  const sizes = [2, 310, 156, 393, 11, 28, 37, 97, 114, 290, 14, 41, 7, 23];
  const groups = sizes.map((many, g) => ({
    name: `pool-${g}-shared`,
    nodes: Array.from({ length: many }, (_, i) => g * 1000 + i),
  }));
  for (const [width, height] of [
    [640, 356],
    [470, 330],
  ]) {
    const layout = layOut(groups, width, height);
    assert.ok(layout.height <= height, `${width} × ${height}: ${layout.height}`);
    assert.ok(layout.header >= 14, "a heading's letters need that much");
  }
});

test("small groups share a row and never overlap", () => {
  const groups = Array.from({ length: 14 }, (_, g) => ({
    name: `pool-${g}`,
    nodes: Array.from({ length: g === 0 ? 300 : 7 }, (_, i) => g * 1000 + i),
  }));
  const { boxes } = layOut(groups, 740, 660);
  assert.equal(
    new Set([...boxes.values()].map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`)).size,
    boxes.size,
  );
});

test("the address says where the reader is, and nothing that it shouldn't is read from it", () => {
  assert.equal(
    writeAddress({ at: 128, node: "node-17", pod: null, tab: "preemption" }),
    "?at=128&node=node-17&tab=preemption",
  );
  const unshown = { group: null, resource: null, sort: null, view: null, zoom: null };
  assert.deepEqual(readAddress("?at=128&node=node-17&tab=preemption"), {
    time: null,
    at: 128,
    node: "node-17",
    pod: null,
    pinned: [],
    tab: "preemption",
    card: null,
    mix: null,
    ...unshown,
  });
  assert.deepEqual(readAddress(writeAddress({ at: 1, pinned: ["a b", "c"] })).pinned, ["a b", "c"]);
  const nothing = { at: null, time: null, node: null, pod: null, pinned: [], tab: null, card: null, mix: null, ...unshown };
  assert.deepEqual(readAddress("?at=-1&tab=<script>&pin=&mix=a%20b"), nothing);
  assert.equal(readAddress(writeAddress({ at: 1, mix: "NVIDIA:2:24576:30" })).mix, "NVIDIA:2:24576:30");
});

test("Markdown holds sentence, numbers, link, version and hash, and escapes names", () => {
  const run = {
    id: 12,
    seed: null,
    profile: "kube-1.36",
    engine_version: "1",
    snapshot: { content_hash: "0123456789abcdef" },
    trust: { nodes_scored: "all", not_modelled: [], missing: ["no budgets"] },
  };
  const text = asMarkdown({
    event: attempt(pod("a_b*c"), { seq: 128 }),
    run,
    scheduler,
    link: "http://here/runs/12/?at=128",
  });
  for (const part of [
    "**shop/a\\_b\\*c**",
    "Goes to a, the best of 2 nodes",
    "| 4 nodes | 4 |",
    "[Run 12, decision 128](http://here/runs/12/?at=128)",
    "kube-1.36, engine 1",
    "`0123456789ab`",
    "all nodes scored; no budgets",
  ]) {
    assert.ok(text.includes(part), `${part} in\n${text}`);
  }
});

test("events read as kubectl shows them", () => {
  const failed = attempt(api, {
    outcome: "nominated",
    chosen: null,
    message: "0/4 nodes are available: 4 Insufficient cpu.",
    preemption: preemption({ nominated: "a", victims: [ref(pod("low"))] }),
  });
  assert.deepEqual(
    eventsOf(failed).map(({ reason, message }) => [reason, message]),
    [
      ["FailedScheduling", "0/4 nodes are available: 4 Insufficient cpu."],
      ["Preempted", "Preempted by pod uid-api on node a"],
    ],
  );
  assert.equal(eventsOf(attempt(api))[0].message, "Successfully assigned shop/api to a");
});

test("bands with the same reasons are told apart by whether evicting could help", () => {
  const gpu = "Insufficient example.com/gpu";
  const rejections = [
    rejection("NodeResourcesFit", gpu, 3, "UnschedulableAndUnresolvable"),
    rejection("NodeResourcesFit", gpu, 1),
  ];
  const labels = filterFunnel(attempt(api, { feasible: 0, rejections }), scheduler).map(({ label }) => label);
  assert.deepEqual(labels, ["4 nodes", "never enough gpu", "insufficient gpu", "fit"]);
});

test("a preemption as Markdown names its victims, with what their loss breaks", () => {
  const victims = [
    victim(pod("low", { priority: 5 })),
    victim(pod("kept_1", { priority: 10 }), { violates_budget: true }),
  ];
  const text = asMarkdown({
    event: attempt(pod("api"), {
      outcome: "nominated",
      feasible: 0,
      chosen: null,
      best: [],
      total: null,
      preemption: preemption({
        candidates: [candidate("node-1", victims)],
        best: ["node-1"],
        nominated: "node-1",
        potential: 1,
        victims: victims.map(ref),
      }),
    }),
    run: { id: 1, profile: "kube-1.36", engine_version: "1" },
    scheduler,
    link: "http://here/runs/1/?at=1",
  });
  assert.match(text, /^Victims on node-1:$/m);
  assert.match(text, /^- shop\/low \(priority 5\)$/m);
  assert.match(text, /^- shop\/kept\\_1 \(priority 10, against its disruption budget\)$/m);
});

test("nodes stand by their hyper nodes of a tier, as these are at the reader's decision", () => {
  const rows = [
    { name: "s0", tier: 1, nodes: ["a"] },
    { name: "s1", tier: 1, nodes: ["b"] },
    { name: "core", tier: 2, nodes: ["a", "b"] },
  ];
  const fold = { at: 0, tables: { table: () => ({ ids: ["s0", "s1", "core"], rows, present: [true, true, true] }) } };
  assert.deepEqual(tierGroupings(fold).map(({ key }) => key), ["tier:1", "tier:2"]);
  const nodes = ["a", "b", "c"].map((name) => ({ name, labels: {} }));
  const of = (key) => grouped(nodes, key, "name", () => 0, [0, 1, 2], null, hyperNodesBy(fold, key)).map((group) => [group.name, group.nodes]);
  assert.deepEqual(of("tier:1"), [["no hyper node", [2]], ["s0", [0]], ["s1", [1]]]);
  const before = placesIn(fold, "tier:1");
  rows[1] = { ...rows[1], nodes: [] };
  fold.at = 1;
  assert.notEqual(placesIn(fold, "tier:1"), before);
  assert.deepEqual(of("tier:1"), [["no hyper node", [1, 2]], ["s0", [0]]]);
  assert.equal(hyperNodesBy(fold, "zone"), null);
});
