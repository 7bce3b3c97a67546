// The page as a whole: joins its parts, shows the reader's decision in each of them, and does what concerns more
// than one: selecting a node or a pod, letting go, following the head, sharing, saying something.

import { Figures } from "../kinds/figures.js";
import { kindOf } from "../kinds/registry.js";
import { stopFilters, stopTests } from "../kinds/stops.js";
import { readAddress, writeAddress } from "./address.js";
import { Bar } from "./controls/bar.js";
import { clockAt } from "./time/clock-axis.js";
import { clockEndOf } from "./time/clock-end.js";
import { fill, h } from "./drawing/dom.js";
import { Evidence } from "./inspector/evidence.js";
import { Find } from "./search/find.js";
import { Following } from "./live/following.js";
import { groupings } from "./map/groups.js";
import { Inspector } from "./inspector/inspector.js";
import { KEYS, listenToKeys } from "./controls/keys.js";
import { Legend } from "./map/legend.js";
import { isGoing, Live } from "./live/live.js";
import { Loads } from "./map/loads.js";
import { Log } from "./log/log.js";
import { ClusterMap } from "./map/map.js";
import { MapTable } from "./map/map-table.js";
import { drawNamesLine } from "./names/names-line.js";
import { NodeNames } from "./names/node-names.js";
import { keyOf } from "./inspector/object-key.js";
import { Palette, PriorityScale } from "./map/palette.js";
import { part, root } from "./parts.js";
import { siblingsOf } from "./pod/pod-card.js";
import { QueuePanel } from "./queue/queue.js";
import { Reading } from "./reading.js";
import { DEFAULT_STOP } from "./controls/stops.js";
import { Series } from "./time/series.js";
import { Timeline } from "./time/timeline.js";
import { Tooltip } from "./map/tooltip.js";
import { Transport } from "./controls/transport.js";
import { count, plural } from "./words/units.js";
import { Verdicts } from "./map/verdicts.js";
import { hasOthers } from "../schedulers/facts.js";
import { viewsOf } from "../schedulers/views.js";
import "../presses.js";

const SAID_FOR = 3500,
  ADDRESS_AFTER = 120;

export class Page {
  /** @type {import("./rest.js").Rest} */
  rest;
  /** @type {import("./words/scheduler.js").Scheduler} */
  scheduler;

  /** `scheduler`: the run's, in its own words; `base`: the run's first state. */
  constructor({ run, base, rest, scheduler }) {
    Object.assign(this, { run, rest, scheduler });
    this.log = new Log(base, (after, limit) => rest.decisions(after, limit));
    this.figures = new Figures(this.log);
    this.fold = this.log.fold;
    this.series = this.fold.hasClock ? new Series(this.log) : null;
    const { at, time, node, pod, pinned, tab, card, mix } = readAddress(location.search);
    const stands = { at: base.at, first: base.at, head: base.at, end: run.decisions, status: run.status, rate: run.rate, stop: DEFAULT_STOP };
    this.reading = new Reading({ time, node, pod, pinned, tab, card, mix, ...stands });
    this.wantedTime = time;
    this.#join();
    this.#listen();
    this.#show();
    this.following = new Following(this, at, time);
  }

  /** Whether decisions are still read that come before the one where the page opens: what it holds isn't what was asked for. */
  get isOpening() {
    return !this.reading.loaded && this.expected > this.log.start;
  }

  /** How many decisions there will be, as far as that is known. */
  get expected() {
    return this.following?.expected ?? this.run.decisions;
  }

  /** The run has ended while the page was open, as REST gives it now. */
  ended(run) {
    this.run = run;
    this.inspector.ended(run);
    this.bar.draw();
    this.timeline.ended();
  }

  /** Select a node and bring it into view. */
  pickNode(name) {
    this.reading.set({ node: name });
    const node = this.fold.nodeIndex.get(name);
    if (node !== undefined) this.map.reveal(node);
  }

