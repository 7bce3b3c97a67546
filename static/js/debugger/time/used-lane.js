// The lane of what is asked for of the cluster's resources, each a line of its own kind, from nothing to all of it.

const COLUMN = 3;
/** By place among the resources: colour and dashes. */
const LINES = [
  { colour: "c1", dash: [] },
  { colour: "c3", dash: [1.5, 2.5] },
  { colour: "c2", dash: [6, 3] },
];
const NAME_HEIGHT = 10;

export const usedLane = {
  key: "used",
  group: "used",
  height: 34,

  head({ series, at }) {
    const said = series.resources.map((name) => `${shortOf(name)} ${Math.round(100 * series.usedOf(name, at))}`);
    return { label: "used", value: `${said.join(" · ")} %` };
  },

  paint(context, scene, { top, height, isFolded }) {
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
    if (isFolded) return;
    const names = series.resources.map((name, i) => ({ name, i, y: yOf(series.usedOf(name, before)) }));
    paintNames(context, palette, names, { top, bottom: top + height });
  },
};

/** Each line's name where it begins, beside one another where lines do. */
function paintNames(context, palette, names, { top, bottom }) {
  context.font = `9px ${palette.font}`;
  context.textAlign = "left";
  context.textBaseline = "middle";
  let [x, last] = [2, -NAME_HEIGHT];
  for (const { name, i, y } of names.toSorted((a, b) => a.y - b.y)) {
    const at = Math.min(bottom - NAME_HEIGHT / 2, Math.max(top + NAME_HEIGHT / 2, y));
    if (at - last >= NAME_HEIGHT) x = 2;
    const wide = context.measureText(shortOf(name)).width;
    context.fillStyle = palette.panel;
    context.fillRect(x - 1, at - NAME_HEIGHT / 2, wide + 2, NAME_HEIGHT);
    context.fillStyle = palette[LINES[i].colour];
    context.fillText(shortOf(name), x, at);
    x += wide + 5;
    last = at;
  }
}

function shortOf(name) {
  return name === "memory" ? "mem" : name.replace(/^.*\//, "");
}
