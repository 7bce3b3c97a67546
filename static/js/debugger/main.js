// The run page's start: read the run and its first state, open the stream, and join the parts. What any part
// may ask of the page as a whole (go to a node, follow the head, say something) is here; the rest is theirs.

import { isGoing, Live, readingWords } from "./live.js";
import { readAddress, writeAddress } from "./address.js";
import { fill, h } from "./dom.js";
import { Evidence } from "./evidence.js";
import { Find } from "./find.js";
import { groupings } from "./groups.js";
import { Inspector } from "./inspector.js";
import { KEYS, listenToKeys } from "./keys.js";
import { Legend } from "./legend.js";
import { Loads } from "./loads.js";
import { Log } from "./log.js";
import { ClusterMap } from "./map.js";
import { MapTable } from "./map-table.js";
import { Palette, PriorityScale } from "./palette.js";
import { siblingsOf } from "./pod-card.js";
import { QueuePanel } from "./queue.js";
import { Reading } from "./reading.js";
import { Rest } from "./rest.js";
import { stopMenu } from "./stop-menu.js";
import { DEFAULT_STOP } from "./stops.js";
import { Stream } from "./stream.js";
import { Timeline } from "./timeline.js";
import { Tooltip } from "./tooltip.js";
import { Transport } from "./transport.js";
import { drawTrust } from "./trust.js";
import { count, plural } from "./units.js";

const CONFLICT = 409;
const root = document.querySelector("#debugger");
const part = (name) => document.querySelector(`[data-part="${name}"]`);

class Page {
  constructor(run, base, rest) {
    this.run = run;
    this.rest = rest;
    this.log = new Log(base, (after, limit) => rest.decisions(after, limit));
    this.fold = this.log.fold;
    this.wanted = readAddress(location.search);
    const { node, pod, tab } = this.wanted;
    this.reading = new Reading({ node, pod, tab, at: base.at, head: base.at, status: run.status, stop: DEFAULT_STOP });
    this.expected = run.decisions;
    this.shown = null;
    this.#join();
    this.#listen();
    this.#stream();
  }

  /** Select a node and bring it into view. */
  pickNode(name) {
    this.reading.set({ node: name });
    const node = this.fold.nodeNames.numbers.get(name);
    if (node !== undefined) this.map.reveal(node);
  }

  /** Select a pod, its siblings, and the node it is on. */
  pickPod(uid) {
    const pod = this.fold.podIndex.get(uid);
    if (pod === undefined) return this.announce("This pod isn't part of the run.");
    this.reading.set({ pod: uid, siblings: siblingsOf(this.fold, pod) });
    if (this.fold.node[pod] >= 0) this.map.reveal(this.fold.node[pod]);
    this.openInspector();
  }

  letGo() {
    const menu = document.querySelector("#debugger details.menu[open], .top details.menu[open]");
    if (menu) {
      menu.open = false;
      menu.querySelector("summary").focus();
      return;
    }
    Object.assign(this.inspector, { band: null, bandRows: null });
    this.reading.set({ node: null, pod: null, siblings: null, lit: null, reprieve: null });
    this.inspector.drawTab();
    root.classList.remove("inspecting");
  }

  follow() {
    this.transport.pause();
    this.reading.set({ at: this.log.head, follow: isGoing(this.reading.status) });
  }

  /** Jump back to where the selected pod, or a copy of it, was last evicted. */
  lastLoss() {
    const { reading, log, fold } = this;
    const pod = reading.pod === null ? undefined : fold.podIndex.get(reading.pod);
    if (pod === undefined) return this.announce("Select a pod first: click its block, or find it with /.");
    const lineage = log.lineage(pod);
    for (let seq = Math.min(reading.at, log.head); seq > log.first; seq--) {
      if (seq === reading.at) continue;
      if (fold.changesOf(seq).some((change) => change.type === "evict" && log.lineage(change.pod) === lineage)) return this.transport.seek(seq);
    }
    this.announce(`${lineage} didn't lose its place before this decision.`);
  }

