// Colours of the page as the canvas needs them, read from the design tokens, again after each change of theme;
// and which colour and pattern stands for which plugin, the same everywhere.

const NAMES = [
  "bg",
  "panel",
  "sunken",
  "line",
  "line-strong",
  "track",
  "ink",
  "muted",
  "faint",
  "placed",
  "preempt",
  "unsched",
  "wait",
  "nominated",
  "p1",
  "p2",
  "p3",
  "p4",
  "p5",
  "l1",
  "l2",
  "l3",
  "l4",
  "l5",
  "l6",
  "c1",
  "c2",
  "c3",
  "c4",
  "c5",
  "c6",
  "c7",
  "c8",
  "focus",
  "c1",
  "c2",
  "c3",
  "placed-wash",
  "unsched-wash",
  "preempt-wash",
];

/** Scoring plugins by their place in the categorical scale. */
const SCORERS = [
  "NodeResourcesFit",
  "NodeResourcesBalancedAllocation",
  "PodTopologySpread",
  "TaintToleration",
  "NodeAffinity",
  "InterPodAffinity",
  "ImageLocality",
  "VolumeBinding",
];

export class Palette {
  sunken;
  line;
  ink;
  c1;
  c2;
  c3;
  c4;
  c5;
  c6;
  c7;
  c8;
  l1;
  l2;
  l3;
  l4;
  l5;
  l6;
  placed;
  preempt;
  p1;
  p2;
  p3;
  p4;
  p5;

  constructor() {
    this.read();
  }

  read() {
    const style = getComputedStyle(document.documentElement);
    for (const name of NAMES) this[name] = style.getPropertyValue(`--${name}`).trim();
    this.font = style.getPropertyValue("--font").trim() || "system-ui, sans-serif";
    this.priorities = [this.p1, this.p2, this.p3, this.p4, this.p5];
    this.loads = [this.l1, this.l2, this.l3, this.l4, this.l5, this.l6];
    this.categories = [this.c1, this.c2, this.c3, this.c4, this.c5, this.c6, this.c7, this.c8];
    this.patterns = new Map();
  }

  /** Call `listener` after the theme changed, by the switch or by the system. */
  whenThemeChanges(listener) {
    const changed = () => {
      this.read();
      listener();
    };
    new MutationObserver(changed).observe(document.documentElement, {
      attributeFilter: ["data-theme", "class"],
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed);
  }

  /** A diagonal hatch of a colour, for the canvas. */
  hatch(context, colour) {
    if (!this.patterns.has(colour)) {
      const tile = document.createElement("canvas");
      tile.width = tile.height = 6;
      const draw = tile.getContext("2d");
      draw.strokeStyle = colour;
      draw.lineWidth = 2;
      draw.beginPath();
      for (const shift of [-6, 0, 6]) {
        draw.moveTo(shift - 1, 7);
        draw.lineTo(shift + 7, -1);
      }
      draw.stroke();
      this.patterns.set(colour, context.createPattern(tile, "repeat"));
    }
    return this.patterns.get(colour);
  }
}

/**
 * The colours of a profile's scores: the CSS classes `plug-1` … `plug-8` hold colour and pattern. A plugin has the
 * same in every profile, and one that was called otherwise before too; others take what is left.
 */
export class PluginColours {
  /** `scores`: those of the profile, [{name, successor}] (scheduler.js). */
  constructor(scores) {
    const known = ({ name, successor }) => SCORERS.indexOf(successor || name);
    const taken = new Set(scores.map(known));
    const free = SCORERS.map((_, place) => place).filter((place) => !taken.has(place));
    this.places = new Map();
    for (const score of scores) {
      const place = known(score);
      this.places.set(score.name, place >= 0 ? place : (free.shift() ?? hashed(score.name)));
    }
  }

  of(plugin) {
    return `plug-${(this.places.get(plugin) ?? hashed(plugin)) + 1}`;
  }
}

function hashed(name) {
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + letter.charCodeAt(0)) >>> 0;
  return sum % SCORERS.length;
}

/** Priorities of a cluster, low to high, spread over the five steps of the scale. */
export class PriorityScale {
  constructor() {
    this.values = [];
    this.known = new Set();
  }

  learn(pods, from = 0) {
    let grown = false;
    for (let i = from; i < pods.length; i++) {
      if (this.known.has(pods[i].priority)) continue;
      this.known.add(pods[i].priority);
      grown = true;
    }
    if (grown) this.values = [...this.known].sort((a, b) => a - b);
    this.steps = new Map(this.values.map((value, i) => [value, this.#step(i)]));
  }

  #step(rank) {
    const all = this.values.length;
    if (all === 1) return 2;
    return Math.round((rank / (all - 1)) * 4);
  }

  /** 0 (least important) to 4. */
  step(priority) {
    return this.steps.get(priority) ?? 2;
  }

  /** What the legend says for each step in use: [[step, "0 – 100"], …]. */
  legend() {
    const ranges = new Map();
    for (const value of this.values) {
      const step = this.step(value);
      const range = ranges.get(step);
      ranges.set(step, range ? [range[0], value] : [value, value]);
    }
    return [...ranges].map(([step, [low, high]]) => [step, low === high ? `${low}` : `${low} to ${high}`]);
  }
}
