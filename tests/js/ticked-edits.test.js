import assert from "node:assert/strict";
import test from "node:test";

import { editsOf, effectOf, faultIn, valuesOf } from "../../static/js/ticked-edits.js";

const WEB = "Deployment/shop/web";
const CART = "Deployment/shop/cart";
const DB = "StatefulSet/data/db";
const answer = { problems: [], edits: [], figures: [], untried: "", preparing: false };

test("each workload that is ticked is an edit of its own, with the values that are given", () => {
  assert.deepEqual(editsOf("workloads", "scale", [WEB, DB], { replicas: 0 }), [
    { op: "scale", kind: "Deployment", namespace: "shop", name: "web", replicas: 0 },
    { op: "scale", kind: "StatefulSet", namespace: "data", name: "db", replicas: 0 },
  ]);
  assert.deepEqual(editsOf("workloads", "evict", [WEB]), [{ op: "evict", workload: WEB }]);
});

test("a job that is ticked is patched with what is given", () => {
  assert.deepEqual(editsOf("jobs", "patch", ["Job.batch.volcano.sh/ml/train"], { minAvailable: 2 }), [
    { op: "patch", kind: "Job.batch.volcano.sh", namespace: "ml", name: "train", patch: { spec: { minAvailable: 2 } } },
  ]);
});

test("what is deleted is one edit for each kind and namespace", () => {
  assert.deepEqual(editsOf("workloads", "delete", [WEB, DB, CART]), [
    { op: "delete", kind: "Deployment", namespace: "shop", names: ["web", "cart"] },
    { op: "delete", kind: "StatefulSet", namespace: "data", names: ["db"] },
  ]);
  assert.deepEqual(editsOf("pods", "delete", ["shop/a", "shop/b"]), [{ op: "delete", kind: "Pod", namespace: "shop", names: ["a", "b"] }]);
});

test("fields are read by their kind, and those that are empty say nothing", () => {
  const fields = [
    { name: "replicas", kind: "count", text: " 3 " },
    { name: "cpu", kind: "text", text: "" },
    { name: "nodeSelector", kind: "labels", text: "pool=a, old-" },
    { name: "tolerations", kind: "texts", text: "a=b:NoSchedule c" },
  ];
  assert.deepEqual(valuesOf(fields), { replicas: 3, nodeSelector: { pool: "a", old: null }, tolerations: ["a=b:NoSchedule", "c"] });
});

test("labels that can't be read are told and none of them is taken", () => {
  const fields = [{ name: "labels", kind: "labels", text: "my team=1" }];
  assert.equal(faultIn(fields), "Write key=value, or key- to take it away, not my.");
  assert.deepEqual(valuesOf(fields), { labels: {} });
  assert.equal(faultIn([{ name: "labels", kind: "labels", text: "team=1, old-" }]), "");
});

test("the evictions of several edits are summed", () => {
  const edits = [{ evictions: 3, budgets: 1 }, { evictions: 1, budgets: 0 }];
  assert.equal(effectOf({ ...answer, edits }, { op: "evict", asked: [] }), "4 pods leave, 1 budget is touched");
});

test("other operations say which figures of the cluster they change", () => {
  const figures = [
    { what: "pods", resource: "", before: 9, after: 4 },
    { what: "nodes", resource: "", before: 2, after: 2 },
  ];
  const edits = [{ evictions: 0, budgets: 0 }];
  assert.equal(effectOf({ ...answer, edits, figures }, { op: "scale", asked: [] }), "pods 9 → 4");
  assert.equal(effectOf({ ...answer, edits }, { op: "scale", asked: [] }), "no figure of the cluster changes before the first decision");
});

test("the first problem names its row, and how many there are besides", () => {
  const asked = editsOf("workloads", "scale", ["DaemonSet/shop/agent"], { replicas: 0 });
  const problems = [{ object: "edits[0]", field: "kind", message: "must be a Deployment" }, { object: "edits[1]", field: "", message: "x" }];
  assert.equal(effectOf({ ...answer, problems }, { op: "scale", asked }), "DaemonSet/shop/agent: must be a Deployment, and 1 more");
});
