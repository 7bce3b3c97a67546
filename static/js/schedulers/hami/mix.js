// Whose requests the figure of fragmentation is about: what this run's pods were given, what those ask for that wait at the
// reader's decision, or a shape of the reader's own. As it stands in the address: nothing, "pending", "NVIDIA:2:24576:30". Pure.

import { shapesOf } from "./shapes.js";

export const RUN = "run",
  PENDING = "pending",
  OWN = "own";
const SHAPE = /^([\w.-]{1,40}):(\d{1,3}):(\d{1,8}):(\d{1,3})$/;

/** {kind, shape: that of OWN} of the address's words; what isn't understood is RUN. */
export function readMix(text) {
  if (text === PENDING) return { kind: PENDING, shape: null };
  const [, vendor, count, memory, cores] = SHAPE.exec(text ?? "") ?? [];
  if (!vendor || !Number(count)) return { kind: RUN, shape: null };
  return { kind: OWN, shape: { vendor, count: Number(count), memory: Number(memory), percentage: 0, cores: Math.min(100, Number(cores)), weight: 1 } };
}

/** The address's words of a shape. */
export function writeShape({ vendor, count, memory, cores }) {
  return [vendor, count, memory, cores].join(":");
}

/** What a mix comes to at the reader's decision, as shapes. `asked`: the server's shapes, with the pods that ask for each. */
export function shapesIn({ kind, shape }, fold, asked) {
  if (kind === OWN) return [shape];
  return kind === PENDING ? pendingShapes(fold, asked) : shapesOf(fold);
}

/** The shapes that pods ask for who wait at the reader's decision, weighed by their number. */
function pendingShapes(fold, asked) {
  const waiting = new Map();
  for (const pod of fold.waiting) {
    const uid = firstInLine(fold, pod);
    waiting.set(uid, (waiting.get(uid) ?? 0) + 1);
  }
  return asked
    .map(({ number, pods, ...shape }) => ({ ...shape, count: number, weight: pods.reduce((sum, uid) => sum + (waiting.get(uid) ?? 0), 0) }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight || b.memory - a.memory);
}

/** A copy of an evicted pod asks for what the first in its line asked for. */
function firstInLine({ pods, podIndex }, pod) {
  let { uid, replaces } = pods[pod];
  while (replaces) {
    uid = replaces;
    replaces = pods[podIndex.get(uid)]?.replaces;
  }
  return uid;
}
