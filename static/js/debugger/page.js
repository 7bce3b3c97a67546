// The page as a whole: makes its parts. Each declares what it reads (reading.js), and is drawn by that alone.

import { Figures } from "../decisions/figures.js";
import { kindOf } from "../decisions/registry.js";
import { stopAsker, stopTests } from "../decisions/stops.js";
import { hasOthers, resourcesToShow } from "../schedulers/facts.js";
import { viewsOf } from "../schedulers/views.js";
import { readAddress } from "./address.js";
import { AddressLine } from "./controls/address-line.js";
import { Bar } from "./controls/bar.js";
import { KEYS, listenToKeys } from "./controls/keys.js";
import { closeMenu, closeMenusByPress, showKeys } from "./controls/menus.js";
import { DEFAULT_STOP } from "./controls/stops.js";
import { drawTotals } from "./controls/totals.js";
import { Transport } from "./controls/transport.js";
import { Evidence } from "./inspector/evidence.js";
import { Inspector } from "./inspector/inspector.js";
import { Following } from "./live/following.js";
import { Live } from "./live/live.js";
import { Log } from "./log/log.js";
import { Standing } from "./log/standing.js";
import { isHeldInParts } from "./log/window.js";
import { tierGroupings } from "../hyper-nodes.js";
import { groupings } from "./map/groups.js";
import { Legend } from "./map/legend.js";
import { Loads } from "./map/loads.js";
import { ClusterMap } from "./map/map.js";
import { MapTable } from "./map/map-table.js";
import { Overview } from "./map/overview.js";
import { Palette, PriorityScale } from "./map/palette.js";
import { choicesOf, shownAs } from "./map/shown.js";
import { Tooltip } from "./map/tooltip.js";
import { Verdicts } from "./map/verdicts.js";
import { WhyNot } from "./map/why-not.js";
import { drawNamesLine } from "./names/names-line.js";
import { NodeNames } from "./names/node-names.js";
import { announce, part, root } from "./parts.js";
import { QueuePanel } from "./queue/queue.js";
import { Reading } from "./reading.js";
import { Find } from "./search/find.js";
import { Selection } from "./selection.js";
import { Series } from "./time/series.js";
import { Timeline } from "./time/timeline.js";
import { turn } from "../turns.js";
import "../presses.js";

export class Page {
  /** @type {Figures} */
  figures;
  /** @type {import("../cluster.js").Cluster} */
  fold;
  /** @type {Loads} */
  loads;
  /** @type {Log} */
  log;
  /** @type {NodeNames} */
  names;
  /** @type {Reading} */
  reading;
  /** @type {import("./rest.js").Rest} */
  rest;
  /** @type {import("./words/scheduler.js").Scheduler} */
  scheduler;

  /**
   * The page of a run; a large cluster is taken in by turns. `scheduler`: the run's, in its own words; `base`: the run's first state.
   */
  static async open({ run, base, rest, scheduler }) {
    const asked = readAddress(location.search);
    await turn();
    const known = await knownOf(run, base, rest, asked);
    await turn();
    await known.loads.sumUp();
    const page = new Page({ rest, scheduler, ...known });
    await page.#join(asked);
    page.#begin(asked);
    return page;
  }

  /** `known`: {rest, scheduler} and what knownOf says. */
  constructor(known) {
    Object.assign(this, known);
  }