  /** Select a pod, its siblings, and the node it is on. */
  pickPod(uid) {
    const pod = this.fold.podIndex.get(uid);
    if (pod === undefined) return this.announce("This pod isn't part of the run.");
    this.reading.set({ pod: uid, siblings: siblingsOf(this.fold, pod) });
    const node = this.fold.nodeOf(pod);
    if (node >= 0) this.map.reveal(node);
    this.openInspector();
  }

  letGo() {
    const menu = document.querySelector("#debugger details.menu[open], .top details.menu[open]");
    if (menu) {
      menu.open = false;
      menu.querySelector("summary").focus();
      return;
    }
    this.reading.set({ node: null, pod: null, siblings: null, lit: null, reprieve: null, card: null });
    this.inspector.letGo();
    root.classList.remove("inspecting");
  }

  follow() {
    const { log, reading, transport } = this;
    transport.pause();
    // A run may have ended while its last decisions are still on their way.
    const { expected, inParts } = this.following;
    const follow = isGoing(reading.status) || (!inParts && log.head < expected);
    if (log.holds(log.end)) reading.set({ at: log.end, follow });
    else this.following.beginAt(log.end, { follow });
  }

  /** Hold what follows on another state of the run (window.js). */
  begin(base) {
    this.log.begin(base);
    this.figures.begin();
    this.series?.begin();
    this.timeline.begin();
  }

  /** Jump back to where the selected pod, or a copy of it, was last evicted. */
  lastLoss() {
    const { reading, log, fold } = this;
    const pod = reading.pod === null ? undefined : fold.podIndex.get(reading.pod);
    if (pod === undefined) return this.announce("Select a pod first: click its block, or find it with /.");
    const seq = log.lastEviction(pod, reading.at);
    if (seq) return this.transport.seek(seq);
    const { namespace, name } = fold.pods[log.root(pod)];
    const since = log.isFromStart ? "" : `from decision ${count(log.first + 1)} on, and `;
    this.announce(`${namespace}/${name} didn't lose its place ${since}before this decision.`);
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
    this.silence = setTimeout(() => element.classList.remove("shown"), SAID_FOR);
  }

  help() {
    const dialog = part("help-dialog");
    const keysOf = (shown) => shown.map((key) => h("kbd", {}, key));
    const rows = KEYS.map(({ shown, does }) => h("div", {}, h("dt", {}, keysOf(shown)), h("dd", {}, does)));
    fill(dialog.querySelector("dl"), rows);
    dialog.showModal();
  }

