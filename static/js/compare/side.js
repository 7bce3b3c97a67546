// One of the two runs: its log as it streams in, its map, and in words what it does at the reader's decision.

import { fill, h } from "../drawing/dom.js";
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
    /** As the debugger's (standing.js), at this run's end if that comes before the reader's decision. */
    this.standing = { event: null, isStepOn: false };
    reading.derive([this, "at", "loaded"], () => this.#move());
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
      standing: this.standing,
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
    const { map, facts, standing } = this;
    this.verdicts = new Verdicts({ fold, map, reading, standing, scheduler: facts.scheduler, evidence: null });
    reading.when(["view"], () => this.#drawView());
    reading.when([this, standing, "at", "loaded", "wholeNames"], (changed) => this.#draw(changed));
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

  /** Read the log as it comes, and tell of each part of it; `changed()` after that, `lost(text)` when nothing more can come. */
  follow(advance, lost) {
    const changed = () => {
      this.reading.tell(this);
      advance();
    };
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

  /** Stand at the reader's decision, or at the run's end if that comes before. */
  #move() {
    const { fold, log, reading } = this;
    const stands = standing(reading.at, log.head, this.isGoing || !this.isRead);
    const isStepOn = stands.at === fold.at + 1;
    const isSame = stands.at === this.stands?.at;
    fold.moveTo(stands.at);
    this.stands = stands;
    if (isSame) return;
    const event = stands.at > log.first ? log.event(stands.at) : null;
    this.#stand({ event, isStepOn });
    if (!event && stands.at > log.first) this.#fetch(stands.at);
  }

  #stand(values) {
    Object.assign(this.standing, values);
    this.reading.tell(this.standing);
  }

  #fetch(at) {
    this.log
      .fetch(at)
      .then((event) => event && this.fold.at === at && this.#stand({ event, isStepOn: false }))
      .catch((problem) => fill(this.part("now"), h("p", { class: "error-text" }, problem.message)));
  }

  #draw(changed) {
    this.#say(this.stands);
    const { event } = this.standing;
    if (!event || changed.has(this.standing) || changed.has("wholeNames")) this.#drawNow(event);
  }

  #drawNow(event) {
    const now = this.part("now");
    if (!event && this.fold.at === this.log.first)
      return fill(now, h("p", { class: "muted" }, beforeWords(this.stands.coming && !this.isRead)));
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
  }
}

/** A run, its scheduler in its own words, and its first state: {run, words, base}. */
export async function readRun(rest) {
  const [run, words, base] = await Promise.all([rest.run(), rest.scheduler(), rest.state(0)]);
  return { run, words, base };
}
