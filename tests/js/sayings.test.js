// What sessions say of pods and jobs beside the decisions about them: it is part of a pod's life and of a job's card.
import assert from "node:assert/strict";
import test from "node:test";

import { lifeOf } from "../../static/js/debugger/pod/pod-card.js";
import { Figures } from "../../static/js/decisions/figures.js";
import { bind, logOf, node, pod, ref, state } from "./events.js";

const GROUP = "ml/bert";
const waits = pod("bert-0", { namespace: "ml", scheduler: "volcano", group: GROUP });
const other = pod("bert-1", { namespace: "ml", scheduler: "volcano", group: GROUP });
const step = (kind, outcome, session, fields = {}) => ({ kind, outcome, session, actor: "volcano", pod: null, changes: [], ...fields });
const opens = (session, invalid = []) =>
  step("session", "opened", session, { actions: ["enqueue"], queues: ["q"], jobs: { q: [GROUP] }, deciders: { q: [] }, shares: {}, invalid });
const closes = (session, message, phase = "Pending") =>
  step("close", "idle", session, {
    groups: [{ job: GROUP, phase, reason: "NotEnoughResources", message }],
    messages: [{ pod: ref(waits), reason: "Unschedulable", message, nominated: "" }],
    shares: {}, bound: 0, evicted: 0,
  });
const rejects = (session) => step("enqueue", "rejected", session, { job: GROUP, queue: "q", action: "enqueue", lacking: ["proportion"] });

function played(...events) {
  const decisions = events.map((event, i) => ({ ...event, seq: i + 1 }));
  const log = logOf(state([node("a")], [waits, other]), decisions);
  const figures = new Figures(log);
  figures.take(decisions);
  const of = ({ uid }) => lifeOf({ figures, fold: log.fold, log }, log.fold.podIndex.get(uid)).map(({ seq, what, times, last }) => [seq, what, times, last]);
  return { figures, of };
}

test("a pod that three decisions told why it waits has a life, equal words as one", () => {
  const { of } = played(closes(1, "no room"), opens(2), closes(2, "no room"), opens(3), closes(3, "still none"));
  assert.deepEqual(of(waits), [[1, "told", 2, 3], [5, "told", 1, 5]]);
  assert.deepEqual(of(other), []);
});

test("what keeps a job out keeps its pods out too", () => {
  const { of } = played(opens(1), rejects(1), opens(2, [{ job: GROUP, reason: "NotEnoughPods", message: "1 of 2" }]));
  assert.deepEqual(of(other), [[2, "rejected", 1, 2], [3, "invalid", 1, 3]]);
});

test("who is bound or taken back with its gang is told so", () => {
  const task = { verb: "appear", table: "tasks/volcano", id: waits.uid, row: { pod: waits.uid, job: GROUP, node: "a", status: "allocated" } };
  const gang = (outcome, fields) => step("gang", outcome, 1, { job: GROUP, queue: "q", action: "allocate", evicted: [], bound: [], pipelined: [], ...fields });
  const tried = step("placement", "allocated", 1, {
    job: GROUP, queue: "q", action: "allocate", pod: ref(waits), node: "a", victims: [], reasons: [], changes: [task],
  });
  const { of } = played(
    tried, gang("discarded", { changes: [{ ...task, verb: "vanish" }] }),
    tried, gang("committed", { bound: [ref(waits)], changes: [{ ...task, verb: "vanish" }, ...bind(waits)] }),
  );
  assert.deepEqual(of(waits).map(([seq, what]) => [seq, what]), [[1, "other"], [2, "taken back"], [3, "other"], [4, "bound"]]);
});

test("a job is told of at a close again only when that says something else", () => {
  const { figures } = played(closes(1, "no room"), opens(2), closes(2, "no room"), opens(3), closes(3, "", "Running"));
  const told = figures.sessions.sayings.ofJob(GROUP).map(({ seq, text, last }) => [seq, text, last]);
  assert.deepEqual(told, [[1, "Pending: NotEnoughResources: no room", 3], [5, "Running: NotEnoughResources", 5]]);
});

test("a pod that is passed over hears what the first of its task was refused for", () => {
  const tried = (outcome, of, message, why) =>
    step("placement", outcome, 1, { job: GROUP, role: "main", action: "allocate", pod: ref(of), node: "", victims: [], reasons: [], why, message });
  const skipped = "Task bert-0 with role spec main has already predicated failed, skip";
  const { figures } = played(tried("refused", other, "0/1 nodes are unavailable.", "nodes"), tried("skipped", waits, skipped, "role"), closes(1, skipped));
  const told = () => figures.sessions.sayings.ofPod(waits.uid, GROUP).filter(({ what }) => what === "told").map(({ text }) => text);
  assert.deepEqual(told(), [`${skipped}. Of its task bert-1 was tried first: 0/1 nodes are unavailable.`]);
  figures.take([{ ...closes(2, "no room"), seq: 4 }]);
  assert.equal(told().at(-1), "no room");
});
