// One of the two runs: its log as it streams in, its map, and in words what it does at the reader's decision.

import { fill, h } from "../debugger/drawing/dom.js";
import { isGoing } from "../debugger/live/live.js";
import { Loads } from "../debugger/map/loads.js";
import { Log } from "../debugger/log/log.js";
import { ClusterMap } from "../debugger/map/map.js";
import { MapTable } from "../debugger/map/map-table.js";
import { pastOf } from "../debugger/inspector/past.js";
import { Scheduler } from "../debugger/words/scheduler.js";
import { Stream } from "../debugger/live/stream.js";
import { Tooltip } from "../debugger/map/tooltip.js";
import { clock, count } from "../debugger/words/units.js";
import { Verdicts } from "../debugger/map/verdicts.js";
import { beforeWords, standing } from "./pair.js";
import { decisionWords } from "./words.js";

export class Side {
  element;
  expected;
  /** @type {import("../debugger/reading.js").Reading} */
  reading;

  /** `run` as REST gives it, its scheduler's words and its first state; `shared`: {names, reading, palette, scale, tip} of the page. */
  constructor(element, rest, { run, words, base }, { names, reading, palette, scale, tip }) {
    Object.assign(this, { element, rest, reading });
    this.status = run.status;
    this.facts = { seed: run.seed, scheduler: new Scheduler(words), names };
    this.log = new Log(base, (after, limit) => rest.decisions(after, limit));
    this.fold = this.log.fold;
    this.loads = new Loads(this.fold);
    this.scale = scale;
    scale.learn(this.fold.pods);
    const { fold, log, loads } = this;
    const tooltip = new Tooltip({ element: tip, fold, loads, log });
    this.map = new ClusterMap({
      canvas: this.part("map"),
      fold,
      log,
      loads,
      names,
      palette,
      scale,
      reading,
      onPick: (hit) => this.#pick(hit),
      onHover: (hit, event) => tooltip.show(hit, event, this.map.marks),
    });
    this.table = new MapTable({
      element: this.part("table"),
      fold,
      loads,
      names,
      reading,
      scheduler: this.facts.scheduler,
      map: this.map,
      onNode: (name) => this.reading.set({ node: name }),
    });
    const { map, facts } = this;
    const changed = () => this.table.draw();
    this.verdicts = new Verdicts({ fold, map, scheduler: facts.scheduler, evidence: null, changed });
    reading.when(["view"], () => this.#drawView());
    reading.when(["wholeNames"], () => this.#drawNow(this.event));
  }

  part(name) {
    return this.element.querySelector(`[data-part="${name}"]`);
  }

  get isGoing() {
    return isGoing(this.status);
  }

  /** Whether all of the log that there was when the page was opened is here. */
  get isRead() {
    return this.expected !== undefined && this.log.head >= this.expected;
  }

  /** Read the log as it comes; `changed()` after each part of it, `lost(text)` when nothing more can come. */
  follow(changed, lost) {
    this.stream = new Stream(this.element.dataset.socket, this.log.head, {
      decisions: (items) => {
        const [pods, nodes] = [this.fold.pods.length, this.fold.nodes.length];
        this.log.take(items);
        this.scale.learn(this.fold.pods, pods);
        this.facts.names.learn(this.fold.nodes.slice(nodes).map(({ name }) => name));
        changed();
      },
      hello: ({ decisions, status }) => {
        Object.assign(this, { expected: decisions, status });
        changed();
      },
      status: ({ status }) => {
        this.status = status;
        changed();
      },
      end: ({ status }) => {
        Object.assign(this, { status, expected: this.log.head });
        changed();
      },
      link: (state) => {
        if (state === "signed-out") lost("You are signed out. Sign in again to go on reading.");
        else if (state === "not-found") lost("This run is no longer there.");
      },
    });
    this.stream.open();
  }

  /** Show the state at a decision, or at the run's end if that comes before. */
  show(at) {
    const { fold, log } = this;
    const stands = standing(at, log.head, this.isGoing || !this.isRead);
    const forwards = stands.at === fold.at + 1;
    const same = stands.at === fold.at && this.shown !== undefined;
    fold.moveTo(stands.at);
    this.#say(stands);
    this.awaits = stands.coming && !this.isRead;
    if (same && this.shown === stands.at) return this.event ? undefined : this.#drawNow(null);
    this.shown = stands.at;
    const event = stands.at > log.first ? log.event(stands.at) : null;
    this.#draw(event, forwards);
    if (!event && stands.at > log.first) this.#fetch(stands.at);
  }

  #fetch(at) {
    this.log
      .fetch(at)
      .then((event) => event && this.fold.at === at && this.#draw(event, false))
      .catch((problem) => fill(this.part("now"), h("p", { class: "error-text" }, problem.message)));
  }

  #draw(event, forwards) {
    this.event = event;
    this.map.show(event, forwards);
    this.verdicts.show(event);
    this.#drawNow(event);
  }

  #drawNow(event) {
    const now = this.part("now");
    if (!event && this.fold.at === this.log.first)
      return fill(now, h("p", { class: "muted" }, beforeWords(this.awaits)));
    if (!event) return;
    const past = pastOf(this.log, event, this.facts.scheduler);
    fill(now, decisionWords(event, { ...this.facts, ...past }));
  }

  #say({ at, ended, coming }) {
    const { log, element } = this;
    const words = `after decision ${count(at)} of ${count(Math.max(log.head, this.expected ?? 0))}`;
    const note = ended ? "; the run has ended" : coming ? "; the next has not come yet" : "";
    element.classList.toggle("at-end", ended);
    const time = this.fold.timeOf(at);
    const link = `${element.dataset.debugger}?at=${at}${time === null ? "" : `&t=${time / 1000}`}`;
    const instant = time === null ? "" : `${clock(time)} · `;
    fill(this.part("where"), instant, h("a", { href: link, title: "in the debugger" }, words), note);
  }

  #pick({ node, pod }) {
    if (node === null) return this.reading.set({ node: null, pod: null });
    const uid = pod !== null && this.fold.hasPod(pod) ? this.fold.pods[pod].uid : null;
    this.reading.set({ node: this.fold.nodes[node].name, pod: uid });
  }

  #drawView() {
    const isTable = this.reading.view === "table";
    this.part("table").hidden = !isTable;
    this.part("map-frame").hidden = isTable;
    if (isTable) this.table.draw();
    else this.map.arrange();
  }
}

/** A run, its scheduler in its own words, and its first state: {run, words, base}. */
export async function readRun(rest) {
  const [run, words, base] = await Promise.all([rest.run(), rest.scheduler(), rest.state(0)]);
  return { run, words, base };
}