  /** Make the parts by turns; nothing is drawn meanwhile. `asked`: of the address. */
  async #join(asked) {
    this.reading.hold();
    this.#joinMovers();
    this.#joinMap(asked.zoom);
    await turn();
    this.views = viewsOf(this, part("queue"));
    this.#joinPanels(asked.time);
    await turn();
    this.#joinControls();
    await turn();
  }

  #begin(asked) {
    this.reading.begin();
    this.following = new Following({ ...this, say: announce }, asked.at, asked.time);
    listenToKeys(this);
  }

  /** What moves the reader, and has what stands there. */
  #joinMovers() {
    const { figures, log, reading, rest } = this;
    this.standing = new Standing({ log, reading, announce });
    this.evidence = new Evidence(rest, reading);
    this.transport = new Transport({
      ...{ log, reading, say: announce, sessions: figures.sessions },
      stopTest: stopTests(figures),
      isEvent: (seq) => kindOf(figures.endingOf(seq)).isEvent,
      beginAt: (at, how) => this.following.beginAt(at, how),
      askForStop: stopAsker(rest, reading),
    });
    this.selection = new Selection({ ...this, reveal: (node) => this.map.reveal(node) });
    this.address = new AddressLine(this);
    this.onNode = (name) => this.selection.node(name);
    this.onPod = (uid) => this.selection.pod(uid);
    this.onSeek = (seq, time = null) => this.transport.seek(seq, { time });
  }

  /** `zoom`: how far the map was asked to be zoomed in. */
  #joinMap(zoom) {
    const { selection } = this;
    const tip = new Tooltip({ ...this, element: part("map-tip"), cards: () => this.map.cards, whyNot: () => this.map.whyNot });
    const onHover = (hit, event) => tip.show(hit, event, this.map.marks);
    this.map = new ClusterMap({ ...this, canvas: part("map"), onPick: (hit) => selection.hit(hit), onHover });
    this.map.viewport.goTo(zoom);
    this.address.join(this.map);
    this.overview = new Overview({ ...this, element: part("overview") });
    this.table = new MapTable({ ...this, element: part("table") });
    this.verdicts = new Verdicts(this);
    this.whyNot = new WhyNot(this);
  }

  /** `time`: at which clock the page was asked to open. */
  #joinPanels(time) {
    const { address, rest, scheduler, selection, views, reading } = this;
    this.queue = new QueuePanel({ ...this, element: views.below ?? part("queue"), notModelled: reading.run.trust?.not_modelled ?? [] });
    this.timeline = new Timeline({ ...this, element: part("time"), frame: root });
    this.inspector = new Inspector({
      ...this,
      element: part("inspector"),
      answer: part("answer"),
      wantedTime: time,
      addressOf: (seq) => rest.decisionAddress(seq),
      linkOf: () => address.link,
      onReveal: (node) => this.map.reveal(node),
      onLoss: () => selection.lastLoss(),
    });
    views.joinInspector(this.inspector);
    this.legend = new Legend({
      ...this,
      element: part("legend"),
      maps: [this.map],
      hasClock: this.fold.hasClock,
      hasQueues: !views.below || hasOthers(this.fold),
      colours: views.colours,
      cards: views.cards,
      isHeld: scheduler.nomination.is_held,
      hasGrace: scheduler.playing.has_grace,
    });
    drawNamesLine(part("names-line"), this.names, reading);
    drawTotals(this);
  }

  #joinControls() {
    const { address, selection, transport } = this;
    this.find = new Find({
      ...this,
      input: part("find"),
      list: part("found"),
      onCard: (key) => selection.card(key),
      onJob: (name) => location.assign(`/runs/${this.reading.run.id}/jobs/${name.split("/").map(encodeURIComponent).join("/")}/`),
      onDecision: (seq) => transport.seek(seq),
    });
    this.live = new Live({
      ...this,
      state: part("live"),
      behind: part("behind"),
      controls: part("worker"),
      canOperate: root.dataset.operate === "yes",
      follow: () => this.following.follow(),
      announce,
    });
    this.bar = new Bar({ ...this, share: () => address.share(), help: () => this.help() });
    closeMenusByPress();
  }

  help() {
    showKeys(KEYS);
  }

  letGo() {
    if (closeMenu()) return;
    this.selection.letGo();
    this.inspector.letGo();
  }

  toggleTable() {
    this.reading.set({ view: this.reading.view === "map" ? "table" : "map" });
  }
}

/** What is known of the run, for its parts; `asked`: of the address. */
async function knownOf(run, base, rest, asked) {
  const log = new Log(base, (after, limit) => rest.decisions(after, limit));
  await turn();
  const { fold } = log;
  const loads = new Loads(fold);
  const groups = [...tierGroupings(fold), ...groupings(fold.nodes)];
  await turn();
  const { time, node, pod, pinned, tab, card, mix } = asked;
  const { decisions: expected, status, rate } = run;
  const choices = choicesOf(groups, resourcesToShow(fold, loads.resources));
  const reading = new Reading({
    ...{ time, node, pod, pinned, tab, card, mix, run, status, rate, expected },
    ...{ at: base.at, head: base.at, end: expected, inParts: isHeldInParts(fold, expected) },
    ...shownAs(asked, choices),
    stop: DEFAULT_STOP,
  });
  const scale = new PriorityScale();
  scale.learn(fold.pods);
  const names = new NodeNames(fold.nodes.map(({ name }) => name), reading);
  const series = fold.hasClock ? await Series.opened(log) : null;
  return { log, fold, loads, reading, groups, choices, scale, names, series, figures: new Figures(log), palette: new Palette() };
}
