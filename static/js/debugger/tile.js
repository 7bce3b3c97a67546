// Paint one node's tile on the canvas, at one of three levels of detail. Colour is priority (or load on the
// small squares); a pattern or a line always says the same: hatched leaves, dashed is promised, outlined is new,
// crossed goes with its node.
// A grey hatch over the colour is a terminating pod: it leaves later, and takes its room until then.

const BAR_RESOURCES = ["cpu", "memory"];

/** A tile with its name, its pods as blocks, its loads as lines and its cards. */
export function paintLarge(context, box, node, scene) {
  const { palette } = scene;
  const { x, y, w, h } = box;
  panel(context, box, node, scene);
  context.font = `11px ${palette.font}`;
  context.textBaseline = "alphabetic";
  const load = scene.percent(node);
  const room = context.measureText(load).width;
  const cordoned = scene.nodes[node].unschedulable;
  context.textAlign = "right";
  context.fillStyle = palette.muted;
  context.fillText(load, x + w - 6, y + 15);
  context.textAlign = "left";
  context.fillStyle = scene.isMarked(node) ? palette.ink : palette.muted;
  context.fillText(
    nodeName(context, scene, node, w - 20 - room - (cordoned ? 12 : 0)),
    x + 6,
    y + 15,
  );
  if (cordoned) cordon(context, x + w - room - 17, y + 11, palette);

  const cards = scene.loads.cards(node);
  const foot = y + h - 5;
  const lines = cards ? 3 : 2;
  const strip = {
    x: x + 6,
    y: y + 21,
    w: w - 12,
    h: Math.max(10, foot - (y + 21) - lines * 5 - (cards ? 3 : 0)),
  };
  paintPods(context, strip, node, scene, 1);
  let line = strip.y + strip.h + 2;
  for (const resource of BAR_RESOURCES) {
    loadLine(context, { x: strip.x, y: line, w: strip.w, h: 3 }, scene.loads.share(node, resource), palette);
    line += 5;
  }
  if (cards) paintCards(context, { x: strip.x, y: line, w: strip.w, h: 6 }, cards, palette);
}

/** The name as the reader wants it if it fits, else what tells it apart; if that is clipped, its last part stays. */
function nodeName(context, { names, nodes }, node, width) {
  const { name } = nodes[node];
  const shown = names.shown(name);
  if (context.measureText(shown).width <= width) return shown;
  const short = names.short(name);
  return clipText(context, short, width, short.split(/[-.]/).at(-1).length);
}

/** Bars only: the pods as one band, the second resource as a line. */
export function paintBars(context, box, node, scene) {
  panel(context, box, node, scene);
  const { x, y, w, h } = box;
  const inner = { x: x + 3, y: y + 3, w: w - 6, h: h - 9 };
  paintPods(context, inner, node, scene, 0);
  const other = scene.resource === "memory" ? "cpu" : "memory";
  loadLine(
    context,
    { x: inner.x, y: y + h - 5, w: inner.w, h: 2.5 },
    scene.loads.share(node, other),
    scene.palette,
  );
}

/** A square in the colour of its load, with the decision's marks as shapes. */
export function paintSquare(context, box, node, scene) {
  const { palette } = scene;
  const { x, y, w, h } = box;
  const share = scene.loads.share(node, scene.resource);
  context.fillStyle = scene.loads.capacity(node, scene.resource)
    ? palette.loads[loadStep(share)]
    : palette.bg;
  context.fillRect(x, y, w, h);
  if (!scene.loads.capacity(node, scene.resource)) {
    context.strokeStyle = palette.line;
    context.lineWidth = 1;
    context.strokeRect(x + 0.5, y + 0.5, w - 1, h - 1);
  }
  if (scene.marks.losing.has(node)) hatchOver(context, box, palette, palette.preempt);
  else if (scene.withTerminating.has(node)) hatchOver(context, box, palette, palette.faint);
  if (scene.nodes[node].unschedulable && w > 5) cordon(context, x + w / 2, y + h / 2, palette);
}

/** Six steps of load; the last is full to 95 %. */
export function loadStep(share) {
  return share <= 0.01 ? 0 : share < 0.25 ? 1 : share < 0.5 ? 2 : share < 0.75 ? 3 : share < 0.95 ? 4 : 5;
}

