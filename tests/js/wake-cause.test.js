// What woke a pod, below the sentence.
import assert from "node:assert/strict";
import test from "node:test";

import { plain } from "../../static/js/debugger/words/phrases.js";
import { lastWake, turnsSinceAttempt, wakeSentence } from "../../static/js/debugger/pod/wake-cause.js";
import { attempt, logOf, node, pod, ref, state } from "./events.js";

const api = pod("api"),
  web = pod("web");
const wake = (source, target, event, fields = {}) => ({ pod: api.uid, source, target, event, hints: {}, during: [], ...fields });
const of = (kind, fields) => ({ seq: 7, time: 5400, kind, pod: null, cause: null, changes: [], wakes: [], ...fields });
const gone = (...wakes) => of("change", { outcome: "gone", cause: 3, object: "Pod shop/web", pod: ref(web), wakes });
const say = (event, now = 5400) => plain(wakeSentence(lastWake([event], api.uid), now));

test("it names the event, whose hint it was, how long ago, and from where to where", () => {
  const hints = { NodeResourcesFit: "Queue", NodeName: "QueueSkip", VolumeZone: "Error" };
  const woken = gone(wake("unschedulable", "backoff", "AssignedPodDelete", { hints }));
  assert.equal(
    say(woken, 5700),
    "Woken by the deletion of shop/web: NodeResourcesFit’s hint and VolumeZone’s hint, 0.3 s ago. unschedulable → back-off.",
  );
  assert.equal(wakeSentence(lastWake([woken], api.uid), 0)[2].pod, web.uid);
  const own = { ...gone(wake("gated", "active", "UnschedulablePodUpdate")), pod: ref(api) };
  assert.equal(say(own), "Woken by its own change. gated → active.");
});

test("a pod that is called back, or has waited for too long, was woken by nobody else", () => {
  const back = wake("in_flight", "backoff", "ScheduleAttemptFailure", { during: ["NodeAdd"] });
  assert.equal(say(of("completion", { wakes: [back] })), "Called back: NodeAdd while it was tried. in flight → back-off.");
  const late = wake("unschedulable", "active", "UnschedulableTimeout");
  assert.equal(say(of("flush", { wakes: [late] }), 5410), "Waited for too long without an event, 0 s ago. unschedulable → active.");
});

test("what only moves a pod on wakes nobody", () => {
  for (const one of [
    wake("backoff", "active", "BackoffComplete"),
    wake("none", "active", "UnschedulablePodAdd"),
    wake("in_flight", "unschedulable", "ScheduleAttemptFailure"),
    wake("in_flight", "backoff", "ScheduleAttemptFailure"),
    { ...wake("unschedulable", "active", "NodeAdd"), pod: web.uid },
  ])
    assert.equal(lastWake([gone(one)], api.uid), null, JSON.stringify(one));
});

test("looked at is what came since the last attempt, also at the next one, and no earlier", () => {
  const base = { ...state([node("a")], [api, web]), time: 0 };
  const change = { ...gone(), pod: ref(api) };
  const log = logOf(base, [attempt(api), change, attempt(web), attempt(api), change]);
  const index = log.fold.podIndex.get(api.uid);
  const turns = (at) => turnsSinceAttempt(log, index, at);
  assert.deepEqual([1, 2, 3, 4, 5].map(turns), [[], [2], [2], [2], [5]]);
});
