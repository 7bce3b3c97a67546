// Why no scheduler looks at a pod, against the cases that scheduler_core/schedulers/unasked.py is held to.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { Cluster } from "../../static/js/cluster.js";
import { whyUnasked } from "../../static/js/debugger/pod/unasked.js";
import { whyIgnored } from "../../static/js/schedulers/volcano/unasked.js";
import { node, pod, schedulerOf, state } from "./events.js";

const { actors, groups, queues, pods } = JSON.parse(readFileSync(new URL("../vectors/unasked.json", import.meta.url)));
const scheduler = schedulerOf("volcano-1.16");
const rows = pods.map(({ why, name, ...fields }) => pod(name, { namespace: "ml", group: "", ...fields }));
const begun = state([node("a")], rows);
Object.assign(begun.tables, {
  actors: Object.fromEntries(actors.map((row) => [row.name, row])),
  groups: Object.fromEntries(Object.entries(groups).map(([key, queue]) => [key, { queue }])),
  queues: Object.fromEntries(queues.map((name) => [name, { name }])),
});
const fold = new Cluster(begun);
const told = (why) => why && `${why[0].toUpperCase()}${why.slice(1)}.`;

for (const { name, why } of pods)
  test(`of the pod ${name}: ${why || "nothing"}`, () => {
    assert.equal(whyUnasked(fold, fold.podIndex.get(`uid-${name}`), scheduler), told(why));
  });

test("a pod group whose queue is there is looked at", () => {
  assert.equal(whyIgnored(fold, "ml/near", scheduler), "");
  assert.match(whyIgnored(fold, "ml/far", scheduler), /^Queue gone does not exist, /);
});
