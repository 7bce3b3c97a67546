// What the work of Volcano's controllers is told as.
import assert from "node:assert/strict";
import test from "node:test";

import { plain } from "../../static/js/debugger/words/phrases.js";
import { kindOf } from "../../static/js/decisions/registry.js";
import { reconciled } from "./session-events.js";

const said = (fields) => plain(kindOf({ kind: "reconcile" }).sentence(reconciled(fields)));

test("a controller's work says whose it is, why, and what it makes, changes and deletes", () => {
  assert.equal(said(), "Job controller: SyncJob of ml/train: creates 3 pods.");
  assert.equal(
    said({
      event: "PodFailed",
      action: "RestartJob",
      whose: { uid: "u", namespace: "ml", name: "train-worker-1", priority: 0 },
      exit_code: 3,
      phase_before: "Running",
      phase: "Restarting",
      created: [],
      updated: ["Job ml/train"],
      deleted: ["Pod ml/train-worker-0", "Pod ml/train-worker-1", "PodGroup ml/train-u"],
    }),
    "Job controller: RestartJob of ml/train, because of PodFailed of worker-1 (exit code 3): updates the Job and deletes " +
      "2 pods and 1 pod group. Running becomes Restarting.",
  );
  assert.equal(
    said({ controller: "queue", object: "Queue prod", action: "SyncQueue", created: [], updated: ["Queue prod"], phase_before: "Open", phase: "Open" }),
    "Queue controller: SyncQueue of prod: updates the Queue.",
  );
});

test("work that waits or fails says so", () => {
  const nothing = { created: [], phase: "Running", phase_before: "Running" };
  assert.match(said({ ...nothing, outcome: "delayed", action: "RestartJob", delay: 30_000 }), /RestartJob of ml\/train: to be done in .*30/);
  assert.match(said({ ...nothing, outcome: "requeued", error: "no claim" }), /it fails \(no claim\) and comes again\.$/);
  assert.match(said({ ...nothing, outcome: "failed", error: "no claim" }), /it fails for good \(no claim\)\.$/);
});

test("a new phase is a stop, and what is told is an event of the object", () => {
  const kind = kindOf({ kind: "reconcile" });
  const [phase] = kind.stops;
  assert.equal(phase.is(reconciled({ phase_before: "Pending", phase: "Running" })), true);
  assert.equal(phase.is(reconciled()), false);
  const told = [{ object: "Job ml/train", type: "Normal", reason: "ExecuteAction", message: "Start to execute action RestartJob " }];
  assert.deepEqual(kind.messages(reconciled({ told })), [
    { type: "Normal", reason: "ExecuteAction", from: "vc-controller-manager", object: "job/train", message: "Start to execute action RestartJob " },
  ]);
  assert.deepEqual(kind.who(reconciled()), { name: "Job ml/train", pod: null });
});
