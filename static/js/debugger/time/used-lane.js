// The lane of what is asked for of the cluster's resources, each a line of its own kind, from nothing to all of it.

const COLUMN = 3;
/** By place among the resources: colour, dashes, and how the head writes them. */
const LINES = [
  { colour: "c1", dash: [], sample: "─" },
  { colour: "c3", dash: [1.5, 2.5], sample: "┈" },
  { colour: "c2", dash: [6, 3], sample: "╌" },
];

export const usedLane = {
  key: "used",
  group: "used",
  height: 34,

  head({ series, at }) {
    const said = series.resources.map((name, i) => {
      const short = name === "memory" ? "mem" : name.replace(/^.*\//, "");
      return `${LINES[i].sample}\u2009${short} ${Math.round(100 * series.usedOf(name, at))}`;
    });
    return { label: "used", value: `${said.join(" ")} %` };
  },

  paint(context, scene, { top, height }) {
    const { series, palette, width, binsOf, before } = scene;
    const columns = Math.max(1, Math.floor(width / COLUMN));
    const bins = binsOf(columns);
    const most = Math.max(1, ...bins.flatMap(({ to }) => series.resources.map((name) => series.usedOf(name, to))));
    const yOf = (share) => top + height - 1 - (share / most) * (height - 3);
    context.fillStyle = palette.line;
    context.fillRect(0, Math.round(yOf(1)), width, 1);
    context.lineWidth = 1.5;
    series.resources.forEach((name, i) => {
      context.strokeStyle = palette[LINES[i].colour];
      context.setLineDash(LINES[i].dash);
      context.beginPath();
      let y = yOf(series.usedOf(name, before));
      context.moveTo(0, y);
      for (const { place, to } of bins) {
        const x = (place * width) / columns;
        context.lineTo(x, y);
        y = yOf(series.usedOf(name, to));
        context.lineTo(x, y);
      }
      context.lineTo(width, y);
      context.stroke();
    });
    context.setLineDash([]);
  },
};
