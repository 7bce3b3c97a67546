// The buttons and fields above the map: time, what the map is grouped by, map or table, sharing.

import { fill, h } from "../../drawing/dom.js";
import { clockEndOf, endWords } from "../time/clock-end.js";
import { clockWords, readingWords } from "../live/live.js";
import { part, root, toggleInspector } from "../parts.js";
import { stopMenu } from "./stop-menu.js";
import { count } from "../words/units.js";
import { offerSteps } from "../../schedulers/sessions/step-units.js";

const SUGGESTED = 5000;
const DEFAULT_PACE = 10_000;
/** How much of a run may go by in a second of play, in milliseconds. */
const PACES = [
  ["1 s", 1000],
  ["10 s", DEFAULT_PACE],
  ["1 min", 60_000],
  ["10 min", 600_000],
  ["1 h", 3_600_000],
  ["6 h", 21_600_000],
  ["1 d", 86_400_000],
];

export class Bar {
  choices;
  groups;
  /** @type {import("../../decisions/figures.js").Figures} */
  figures;
  help;
  /** @type {import("../map/loads.js").Loads} */
  loads;
  /** @type {import("../log/log.js").Log} */
  log;
  /** @type {import("../map/map.js").ClusterMap} */
  map;
  /** @type {import("../reading.js").Reading} */
  reading;
  share;
  /** @type {import("./transport.js").Transport} */
  transport;

  /**
   * `parts`: {choices: how the cluster can be shown, groups: what its nodes can be grouped by, reading, log, loads, names, figures, transport, map, share(), help()}
   */
  constructor(parts) {
    Object.assign(this, parts);
    const { reading, log, transport, names, figures } = parts;
    this.#press();
    this.#fields();
    this.#choices();
    stopMenu({ element: part("stops"), label: part("stop-label"), reading, transport, names, figures, schedulers: log.fold.schedulers });
    reading.when(["head", "end", "expected", "inParts", "at", "time", "stepBy", "playing", "loaded", "link", "status", "run"], () => this.draw());
    reading.when(["view"], () => this.#drawView());
  }

  draw() {
    const { reading, log } = this;
    const input = part("at");
    const { isOpening } = reading;
    if (document.activeElement !== input) input.value = isOpening ? "" : reading.at;
    input.max = log.end;
    input.style.width = `${String(reading.at).length + 1.6}ch`;
    root.classList.toggle("is-opening", isOpening);
    if (reading.loaded) root.dataset.loaded = "yes";
    this.#drawClock();
    this.#drawSteps();
    part("of").textContent = readingWords(reading);
    const play = part("play");
    play.setAttribute("aria-pressed", String(reading.playing));
    play.querySelector("[data-word]").textContent = reading.playing ? "Pause" : "Play";
    play.classList.toggle("playing", reading.playing);
    play.disabled = log.end === log.start;
    // Not disabled in HTML's sense: who has stepped there by keyboard would lose the focus.
    for (const name of ["first", "back"]) part(name).setAttribute("aria-disabled", String(reading.at <= log.start));
    for (const name of ["step", "last"]) part(name).setAttribute("aria-disabled", String(reading.at >= log.end));
    this.#drawWhole();
  }

  /** Where the reader is in a run of which only a part is held: the time line shows that part. */
  #drawWhole() {
    const { log, reading } = this;
    const label = part("whole-run");
    label.hidden = !reading.inParts;
    if (label.hidden) return;
    const slider = label.querySelector("input");
    slider.max = log.end;
    if (!this.isDragged) slider.value = reading.at;
    slider.setAttribute("aria-valuetext", `decision ${count(reading.at)} of ${count(log.end)}`);
    label.title = `the whole run; the time line shows decisions ${count(log.first + 1)} to ${count(log.head)}`;
  }

