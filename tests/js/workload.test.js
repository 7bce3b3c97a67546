// What the controllers of workloads do is told as.
import assert from "node:assert/strict";
import test from "node:test";

import { plain } from "../../static/js/debugger/words/phrases.js";
import { kindOf } from "../../static/js/decisions/registry.js";

const kind = kindOf({ kind: "workload" });
const step = (fields) => ({
  kind: "workload",
  seq: 7,
  time: 300,
  actor: "statefulset-controller",
  cause: 6,
  changes: [],
  pod: null,
  outcome: "created",
  object: "StatefulSet shop/db",
  created: ["Pod shop/db-1"],
  updated: [],
  deleted: [],
  message: null,
  told: [],
  wakes: [],
  heard: [],
  ...fields,
});
const said = (fields) => plain(kind.sentence(step(fields)));

test("a workload's controller says what it makes and deletes", () => {
  assert.equal(said(), "Its controller creates Pod shop/db-1.");
  assert.equal(
    said({ created: ["PersistentVolumeClaim shop/data-db-1", "Pod shop/db-1"], deleted: ["Pod shop/db-2"] }),
    "Its controller creates 1 claim and 1 pod and deletes Pod shop/db-2.",
  );
});

test("pods that the API server refuses are told with its words, and are a stop", () => {
  const refused = { outcome: "refused", created: [], message: 'pods "web-1" is forbidden: exceeded quota' };
  assert.equal(said(refused), 'Its controller makes no pod: the API server refuses (pods "web-1" is forbidden: exceeded quota).');
  assert.equal(
    said({ message: refused.message }),
    'Its controller creates Pod shop/db-1; the API server refuses more (pods "web-1" is forbidden: exceeded quota).',
  );
  const stop = kind.stops.find(({ key }) => key === "refused-pods");
  assert.deepEqual([stop.is(step(refused)), stop.is(step())], [true, false]);
});

test("a Job's end is told, and its events are those of the object", () => {
  assert.equal(said({ outcome: "failed", created: [], message: "Job has reached the limit." }), "Has failed: Job has reached the limit.");
  const told = [{ object: "Job ml/sum", type: "Normal", reason: "Completed", message: "Job completed" }];
  assert.deepEqual(kind.messages(step({ told, actor: "job-controller" })), [
    { type: "Normal", reason: "Completed", from: "job-controller", object: "job/sum", message: "Job completed" },
  ]);
  assert.deepEqual(kind.who(step()), { name: "StatefulSet shop/db", pod: null });
});
