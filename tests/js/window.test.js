// Which part of a long run is held, and how the page comes from one part to another.
import assert from "node:assert/strict";
import test from "node:test";

import { Log } from "../../static/js/debugger/log/log.js";
import { DEFAULT_STOP } from "../../static/js/debugger/controls/stops.js";
import { Stream } from "../../static/js/debugger/live/stream.js";
import { Series } from "../../static/js/debugger/time/series.js";
import { Transport } from "../../static/js/debugger/controls/transport.js";
import { AHEAD, BEFORE, beginningFor, CAPACITY, isFarAhead, isFull, isHeldInParts } from "../../static/js/debugger/log/window.js";
import { Fold } from "../../static/js/fold.js";
import { Figures } from "../../static/js/decisions/figures.js";
import { stopFilters } from "../../static/js/decisions/stops.js";
import { attempt, bind, figuresOf, node, pod, state } from "./events.js";
import { randomLog } from "./random-log.js";

test("a fold that begins anew on any state goes forwards and backwards from there", () => {
  const { base, decisions, states } = randomLog(11, 300);
  const fold = new Fold(base);
  for (const first of [120, 0, 299, 40, 41]) {
    fold.begin(structuredClone(states[first]));
    assert.deepEqual(fold.state(), states[first]);
    for (const decision of decisions.slice(first)) fold.pack(decision);
    for (const at of [300, first, Math.min(300, first + 7), 300, first + 1]) {
      fold.moveTo(at);
      assert.deepEqual(fold.state(), states[at]);
    }
  }
});

test("who comes again in another part of the log has the same index, and what nothing holds any more is forgotten", () => {
  const [web, api] = [pod("web"), pod("api")];
  const fold = new Fold(state([node("a")], [web]));
  fold.begin({ ...state([node("a")], [api]), at: 5 });
  fold.begin({ ...state([node("a")], [{ ...web, priority: 7 }]), at: 9 });
  const { index, rows, present } = fold.tables.table("pods");
  assert.deepEqual([index.get(web.uid), index.get(api.uid)], [0, 1]);
  assert.deepEqual([present, rows[0].priority], [[1, 0], 7]);
});

const pods = Array.from({ length: 40 }, (_, i) => pod(`web-${i}`));
const placing = (i) => attempt(pods[i], { seq: i + 1, changes: bind(pods[i], "a", i) });
const stateAfter = (at) => ({ ...state([node("a")], pods.map((row, i) => (i < at ? { ...row, node: "a" } : row))), at });

/** A log of 40 placements that holds those behind a number. */
function heldFrom(first) {
  const log = new Log(stateAfter(0), async (after, limit) => pods.map((_, i) => placing(i)).slice(after, after + limit));
  const figures = new Figures(log);
  log.begin(stateAfter(first));
  figures.begin();
  const decisions = pods.map((_, i) => placing(i)).slice(first);
  log.take(decisions);
  figures.take(decisions);
  return { log, figures };
}

test("a log that begins late counts from there, and can't be asked what it doesn't hold", async () => {
  const { log, figures } = heldFrom(30);
  const whole = figuresOf(stateAfter(0), pods.map((_, i) => placing(i)));
  assert.deepEqual([log.first, log.head, log.placedSoFar.get(35)], [30, 40, 5]);
  assert.deepEqual([log.outcomeOf(35), log.pod.get(35)], ["scheduled", whole.log.pod.get(35)]);
  assert.deepEqual(figures.tonesWithin(33, 38), whole.tonesWithin(33, 38));
  assert.deepEqual([0, 30, 31, 40, 41].map((seq) => log.holds(seq)), [false, false, true, true, false]);
  assert.equal((await log.fetch(3)).pod.name, "web-2");
  log.announce(90);
  assert.deepEqual([log.end, log.isFromStart], [90, false]);
});

test("the lanes of a clock begin with what there is at the state", () => {
  const timed = (at) => ({ ...stateAfter(at), time: at * 1000 });
  const log = new Log(timed(0), null);
  const series = new Series(log);
  log.begin(timed(25));
  series.begin();
  const next = { ...placing(25), time: 26_000 };
  log.take([next]);
  series.take([next]);
  const whole = new Series(new Log(timed(26), null));
  assert.equal(series.usedOf("cpu", 26), whole.usedOf("cpu", 26));
  assert.ok(series.usedOf("cpu", 26) > series.usedOf("cpu", 25));
});

