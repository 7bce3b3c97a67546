// Who reads a long run: whatever comes between, they stand where they went, and the page holds what is near.
import assert from "node:assert/strict";
import test from "node:test";

import { Log } from "../../static/js/debugger/log/log.js";
import { Reading } from "../../static/js/debugger/reading.js";
import { AT_ONCE, BEFORE, CAPACITY } from "../../static/js/debugger/log/window.js";
import { Figures } from "../../static/js/decisions/figures.js";
import { attempt, node, pod, state } from "./events.js";

const WINDOW = 2000,
  BATCH = 500;
const web = pod("web");
const after = (at) => ({ ...state([node("a")], [web]), at });

let frames = [];
let server;
globalThis.requestAnimationFrame = (act) => frames.push(act);
globalThis.location = { href: "http://here/runs/1/", protocol: "http:" };
globalThis.document = { querySelector: () => ({ dataset: { socket: "/ws/" } }) };
globalThis.WebSocket = class {
  static OPEN = 1;
  readyState = 1;

  constructor(url) {
    this.sent = this.acked = Number(url.searchParams.get("after"));
    this.window = Number(url.searchParams.get("window") ?? WINDOW);
    server.sockets.push(this);
  }

  send(text) {
    this.acked = Math.max(this.acked, JSON.parse(text).seq);
  }

  close() {
    this.readyState = 3;
  }
};
const { Following } = await import("../../static/js/debugger/live/following.js");

/** A run of so many decisions so far; what it sends comes with `turn`, REST's answers with `answer`. */
class Server {
  constructor(decisions) {
    Object.assign(this, { decisions, status: "running", sockets: [], asked: [] });
  }

  get head() {
    return { decisions: this.decisions, status: this.status, rate: null };
  }

  get socket() {
    return this.sockets.findLast(({ readyState }) => readyState === 1);
  }

  /** One message to the page, as the consumer would send it; whether there was one. */
  turn() {
    const { socket } = this;
    if (!socket) return false;
    const say = (message) => socket.onmessage({ data: JSON.stringify(message) });
    if (!socket.greeted) {
      socket.greeted = this.status;
      say({ type: "hello", ...this.head });
    } else if (socket.greeted !== this.status) {
      socket.greeted = this.status;
      say({ type: "status", ...this.head });
    } else if (socket.sent < Math.min(this.decisions, socket.acked + socket.window)) {
      const until = Math.min(this.decisions, socket.sent + BATCH, socket.acked + socket.window);
      const items = [];
      for (let seq = socket.sent + 1; seq <= until; seq++) items.push(attempt(web, { seq }));
      socket.sent = until;
      say({ type: "decisions", items });
    } else if (this.status !== "running" && socket.sent === this.decisions) {
      socket.readyState = 2;
      say({ type: "end", ...this.head });
      socket.onclose({ code: 1000 });
    } else return false;
    return true;
  }

  state(at) {
    return new Promise((resolve) => this.asked.push(() => resolve(after(at))));
  }

  async answer() {
    for (const answer of this.asked.splice(0)) answer();
    await new Promise(setImmediate);
  }
}

function pageOf(base = 0, wanted = null) {
  const log = new Log(after(base), null);
  const run = { status: "running", decisions: server.decisions };
  const reading = new Reading({ at: base, head: base, run });
  const figures = new Figures(log);
  const rest = { state: (at) => server.state(at), run: async () => ({ ...run, ...server.head, scheduler: {} }) };
  const ignored = { scale: { learn: () => {} }, names: { learn: () => {} }, say: (text) => assert.fail(text) };
  const page = { log, reading, figures, fold: log.fold, rest, series: null, ...ignored };
  page.following = new Following(page, wanted, null);
  return page;
}

function drawFrame() {
  for (const act of frames.splice(0)) act();
}

/** Let everything come that is under way. */
async function allCome() {
  for (let isMore = true; isMore; ) {
    isMore = server.turn() || frames.length > 0 || server.asked.length > 0;
    drawFrame();
    await server.answer();
  }
}

function started(decisions, base, wanted) {
  frames = [];
  server = new Server(decisions);
  return pageOf(base, wanted);
}

function ended(status = "finished") {
  server.status = status;
}

test("who goes elsewhere just after a step comes there", async () => {
  const { reading, log, following } = started(90_000, 70_000, 70_600);
  await allCome();
  reading.set({ at: 70_501 });
  const arrival = following.beginAt(20_000);
  await allCome();
  assert.deepEqual([await arrival, reading.at, log.first], [true, 20_000, 20_000 - BEFORE]);
});