  toggleTable() {
    this.reading.set({ view: this.reading.view === "map" ? "table" : "map" });
  }

  toggleInspector() {
    root.classList.toggle("inspecting");
  }

  openInspector() {
    root.classList.add("inspecting");
  }

  announce(text) {
    const element = part("announcement");
    element.textContent = text;
    element.classList.add("shown");
    clearTimeout(this.silence);
    this.silence = setTimeout(() => element.classList.remove("shown"), 3500);
  }

  help() {
    const dialog = part("help-dialog");
    fill(dialog.querySelector("dl"), KEYS.map(({ shown, does }) => h("div", {}, h("dt", {}, shown.map((key) => h("kbd", {}, key))), h("dd", {}, does))));
    dialog.showModal();
  }

  #join() {
    const { fold, log, reading, run, rest } = this;
    this.palette = new Palette();
    this.scale = new PriorityScale();
    this.scale.learn(fold.pods);
    this.loads = new Loads(fold);
    this.evidence = new Evidence(rest, reading);
    this.transport = new Transport({ log, reading, say: (text) => this.announce(text) });
    reading.group = groupings(fold.nodes)[0].key;
    reading.resource = this.loads.resources[0];
    const tip = new Tooltip({ element: part("map-tip"), fold, loads: this.loads, log });
    this.map = new ClusterMap({
      canvas: part("map"), fold, log, loads: this.loads, palette: this.palette, scale: this.scale, reading,
      onPick: (hit) => this.#pick(hit),
      onHover: (hit, event) => tip.show(hit, event, this.map.marks.victims),
    });
    this.table = new MapTable({ element: part("table"), fold, loads: this.loads, reading, map: this.map, onNode: (name) => this.pickNode(name) });
    this.queue = new QueuePanel({ element: part("queue"), fold, log, reading, onPod: (uid) => this.pickPod(uid) });
    this.timeline = new Timeline({ canvas: part("timeline"), tip: part("timeline-tip"), log, reading, palette: this.palette, onSeek: (seq) => this.transport.seek(seq) });
    this.inspector = new Inspector(this, part("inspector"));
    this.legend = new Legend({ element: part("legend"), scale: this.scale, reading, map: this.map });
    this.find = new Find({
      input: part("find"), list: part("found"), fold, log,
      onNode: (name) => this.pickNode(name), onPod: (uid) => this.pickPod(uid), onDecision: (seq) => this.transport.seek(seq),
    });
    this.live = new Live({
      state: part("live"), behind: part("behind"), controls: part("worker"), reading, rest, run,
      canOperate: root.dataset.operate === "yes", follow: () => this.follow(), announce: (text) => this.announce(text),
    });
    stopMenu({ element: part("stops"), label: part("stop-label"), reading, transport: this.transport });
    fill(part("node-names"), fold.nodes.slice(0, 5000).map((node) => h("option", { value: node.name })));
  }

  #listen() {
    const { reading, transport } = this;
    listenToKeys(this);
    const buttons = {
      first: () => transport.first(), back: () => transport.step(-1), play: () => transport.toggle(), step: () => transport.step(1),
      last: () => transport.last(), share: () => this.#share(), help: () => this.help(), inspect: () => this.toggleInspector(),
      "zoom-in": () => this.map.viewport.zoom(1.5), "zoom-out": () => this.map.viewport.zoom(1 / 1.5), "zoom-fit": () => this.map.viewport.reset(),
      "as-map": () => reading.set({ view: "map" }), "as-table": () => reading.set({ view: "table" }),
    };
    for (const [name, act] of Object.entries(buttons)) part(name)?.addEventListener("click", act);
    part("speed").addEventListener("change", (event) => reading.set({ speed: Number(event.target.value) }));
    part("at").addEventListener("change", (event) => transport.seek(Number(event.target.value) || 0));
    part("at").addEventListener("keydown", (event) => { if (event.key === "Enter") event.target.blur(); });
    this.#choices();
    reading.when(["at"], () => this.#show());
    reading.when(["head", "at", "playing", "loaded"], () => this.#drawBar());
    reading.when(["at", "node", "pod", "tab", "loaded"], () => this.#writeAddress());
    reading.when(["view"], () => this.#drawView());
    addEventListener("popstate", () => this.#readAddress());
    document.addEventListener("click", (event) => {
      for (const menu of document.querySelectorAll("details.menu[open]")) if (!menu.contains(event.target)) menu.open = false;
    });
    this.#show();
    this.#drawBar();
  }

  #choices() {
    const { reading, loads, fold } = this;
    part("nodes").textContent = plural(fold.nodes.length, "node");
    const fillSelect = (name, options, chosen) => {
      fill(part(name), options.map(([value, words]) => h("option", { value, selected: value === chosen }, words)));
      part(name).addEventListener("change", (event) => reading.set({ [name]: event.target.value }));
    };
    fillSelect("group", groupings(fold.nodes).map(({ key, label }) => [key, label]), reading.group);
    fillSelect("resource", loads.resources.map((name) => [name, name]), reading.resource);
    fillSelect("sort", [["name", "name"], ["load", "load"]], reading.sort);
  }

  #stream() {
    const { reading, log } = this;
    const taken = () => {
      if (!reading.loaded) {
        const target = this.wanted.at ?? (isGoing(reading.status) ? this.expected : log.first + 1);
        if (log.head >= target) this.#arrive(Math.max(log.first, target));
        else if (log.head >= this.expected) this.#arrive(log.head);
      }
      reading.set({ head: log.head });
      if (reading.follow) reading.set({ at: log.head });
    };
    const knownPods = () => this.scale.learn(this.fold.pods);
    this.stream = new Stream(root.dataset.socket, log.head, {
      decisions: (items) => {
        log.take(items);
        knownPods();
        taken();
      },
      hello: (message) => {
        this.expected = message.decisions;
        reading.set({ status: message.status });
        taken();
      },
      status: (message) => reading.set({ status: message.status }),
      end: (message) => {
        this.expected = Math.min(this.expected, log.head);
        reading.set({ status: message.status, follow: false });
        taken();
        this.#readEnding();
      },
      link: (state) => {
        reading.set({ link: state });
        if (state === "signed-out") this.announce("You are signed out. Sign in again to go on reading.");
        else if (state === "not-found") this.announce("This run is no longer there.");
      },
    });
    this.stream.open();
  }

  /** The run has ended while the page was open: how, the run itself says. */
  async #readEnding() {
    if (!isGoing(this.run.status)) return;
    this.run = facts(await this.rest.run());
    drawTrust(this.inspector.trust, this.run);
  }

  /** The log is there up to where the reader wants to be: a decision of the address, the head of a live run,
   * the first decision of a finished one. */
  #arrive(at) {
    this.reading.set({ loaded: true, head: this.log.head, at, follow: isGoing(this.reading.status) && this.wanted.at === null });
    if (this.reading.pod) {
      const pod = this.fold.podIndex.get(this.reading.pod);
      if (pod !== undefined) this.reading.set({ siblings: siblingsOf(this.fold, pod) });
    }
  }

  #show() {
    const { reading, fold, log } = this;
    const { at } = reading;
    const forwards = at === fold.at + 1;
    fold.moveTo(Math.min(at, log.head));
    if (reading.lit || reading.reprieve) reading.set({ lit: null, reprieve: null });
    const event = at > log.first ? log.event(at) : "start";
    this.map.show(event === "start" ? null : event, forwards);
    this.table.draw();
    this.queue.draw();
    this.legend.draw();
    if (event) this.inspector.show(event);
    else this.#fetch(at);
    this.#totals();
  }

  #fetch(at) {
    this.log.fetch(at).then((event) => {
      if (this.reading.at !== at || !event) return;
      this.map.show(event, false);
      this.inspector.show(event);
    }).catch((problem) => this.announce(problem.message));
  }

  #totals() {
    const { log, fold } = this;
    const at = fold.at;
    const so = (column) => (at > log.first ? column.get(at) : 0);
    part("totals").textContent = `placed ${count(so(log.placedSoFar))} · evicted ${count(so(log.evictedSoFar))} · pending ${count(fold.waiting.size)}`;
  }

  #drawBar() {
    const { reading, log } = this;
    const input = part("at");
    if (document.activeElement !== input) input.value = reading.at;
    input.max = log.head;
    input.style.width = `${String(reading.at).length + 1.6}ch`;
    if (reading.loaded) root.dataset.loaded = "yes";
    part("of").textContent = readingWords(reading, this.expected);
    const play = part("play");
    play.setAttribute("aria-pressed", String(reading.playing));
    play.querySelector("[data-word]").textContent = reading.playing ? "Pause" : "Play";
    play.classList.toggle("playing", reading.playing);
    for (const name of ["first", "back"]) part(name).disabled = reading.at <= log.first;
    for (const name of ["step", "last"]) part(name).disabled = reading.at >= log.head;
  }

  #drawView() {
    const isTable = this.reading.view === "table";
    part("table").hidden = !isTable;
    part("map-frame").hidden = isTable;
    part("as-map").setAttribute("aria-pressed", String(!isTable));
    part("as-table").setAttribute("aria-pressed", String(isTable));
    if (!isTable) this.map.arrange();
  }

  #writeAddress() {
    if (!this.reading.loaded) return;
    clearTimeout(this.writing);
    this.writing = setTimeout(() => history.replaceState(null, "", writeAddress(this.reading)), 120);
  }

  #readAddress() {
    const { at, node, pod, tab } = readAddress(location.search);
    this.reading.set({ node, pod, tab });
    if (at !== null) this.transport.seek(at);
  }

  /** The address of what the reader sees now. */
  link() {
    return new URL(writeAddress(this.reading), location.href).href;
  }

  #share() {
    const link = this.link();
    navigator.clipboard?.writeText(link).then(() => this.announce("The link to this decision is copied."), () => this.announce(link)) ?? this.announce(link);
  }

  #pick({ node, pod }) {
    if (node === null) return this.reading.set({ node: null, pod: null, siblings: null });
    this.reading.set({ node: this.fold.nodes[node].name });
    if (pod !== null && this.fold.present[pod]) this.pickPod(this.fold.pods[pod].uid);
    else this.reading.set({ pod: null, siblings: null });
    this.openInspector();
  }
}

async function start() {
  const rest = new Rest(root.dataset.api);
  try {
    const run = facts(await rest.run());
    const base = await begun(rest);
    root.classList.add("ready");
    window.sandtable = new Page(run, base, rest);
  } catch (problem) {
    part("inspector").replaceChildren(h("p", { class: "notice error" }, `The run can't be shown: ${problem.message}`));
    console.error(problem);
  }
}

/** The run with what the page was served with: the snapshot's hash and age. */
function facts(run) {
  const { hash, taken } = root.dataset;
  return { ...run, profile: run.scheduler?.profile ?? run.profile, snapshot: { name: run.snapshot_name, content_hash: hash, taken_at: taken || null } };
}

/** The first state, as soon as a worker has made it. */
async function begun(rest) {
  for (;;) {
    try {
      return await rest.state(0);
    } catch (problem) {
      if (problem.status !== CONFLICT || !isGoing((await rest.run()).status)) throw problem;
      fill(part("inspector"), h("p", { class: "muted" }, "Waiting for a worker to begin the run…"));
      await new Promise((resolve) => setTimeout(resolve, 700));
    }
  }
}

start();
