// Times the browser's fold in node, on a log of the GPU trace's shape: `node benchmarks/fold.js [decisions]`. Every
// eighth pod fits nowhere; each decision takes its pod out of the queue, and most put it on a node. The best of
// some repeats is printed, since machines are shared.

import { Cluster } from "../static/js/cluster.js";
import { attempt, bind, join, leave, logOf, node, pod, QUEUE, state } from "../tests/js/events.js";

const NODES = 1523;
const REPEATS = 15;
const decisions = Number(process.argv[2] ?? 8152);

const nodes = Array.from({ length: NODES }, (_, i) => node(`node-${i}`));
const pods = Array.from({ length: decisions }, (_, i) => pod(`task-${i}`));
const queue = { active: Object.fromEntries(pods.map(({ uid }, i) => [uid, i])) };
const taken = new Map();

function changesOf(task, i) {
  const popped = [leave(QUEUE, "active", task, i), join(QUEUE, "in_flight", task, i), leave(QUEUE, "in_flight", task, i)];
  if (i % 8 === 7) return [...popped, join(QUEUE, "unschedulable", task, decisions + i)];
  const on = `node-${(i * 7919) % NODES}`;
  taken.set(on, (taken.get(on) ?? -1) + 1);
  return [...popped, ...bind(task, on, taken.get(on))];
}

function best(run) {
  const times = Array.from({ length: REPEATS }, (_, i) => {
    const begun = performance.now();
    run(i);
    return performance.now() - begun;
  });
  return `${Math.min(...times).toFixed(1)} ms`;
}

const base = state(nodes, pods, queue);
const log = pods.map((task, i) => ({ ...attempt(task, { changes: changesOf(task, i) }), seq: i + 1 }));
const begun = performance.now();
const cluster = new Cluster(base);
for (const decision of log) cluster.pack(decision);
console.log(`${decisions} decisions taken in: ${(performance.now() - begun).toFixed(0)} ms`);
console.log(`from one end to the other: ${best((i) => cluster.moveTo(i % 2 ? 0 : decisions))}`);
console.log(`a step: ${best((i) => cluster.moveTo(decisions - i))}`);
console.log(`changes: ${((cluster.changes.end * 4) / 2 ** 20).toFixed(1)} MiB`);
const whole = logOf(base, log);
const life = (pod) => whole.lifeOf(pod);
console.log(`a pod's life: ${best(life)}`);