  /** The address of what the reader sees now. */
  link() {
    return new URL(this.#query(), location.href).href;
  }

  async share() {
    const link = this.link();
    try {
      await navigator.clipboard.writeText(link);
      this.announce("The link to this decision is copied.");
    } catch {
      this.announce(link);
    }
  }

  #join() {
    const { figures, fold, log, reading, scheduler } = this;
    this.palette = new Palette();
    this.scale = new PriorityScale();
    this.scale.learn(fold.pods);
    this.loads = new Loads(fold);
    this.evidence = new Evidence(this.rest, reading);
    this.names = new NodeNames(
      fold.nodes.map(({ name }) => name),
      reading,
    );
    const { names } = this;
    drawNamesLine(part("names-line"), names, reading);
    this.transport = new Transport({
      log,
      reading,
      say: (text) => this.announce(text),
      stopTest: stopTests(figures),
      isEvent: (seq) => kindOf(figures.endingOf(seq)).isEvent,
      beginAt: (at, how) => this.following.beginAt(at, how),
      askForStop: (by, seq) => this.#askForStop(by, seq),
      sessions: figures.sessions,
    });
    reading.group = groupings(fold.nodes)[0].key;
    reading.resource = this.loads.resources[0];
    const tip = new Tooltip({ element: part("map-tip"), fold, loads: this.loads, log, cards: () => this.map.cards });
    this.map = new ClusterMap({
      canvas: part("map"),
      fold,
      log,
      loads: this.loads,
      names,
      palette: this.palette,
      scale: this.scale,
      reading,
      onPick: (hit) => this.#pick(hit),
      onHover: (hit, event) => tip.show(hit, event, this.map.marks),
    });
    this.table = new MapTable({
      element: part("table"),
      fold,
      loads: this.loads,
      names,
      reading,
      scheduler,
      map: this.map,
      onNode: (name) => this.pickNode(name),
    });
    const { evidence, map } = this;
    this.verdicts = new Verdicts({ fold, map, scheduler, evidence, changed: () => this.table.draw() });
    this.views = viewsOf(this, part("queue"));
    this.queue = new QueuePanel({
      element: this.views.below ?? part("queue"),
      fold,
      log,
      names,
      notModelled: this.run.trust?.not_modelled ?? [],
      reading,
      scheduler,
      onPod: (uid) => this.pickPod(uid),
    });
    this.timeline = new Timeline({
      element: part("time"),
      frame: root,
      log,
      figures,
      series: this.series,
      clockEnd: () => clockEndOf(this.run),
      inParts: () => this.following?.inParts ?? false,
      expected: () => this.expected,
      reading,
      scheduler,
      names,
      palette: this.palette,
      onSeek: (seq, time) => this.transport.seek(seq, { time }),
    });
    this.#joinInspector();
    this.legend = new Legend({
      element: part("legend"),
      scale: this.scale,
      reading,
      maps: [this.map],
      hasClock: fold.hasClock,
      hasQueues: !this.views.below || hasOthers(fold),
      colours: this.views.colours,
      cards: this.views.cards,
      isHeld: scheduler.nomination.is_held,
      hasGrace: scheduler.playing.has_grace,
    });
    this.find = new Find({
      input: part("find"),
      list: part("found"),
      fold,
      log,
      names,
      onNode: (name) => this.pickNode(name),
      onPod: (uid) => this.pickPod(uid),
      onCard: (key) => {
        this.reading.set({ card: key });
        this.openInspector();
      },
      onJob: (name) => location.assign(`/runs/${this.run.id}/jobs/${name.split("/").map(encodeURIComponent).join("/")}/`),
      onDecision: (seq) => this.transport.seek(seq),
    });
    this.live = new Live({
      state: part("live"),
      behind: part("behind"),
      controls: part("worker"),
      reading,
      rest: this.rest,
      canOperate: root.dataset.operate === "yes",
      follow: () => this.follow(),
      announce: (text) => this.announce(text),
    });
    this.bar = new Bar({
      reading,
      log,
      loads: this.loads,
      names,
      figures,
      transport: this.transport,
      map: this.map,
      expected: () => this.expected,
      clockEnd: () => clockEndOf(this.run),
      inParts: () => this.following?.inParts ?? false,
      isOpening: () => this.isOpening,
      share: () => this.share(),
      help: () => this.help(),
      toggleInspector: () => this.toggleInspector(),
    });
  }

