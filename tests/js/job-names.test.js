// Jobs are called alike here and on the server, which tests the same names (tests/scheduler_core/volcano/reporting/test_job_names.py).
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { jobName, objectName } from "../../static/js/job-names.js";
import { kindOf } from "../../static/js/decisions/registry.js";
import { nameInJob } from "../../static/js/schedulers/volcano/decisions/words.js";
import { sessionTree } from "../../static/js/schedulers/volcano/session-tree.js";

const NAMES = JSON.parse(readFileSync(new URL("../vectors/job_names.json", import.meta.url)));
const GROUP = "ml/bert-4f734e5c-0000-4000-8000-0123456789ab";
const entered = {
  kind: "enqueue", outcome: "entered", seq: 1, session: 1, action: "enqueue", actor: "volcano", job: GROUP, queue: "q",
  lacking: [], pod: null, changes: [],
};

test("a job is called without the uid of its pod group", () => {
  for (const [group, called] of Object.entries(NAMES)) assert.equal(jobName(group), called);
  assert.equal(objectName(`PodGroup ${GROUP}`), "PodGroup ml/bert");
  assert.equal(objectName("Pod ml/4f734e5c"), "Pod ml/4f734e5c");
});

test("decisions and the tree of their session call a job by its name, with that of its pod group as a title", () => {
  assert.deepEqual(kindOf(entered).who(entered), { name: "ml/bert", pod: null, title: GROUP });
  const [action] = sessionTree([entered], {});
  const [line] = action.children[0].children;
  assert.deepEqual([line.words, line.title], ["ml/bert", GROUP]);
  assert.equal(nameInJob({ name: "bert-worker-3" }, GROUP), "worker-3");
});