test("who moves where they are held meanwhile stays, and reads on", async () => {
  const { reading, log, following } = started(90_000, 70_000, 70_600);
  await allCome();
  const arrival = following.beginAt(20_000);
  reading.set({ at: 70_700 });
  await allCome();
  assert.deepEqual([await arrival, reading.at, log.first, server.sockets.length], [false, 70_700, 70_000, 3]);
});

test("who follows a run from its start holds only its end, though decisions alone say how long it is", async () => {
  const { reading, log } = started(10, 0, null);
  await allCome();
  reading.set({ follow: true });
  for (; server.decisions < 60_000; server.decisions += 9000) await allCome();
  assert.ok(log.first > 0 && log.head - log.first <= CAPACITY, `${log.first} to ${log.head}`);
  assert.deepEqual([reading.follow, reading.at], [true, log.head]);
});

test("a run that ends with its last decisions is held in part, too", async () => {
  const { reading, log } = started(10, 0, null);
  await allCome();
  reading.set({ follow: true });
  server.decisions = CAPACITY + 900;
  ended();
  await allCome();
  assert.deepEqual([reading.at, reading.follow, log.first > 0], [CAPACITY + 900, false, true]);
});

test("who has been sent to the head follows it, also if they asked for the same decision before", async () => {
  const { reading, following } = started(90_000, 0, 1);
  await allCome();
  following.beginAt(90_000);
  following.beginAt(90_000, { follow: true });
  await allCome();
  server.decisions = 91_000;
  await allCome();
  assert.deepEqual([reading.follow, reading.at], [true, 91_000]);
});

test("while the page changes parts it reads no further than it needs, and then goes on", async () => {
  const { reading, log, following } = started(90_000, 0, 1);
  await allCome();
  following.beginAt(40_000);
  while (server.turn());
  assert.equal(server.socket.sent, 40_000 - BEFORE + AT_ONCE);
  await allCome();
  reading.set({ at: log.head });
  const { head } = log;
  await allCome();
  assert.ok(log.head >= head + 1000);
});

test("whoever plays on while the page lets go of what is behind isn't put back", async () => {
  const { reading, log } = started(90_000, 0, 1);
  await allCome();
  for (let at = 1000; log.head <= CAPACITY + 1000; at += 1000) {
    reading.set({ at });
    while (server.turn() || frames.length > 0) drawFrame();
    if (server.asked.length) break;
  }
  assert.equal(server.asked.length, 1);
  const at = log.head;
  reading.set({ at });
  drawFrame();
  await allCome();
  assert.deepEqual([reading.at, log.first > 0], [at, true]);
});

test("whatever a reader does while a run goes on, they stand where they went", async () => {
  const lots = seeded(3);
  for (let round = 0; round < 6; round++) {
    const { reading, log, following } = started(lots(2) * 80_000, 0, null);
    const follow = () => (log.holds(log.end) ? reading.set({ at: log.end, follow: true }) : following.beginAt(log.end, { follow: true }));
    const seek = (at) => (log.holds(at) ? reading.set({ at, follow: false }) : following.beginAt(at));
    const done = async (act) => (act === answer ? await act() : void act());
    const answer = () => server.answer();
    const doings = [
      () => server.turn(),
      () => server.turn(),
      () => drawFrame(),
      answer,
      () => (server.decisions += lots(900)),
      () => reading.loaded && seek(Math.max(1, log.end - lots(4000))),
      () => reading.loaded && seek(Math.max(1, reading.at - lots(3))),
      () => reading.loaded && follow(),
    ];
    for (let i = 0; i < 150; i++) await done(doings[lots(doings.length)]);
    await allCome();
    const wish = Math.max(1, lots(2) ? log.end - lots(3000) : 0);
    if (wish > 1) seek(wish);
    else follow();
    for (let i = 0; i < 20; i++) await done(doings[lots(5)]);
    ended();
    await allCome();
    const at = wish > 1 ? wish : server.decisions;
    assert.deepEqual([round, reading.at, log.holds(reading.at), reading.status], [round, at, true, "finished"]);
    assert.deepEqual([round, log.fold.head, reading.follow], [round, log.head, false]);
  }
});

/** Whole numbers below `n`, the same ones each time. */
function seeded(seed) {
  let now = seed;
  return (n) => {
    now = (now * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((now / 2_147_483_648) * n);
  };
}