  #joinInspector() {
    const { run, log, figures, names, reading, scale, scheduler, evidence } = this;
    this.inspector = new Inspector({
      element: part("inspector"),
      answer: part("answer"),
      isOpening: () => this.isOpening,
      expected: () => this.expected,
      wantedTime: this.wantedTime,
      ...{ run, log, figures, names, reading, scale, scheduler, evidence },
      addressOf: (seq) => this.rest.decisionAddress(seq),
      linkOf: () => this.link(),
      onNode: (name) => this.pickNode(name),
      onPod: (uid) => this.pickPod(uid),
      onReveal: (node) => this.map.reveal(node),
      onSeek: (seq) => this.transport.seek(seq),
      onLoss: () => this.lastLoss(),
      onOpen: () => this.openInspector(),
      announce: (text) => this.announce(text),
    });
    this.views.joinInspector(this.inspector);
  }

  #listen() {
    const { reading } = this;
    listenToKeys(this);
    reading.when(["at", "loaded", "first"], () => this.#show());
    reading.when(["head"], () => this.log.gatedLater().size && this.#tellWhoWaits());
    reading.when(["head", "end", "status"], () => !reading.loaded && this.inspector.show("start"));
    reading.when(["at", "time", "node", "pod", "pinned", "tab", "card", "mix", "loaded"], () => this.#writeAddress());
    addEventListener("popstate", () => this.#readAddress());
    document.addEventListener("click", (event) => {
      for (const menu of document.querySelectorAll("details.menu[open]")) {
        if (!menu.contains(event.target)) menu.open = false;
      }
    });
  }

  #show() {
    const { reading, fold, log } = this;
    const { at } = reading;
    const forwards = at === fold.at + 1;
    fold.moveTo(Math.min(at, log.head));
    if (reading.lit || reading.reprieve) reading.set({ lit: null, reprieve: null });
    const event = at > log.first ? log.event(at) : "start";
    this.map.show(event === "start" ? null : event, forwards);
    this.verdicts.show(event === "start" ? null : event);
    this.#tellWhoWaits();
    this.views.show(event === "start" ? null : event);
    this.legend.draw();
    if (event) this.inspector.show(event);
    else this.#fetch(at);
  }

  #tellWhoWaits() {
    this.queue.draw();
    this.#totals();
  }

  #fetch(at) {
    this.log
      .fetch(at)
      .then((event) => {
        if (this.reading.at !== at || !event) return;
        this.map.show(event, false);
        this.verdicts.show(event);
        this.views.show(event);
        this.legend.draw();
        this.inspector.show(event);
      })
      .catch((problem) => this.announce(problem.message));
  }

  #totals() {
    const { log, fold } = this;
    const at = fold.at;
    const so = (column) => (at > log.first ? column.get(at) : 0);
    const since = log.isFromStart ? "" : ` since decision ${count(log.first)}`;
    const totals = [
      ["placed", so(log.placedSoFar), since],
      ["evicted", so(log.evictedSoFar), since],
      ["pending", log.pending, ""],
    ];
    const deleted = so(log.deletedSoFar);
    if (deleted) totals.splice(2, 0, ["deleted by controllers", deleted, since]);
    const { unserved } = fold;
    if (unserved) totals.push(["without a scheduler", unserved, ""]);
    part("nodes").textContent = plural(fold.presentNodes().length, "node");
    part("totals").textContent = totals.map(([word, number, since]) => `${word} ${count(number)}${since}`).join(" · ");
  }

  /** The nearest stop from a decision on, as the server's index has it; undefined where the index doesn't know. */
  async #askForStop(by, seq) {
    const filters = stopFilters(this.reading.stop);
    if (!filters) return undefined;
    try {
      const found = await Promise.all(filters.map((filter) => this.rest.stop(by, seq, filter)));
      const numbers = found.filter((one) => one !== null);
      return numbers.length ? (by > 0 ? Math.min : Math.max)(...numbers) : null;
    } catch {
      return undefined;
    }
  }

  #query() {
    return writeAddress({ ...this.reading, time: clockAt(this.fold, this.reading) });
  }

  #writeAddress() {
    if (!this.reading.loaded) return;
    clearTimeout(this.writing);
    const write = () => history.replaceState(null, "", this.#query());
    this.writing = setTimeout(write, ADDRESS_AFTER);
  }

  #readAddress() {
    const { at, time, node, pod, pinned, tab, card, mix } = readAddress(location.search);
    this.reading.set({ node, pod, pinned, tab, card, mix });
    if (at !== null) this.transport.seek(at, { time });
  }

  #pick({ node, pod, card }) {
    if (node === null) return this.reading.set({ node: null, pod: null, siblings: null });
    this.reading.set({ node: this.fold.nodes[node].name, ...(card && { card: keyOf("card", card) }) });
    if (pod !== null && this.fold.hasPod(pod)) this.pickPod(this.fold.pods[pod].uid);
    else this.reading.set({ pod: null, siblings: null });
    this.openInspector();
  }
}