test("only a long run without sessions is held in parts, from a little before the reader", () => {
  const fold = new Fold(state([node("a")], []));
  assert.deepEqual([isHeldInParts(fold, CAPACITY), isHeldInParts(fold, CAPACITY + 1)], [false, true]);
  const actors = { volcano: { name: "volcano", engine: "volcano-1.16", profiles: ["volcano"] } };
  const sessions = new Fold({ at: 0, time: null, tables: { actors }, lists: {} });
  assert.equal(isHeldInParts(sessions, CAPACITY + 1), false);
  assert.deepEqual([beginningFor(3), beginningFor(900_000)], [0, 900_000 - BEFORE]);
  assert.deepEqual([isFarAhead({ head: 100 }, 99), isFarAhead({ head: 100 + AHEAD }, 100)], [false, true]);
  const full = { first: 0, head: CAPACITY + 1 };
  assert.deepEqual([isFull(full, BEFORE), isFull(full, BEFORE + 1), isFull({ ...full, head: CAPACITY }, CAPACITY)], [false, true, false]);
});

/** A reader of decisions 31 to 40 of 90, and where they were sent. */
function reader(fields = {}) {
  const { log } = heldFrom(30);
  log.announce(90);
  const [sent, said] = [[], []];
  const reading = { at: 35, time: null, status: "running", stop: DEFAULT_STOP, set: (values) => Object.assign(reading, values), ...fields };
  const beginAt = async (seq, how) => (sent.push([seq, how?.follow ?? false]), (reading.at = seq), fields.comes ?? true);
  const parts = { stopTest: () => () => false, askForStop: async () => undefined, ...fields };
  return { sent, said, reading, transport: new Transport({ log, reading, beginAt, say: (text) => said.push(text), ...parts }) };
}

test("who goes beyond what is held is sent there, who stays within isn't", () => {
  const { reading, sent, transport } = reader();
  transport.seek(31);
  assert.deepEqual([reading.at, sent], [31, []]);
  transport.step(-1);
  transport.seek(60);
  transport.last();
  transport.first();
  transport.seek(1000);
  assert.deepEqual(sent, [[30, false], [60, false], [90, true], [0, false], [90, false]]);
});

test("a stop beyond what is held is where the server says it is", async () => {
  const asked = [];
  const answers = { 41: 77, 30: null };
  const { reading, said, sent, transport } = reader({ askForStop: async (by, seq) => (asked.push([by, seq]), answers[seq]) });
  await transport.nextStop(1);
  await new Promise(setImmediate);
  reading.at = 35;
  await transport.nextStop(-1);
  await new Promise(setImmediate);
  assert.deepEqual([asked, sent, said], [[[1, 41], [-1, 30]], [[77, false]], ["No earlier stop."]]);
});

test("what the server can't tell is looked for in the next part", async () => {
  const { sent, transport } = reader({ stopTest: () => (seq) => seq === 41 });
  transport.nextStop(1);
  await new Promise(setImmediate);
  assert.deepEqual(sent, [[41, false]]);
});

test("the server is asked for stops that its index knows, and for no others", () => {
  const stop = (fields) => stopFilters({ ...DEFAULT_STOP, ...fields });
  assert.deepEqual(stop({}), [{ kind: "attempt", outcome: "nominated" }]);
  assert.deepEqual(stop({ kinds: ["change", "placed"], actor: "one" }), [
    { kind: "attempt", outcome: "scheduled", actor: "one" },
    { kind: "change", actor: "one" },
  ]);
  assert.deepEqual(stop({ kinds: [], priority: 9 }), [{ min_priority: 10 }]);
  assert.deepEqual(stop({ kinds: [], actor: "one" }), [{ actor: "one" }]);
  for (const fields of [{ kinds: ["again"] }, { kinds: ["card-refused"] }, { pod: "web" }, { node: "a" }, { kinds: [], priority: -5 }])
    assert.equal(stop(fields), null);
});

test("a page that has enough lets the server wait, also after a break, and goes on later", () => {
  globalThis.location = { href: "http://here/runs/1/", protocol: "http:" };
  const sockets = [];
  globalThis.WebSocket = class {
    static OPEN = 1;
    readyState = 1;
    sent = [];
    constructor() {
      sockets.push(this);
    }
    send(text) {
      this.sent.push(JSON.parse(text).seq);
    }
    say(message) {
      this.onmessage({ data: JSON.stringify(message) });
    }
  };
  let enough = false;
  const nothing = () => {};
  const on = { decisions: nothing, hello: nothing, status: nothing, end: nothing, link: nothing };
  const stream = new Stream("/ws/", 7, { ...on, hasEnough: () => enough });
  stream.open();
  sockets[0].say({ type: "hello" });
  sockets[0].say({ type: "decisions", items: [{ seq: 8 }] });
  enough = true;
  sockets[0].say({ type: "decisions", items: [{ seq: 9 }] });
  assert.deepEqual([sockets[0].sent, stream.waits], [[7, 8], true]);
  stream.goOn();
  stream.goOn();
  assert.deepEqual([sockets[0].sent, stream.waits], [[7, 8, 9], false]);
});
