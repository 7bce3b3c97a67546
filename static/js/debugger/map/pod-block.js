// Paint one pod on a tile. Colour is priority; a pattern or a line always says the same: hatched leaves, hatched in
// grey is terminating or stranded on a node that failed, outlined is new.

import { clipText, frame, hatchOver } from "./strokes.js";
import { isTried, paintTried } from "../../schedulers/sessions/tried-block.js";

/** `block`: {pod, victim, fresh, terminating, stranded, fate: in an open statement, if it is in one}; `state`: where its node's reprieve sequence has it, or null. */
export function paintBlock(context, box, block, state, scene) {
  const { pod, victim, fresh, terminating, stranded } = block;
  const { palette } = scene;
  if (isTried(block)) return paintTried(context, box, block, scene);
  const leaving = state ? state.startsWith("victim") : victim;
  const gone = scene.marks.gone.has(pod);
  const isEmpty = leaving || gone || stranded;
  context.globalAlpha =
    (state === "out" ? 0.16 : 1) *
    (leaving || gone ? scene.leavingAlpha : fresh ? scene.landingAlpha : 1) *
    scene.alpha;
  fillBlock(context, box, pod, isEmpty, scene);
  context.globalAlpha = scene.alpha;
  if (leaving) {
    hatchOver(context, box, palette, palette.preempt);
    frame(context, box, palette.preempt, state === "victim-now" ? 2 : 1);
  } else if ((terminating || gone) && state !== "out") {
    hatchOver(context, box, palette, palette.faint);
    frame(context, box, palette.ink, 1, gone ? [1, 2] : []);
  } else if (stranded) {
    hatchOver(context, box, palette, palette.muted);
    frame(context, box, palette.muted, 1);
  } else if (state === "out") frame(context, box, palette.faint, 1, [2, 2]);
  else if (state === "back-now") frame(context, box, palette.placed, 2);
  else if (fresh) frame(context, box, palette.placed, 2);
  if (scene.pod === pod) frame(context, box, palette.ink, 2);
  else if (scene.siblings?.has(pod)) frame(context, box, palette.ink, 1);
}

/** Dashed: the room that a nominated pod waits for. */
export function paintPromise(context, box, palette) {
  frame(context, box, palette.nominated, 1.5, [3, 2]);
}

/** The pod's name where there is room for it, upright if need be. */
export function paintName(context, box, { pod, victim, stranded }, state, scene) {
  const isEmpty = (state ? state.startsWith("victim") : victim) || stranded;
  if (box.w > 44 && box.h > 14) podName(context, box, pod, scene, isEmpty);
  else if (box.w > 12 && box.h > 44) standingName(context, box, pod, scene, isEmpty);
}

/** The colour in which letters are read on a pod's block. */
export function inkOn(scene, pod, isEmpty) {
  const dark = !scene.colours && scene.scale.step(scene.fold.pods[pod].priority) >= 3;
  return dark && !isEmpty ? scene.palette.panel : scene.palette.ink;
}

/** Empty, or in the colour of its priority or of its queue. */
function fillBlock(context, box, pod, isEmpty, scene) {
  if (scene.colours && !isEmpty) return scene.colours.paint(context, box, pod, scene.palette);
  context.fillStyle = isEmpty ? scene.palette.panel : priorityColour(scene, pod);
  context.fillRect(box.x, box.y, box.w, box.h);
}

function priorityColour(scene, pod) {
  return scene.palette.priorities[scene.scale.step(scene.fold.pods[pod].priority)];
}

/** A name that runs upwards in a block too narrow to hold it otherwise. */
function standingName(context, { x, y, w, h }, pod, scene, isEmpty) {
  context.save();
  context.translate(x + w / 2 - 7, y + h);
  context.rotate(-Math.PI / 2);
  podName(context, { x: 0, y: 0, w: h, h: 14 }, pod, scene, isEmpty);
  context.restore();
}

function podName(context, box, pod, scene, isEmpty) {
  context.font = `10px ${scene.palette.font}`;
  context.textAlign = "left";
  context.fillStyle = inkOn(scene, pod, isEmpty);
  context.fillText(
    clipText(context, scene.fold.pods[pod].name, box.w - 6),
    box.x + 3,
    box.y + box.h / 2 + 3.5,
  );
}