/** What lies over a tile at every level: candidate, equal, chosen, come, gone, selected, promised. */
export function paintOutline(context, box, node, scene) {
  const { palette, marks } = scene;
  const small = box.w < 26;
  if (scene.promised.has(node) && box.w < 84)
    outline(context, box, palette.nominated, small ? 1.5 : 2, [3, 2]);
  if (marks.best.has(node)) outline(context, box, palette.placed, small ? 1.25 : 1.5);
  if (marks.candidates.has(node)) outline(context, box, palette.preempt, small ? 1.25 : 1.5);
  if (marks.chosen === node) outline(context, grow(box, small ? 2 : 0.5), scene.chosenColour, small ? 3 : 3);
  if (scene.lit?.has(node) && !marks.candidates.has(node) && marks.chosen !== node && !marks.best.has(node)) {
    outline(context, box, palette["line-strong"], small ? 0.75 : 1.25);
  }
  if (marks.came.has(node)) ring(context, box, palette.placed);
  if (marks.went.has(node)) crossOut(context, box, palette);
  if (scene.selected === node) outline(context, grow(box, 3), palette.ink, 1.5);
}

/** Around a node that came with this decision: a second line outside of the tile's own. */
function ring(context, box, colour) {
  outline(context, grow(box, box.w < 26 ? 1.5 : 3), colour, box.w < 26 ? 1.5 : 2);
  outline(context, box, colour, 1);
}

/** Over a node that goes with this decision: pale, and crossed from corner to corner. */
function crossOut(context, { x, y, w, h }, palette) {
  const { globalAlpha } = context;
  context.globalAlpha = globalAlpha * 0.4;
  context.fillStyle = palette.panel;
  context.fillRect(x, y, w, h);
  context.globalAlpha = globalAlpha;
  outline(context, { x, y, w, h }, palette.preempt, w < 26 ? 1 : 1.5, [3, 2]);
  context.lineWidth = w < 26 ? 1.5 : 2;
  context.beginPath();
  context.moveTo(x + 1, y + 1);
  context.lineTo(x + w - 1, y + h - 1);
  context.moveTo(x + w - 1, y + 1);
  context.lineTo(x + 1, y + h - 1);
  context.stroke();
}

function panel(context, { x, y, w, h }, node, { palette }) {
  context.fillStyle = palette.panel;
  context.strokeStyle = palette.line;
  context.lineWidth = 1;
  context.beginPath();
  context.roundRect(x + 0.5, y + 0.5, w - 1, h - 1, Math.min(4, w / 8));
  context.fill();
  context.stroke();
}

/** The pods of a node side by side; victims stay in their place, hatched, for as long as the step shows them. */
export function paintPods(context, strip, node, scene, gap) {
  const { palette, loads, resource } = scene;
  context.fillStyle = palette.track;
  context.fillRect(strip.x, strip.y, strip.w, strip.h);
  const states = scene.reprieve?.node === node ? scene.reprieve.states : null;
  let x = strip.x;
  const end = strip.x + strip.w;
  for (const block of scene.blocks(node)) {
    const share = loads.podShare(node, block.pod, resource);
    const width = Math.max(share * strip.w, share > 0 ? 1.5 : 0.75);
    const w = Math.max(0.75, Math.min(width, end - x) - (width > 3 ? gap : 0));
    if (x >= end) break;
    paintBlock(context, { x, y: strip.y, w, h: strip.h }, block, states?.get(block.pod) ?? null, scene);
    x += width;
  }
  for (const pod of scene.promised.get(node) ?? []) {
    const share = loads.podShare(node, pod, resource);
    const w = Math.max(5, Math.min(share * strip.w, strip.w));
    const from = Math.min(x, end - w);
    context.setLineDash([3, 2]);
    context.strokeStyle = palette.nominated;
    context.lineWidth = 1.5;
    context.strokeRect(from + 1, strip.y + 0.75, Math.max(2, w - 2), strip.h - 1.5);
    context.setLineDash([]);
    x = from + w;
  }
}