  /** Only runs whose clock moves show it. */
  #drawClock() {
    const { reading } = this;
    const ends = clockEndOf(reading.run);
    const words = clockWords(this.log.fold, reading, ends);
    if (!words) return;
    const clock = part("clock");
    clock.hidden = false;
    clock.title = ["the run's clock, since its start", endWords(ends)].filter(Boolean).join("; ");
    const now = reading.isOpening ? "reading" : words.now;
    // Where the axis goes on behind the run's last decision, it says so itself.
    const isOnAxis = ends.isAsked && !reading.inParts;
    const all = [words.of, !isOnAxis && words.stopped].filter(Boolean).join(", ");
    fill(clock, h("b", {}, now), ` ${all}`);
  }

  /** What a step goes over can be chosen where a clock moves, and where there are sessions. */
  #drawSteps() {
    const { sessions } = this.figures;
    const { hasClock } = this.log.fold;
    if (!hasClock && !sessions.any) return;
    if (sessions.any) offerSteps(part("step-by"), hasClock);
    part("step-by-label").hidden = false;
    const { stepBy } = this.reading;
    const unit = stepBy === "decision" && sessions.any ? "pod" : stepBy;
    part("back").setAttribute("aria-label", `one ${unit} back`);
    part("step").setAttribute("aria-label", `one ${unit} forwards`);
  }

  #press() {
    const { transport, reading, map } = this;
    const buttons = {
      first: () => transport.first(),
      back: () => transport.step(-1),
      play: () => transport.toggle(),
      step: () => transport.step(1),
      last: () => transport.last(),
      share: () => this.share(),
      help: () => this.help(),
      inspect: toggleInspector,
      "zoom-in": () => map.viewport.zoom(1.5),
      "zoom-out": () => map.viewport.zoom(1 / 1.5),
      "zoom-fit": () => map.viewport.reset(),
      "as-map": () => reading.set({ view: "map" }),
      "as-table": () => reading.set({ view: "table" }),
    };
    for (const [name, act] of Object.entries(buttons)) part(name).addEventListener("click", act);
  }

  #fields() {
    const { transport, reading } = this;
    this.#speeds();
    part("step-by").addEventListener("change", (event) => reading.set({ stepBy: event.target.value }));
    part("at").addEventListener("change", (event) => transport.seek(Number(event.target.value) || 0));
    const slider = part("whole-run").querySelector("input");
    slider.addEventListener("input", () => (this.isDragged = true));
    slider.addEventListener("change", () => {
      this.isDragged = false;
      transport.seek(Number(slider.value));
    });
    part("at").addEventListener("keydown", (event) => {
      if (event.key === "Enter") event.target.blur();
    });
  }

  /** How fast play goes: decisions a second or, where a clock moves, also so much of the run a second. */
  #speeds() {
    const { reading, log } = this;
    const select = part("speed");
    const choose = () => {
      const [by, number] = select.value.split("-");
      if (by === "pace") reading.set({ pace: Number(number) });
      else reading.set({ pace: null, speed: Number(by) });
    };
    select.addEventListener("change", choose);
    if (!log.fold.hasClock) return;
    const paces = PACES.map(([words, pace]) => h("option", { value: `pace-${pace}` }, `${words} a second`));
    const group = (label, options) => h("optgroup", { label }, options);
    fill(select, group("by the clock", paces), group("decisions", [...select.options]));
    select.value = `pace-${DEFAULT_PACE}`;
    choose();
  }

  #choices() {
    const { reading, loads, log } = this;
    const { fold } = log;
    const names = fold.nodes.slice(0, SUGGESTED).map((node) => h("option", { value: node.name }));
    fill(part("node-names"), names);
    const groups = this.groups.map(({ key, label }) => [key, label]);
    const resources = loads.resources.map((name) => [name, name]);
    const orders = this.choices.sort.map((name) => [name, name]);
    this.#choice("group", groups, reading.group);
    this.#choice("resource", resources, reading.resource);
    this.#choice("sort", orders, reading.sort);
  }

  #choice(name, options, chosen) {
    const select = part(name);
    const drawn = options.map(([value, words]) => h("option", { value, selected: value === chosen }, words));
    fill(select, drawn);
    select.addEventListener("change", (event) => this.reading.set({ [name]: event.target.value }));
    this.reading.when([name], () => (select.value = this.reading[name]));
  }

  #drawView() {
    const isTable = this.reading.view === "table";
    part("table").hidden = !isTable;
    part("map-frame").hidden = isTable;
    part("as-map").setAttribute("aria-pressed", String(!isTable));
    part("as-table").setAttribute("aria-pressed", String(isTable));
  }
}
