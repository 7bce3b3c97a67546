// What the find box finds: of every kind that a run has, by a part of the name.
import assert from "node:assert/strict";
import test from "node:test";

import { matches } from "../../static/js/debugger/search/finding.js";
import { NodeNames } from "../../static/js/debugger/names/node-names.js";
import { logOf, node, pod, state } from "./events.js";

const GROUP = "etl/tokenize-1082-4f734e5c-0000-4000-8000-0123456789ab";
const JOB = "Job.batch.volcano.sh/etl/tokenize-1082";

function made(...more) {
  const workers = [0, 1].map((i) => pod(`tokenize-1082-worker-${i}`, { namespace: "etl", group: GROUP, workload: JOB }));
  const carts = [0, 1, 2].map((i) => pod(`cart-${i}`, { workload: "Deployment/shop/cart", node: i ? "gpu-1" : "" }));
  const base = state([node("gpu-1"), node("cpu-1")], [...workers, ...carts, ...more]);
  base.tables.groups = { [GROUP]: { namespace: "etl", name: GROUP.slice(4), queue: "batch", min_member: 2, phase: "Running" } };
  base.tables.jobs = {
    "etl/tokenize-1082": { group: GROUP, phase: "Running" },
    "etl/report": { group: "etl/report-uid", phase: "Completed" },
  };
  base.tables.queues = { batch: { name: "batch", weight: 3 } };
  base.tables.cards = { "gpu-1/GPU-abc": { node: "gpu-1", index: 0, type: "NVIDIA-A100" } };
  const log = logOf(base, []);
  const names = new NodeNames(log.fold.nodes.map(({ name }) => name), { when() {} });
  const search = (wanted) => matches({ fold: log.fold, log, names }, wanted);
  return Object.assign((wanted) => search(wanted).shown, { isCut: (wanted) => search(wanted).isCut });
}
const told = (found) => found.map(({ name, what }) => `${name}: ${what}`);

test("jobs are found by their names and lead to the card of their gang", () => {
  const [job, ...others] = made()("tokenize");
  assert.deepEqual([job.name, job.what, job.card, job.title], ["etl/tokenize-1082", "gang of 2, Running", `group/${GROUP}`, GROUP]);
  assert.deepEqual(others.map(({ pod: uid }) => uid), ["uid-tokenize-1082-worker-0", "uid-tokenize-1082-worker-1"]);
  assert.equal(made()("4f734e5c")[0].card, `group/${GROUP}`);
  assert.deepEqual(made()("report"), [{ job: "etl/report", name: "etl/report", what: "job, Completed" }]);
});

test("queues, workloads and cards are found", () => {
  assert.deepEqual(told(made()("batch")), ["batch: queue, weight 3"]);
  assert.equal(made()("batch")[0].card, "queue/batch");
  const [cart] = made()("cart");
  assert.deepEqual([cart.name, cart.what, cart.pod], ["shop/cart", "Deployment, 3 pods", "uid-cart-0"]);
  for (const wanted of ["gpu-abc", "a100"]) assert.equal(made()(wanted)[0].card, "card/gpu-1/GPU-abc");
});

test("many pods leave room for the other kinds, and one that is named in full comes first", () => {
  const many = Array.from({ length: 500 }, (_, i) => pod(`cart-${i + 10}`, { workload: "Deployment/shop/cart" }));
  const found = made(...many)("cart");
  assert.equal(found.length, 12);
  assert.equal(made(...many).isCut("cart"), true);
  assert.equal(made(...many).isCut("cart-499"), false);
  assert.equal(found[0].what, "Deployment, 503 pods");
  assert.equal(made(...many)("cart-499")[0].name, "shop/cart-499");
  assert.equal(made()("1").length, 7, "two nodes, the job, a card by its type, the workers, and a pod");
});