function paintBlock(context, box, { pod, victim, fresh, terminating }, state, scene) {
  const { palette } = scene;
  const colour = palette.priorities[scene.scale.step(scene.fold.pods[pod].priority)];
  const leaving = state ? state.startsWith("victim") : victim;
  const gone = scene.marks.gone.has(pod);
  context.globalAlpha =
    (state === "out" ? 0.16 : 1) *
    (leaving || gone ? scene.leavingAlpha : fresh ? scene.landingAlpha : 1) *
    scene.alpha;
  context.fillStyle = leaving || gone ? palette.panel : colour;
  context.fillRect(box.x, box.y, box.w, box.h);
  context.globalAlpha = scene.alpha;
  if (leaving) {
    hatchOver(context, box, palette, palette.preempt);
    frame(context, box, palette.preempt, state === "victim-now" ? 2 : 1);
  } else if ((terminating || gone) && state !== "out") {
    hatchOver(context, box, palette, palette.faint);
    frame(context, box, palette.ink, 1, gone ? [1, 2] : []);
  } else if (state === "out") frame(context, box, palette.faint, 1, [2, 2]);
  else if (state === "back-now") frame(context, box, palette.placed, 2);
  else if (fresh) frame(context, box, palette.placed, 2);
  if (scene.pod === pod) frame(context, box, palette.ink, 2);
  else if (scene.siblings?.has(pod)) frame(context, box, palette.ink, 1);
  if (!scene.showNames) return;
  if (box.w > 44 && box.h > 14) podName(context, box, pod, scene, leaving);
  else if (box.w > 12 && box.h > 44) standingName(context, box, pod, scene, leaving);
}

/** A name that runs upwards in a block too narrow to hold it otherwise. */
function standingName(context, { x, y, w, h }, pod, scene, leaving) {
  context.save();
  context.translate(x + w / 2 - 7, y + h);
  context.rotate(-Math.PI / 2);
  podName(context, { x: 0, y: 0, w: h, h: 14 }, pod, scene, leaving);
  context.restore();
}

function podName(context, box, pod, scene, leaving) {
  const { palette } = scene;
  const dark = scene.scale.step(scene.fold.pods[pod].priority) >= 3;
  context.font = `10px ${palette.font}`;
  context.textAlign = "left";
  context.fillStyle = leaving ? palette.ink : dark ? palette.panel : palette.ink;
  context.fillText(
    clipText(context, scene.fold.pods[pod].name, box.w - 6),
    box.x + 3,
    box.y + box.h / 2 + 3.5,
  );
}

function paintCards(context, { x, y, w, h }, { all, taken }, palette) {
  const size = Math.min(9, (w + 2) / all - 2);
  for (let i = 0; i < all; i++) {
    const left = x + i * (size + 2);
    const share = Math.max(0, Math.min(1, taken - i));
    context.strokeStyle = palette.muted;
    context.lineWidth = 1;
    context.strokeRect(left + 0.5, y + 0.5, size - 1, h - 1);
    if (!share) continue;
    context.fillStyle = palette.muted;
    context.fillRect(left, y, size * share, h);
  }
}

function hatchOver(context, { x, y, w, h }, palette, colour) {
  context.fillStyle = palette.hatch(context, colour);
  context.fillRect(x, y, w, h);
}

function loadLine(context, { x, y, w, h }, share, palette) {
  context.fillStyle = palette.line;
  context.fillRect(x, y, w, h);
  context.fillStyle = palette.faint;
  context.fillRect(x, y, w * Math.min(1, share), h);
}

function cordon(context, x, y, palette) {
  context.strokeStyle = palette.muted;
  context.lineWidth = 1.25;
  context.beginPath();
  context.arc(x, y, 3.5, 0, Math.PI * 2);
  context.moveTo(x - 2.5, y + 2.5);
  context.lineTo(x + 2.5, y - 2.5);
  context.stroke();
}

function outline(context, { x, y, w, h }, colour, width, dash = []) {
  context.setLineDash(dash);
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.beginPath();
  context.roundRect(x + 0.5, y + 0.5, w - 1, h - 1, Math.min(4, w / 6));
  context.stroke();
  context.setLineDash([]);
}

function frame(context, { x, y, w, h }, colour, width, dash = []) {
  const inset = width / 2;
  context.setLineDash(dash);
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.strokeRect(x + inset, y + inset, Math.max(0.5, w - width), Math.max(0.5, h - width));
  context.setLineDash([]);
}

function grow({ x, y, w, h }, by) {
  return { x: x - by, y: y - by, w: w + 2 * by, h: h + 2 * by };
}

/**
 * As much of a text as fits, with an ellipsis in the middle so that its end stays readable: at least its last
 * `end` letters if they fit.
 */
export function clipText(context, text, width, end = 0) {
  if (context.measureText(text).width <= width) return text;
  for (let keep = text.length - 1; keep > 2; keep--) {
    const head = Math.max(0, Math.min(Math.ceil(keep * 0.4), keep - end));
    const shorter = `${text.slice(0, head)}…${text.slice(text.length - (keep - head))}`;
    if (context.measureText(shorter).width <= width) return shorter;
  }
  return "";
}
