// The lanes of a time line by the clock, one below the other: which there are, and how each is drawn.
//
// A lane is {key, group, height, paint(context, scene, row), head(scene)}. `group` is the lane's name in the order that
// is remembered; a row is {top, height, isFolded}. What a lane may read is the scene (lane-scene.js).

import { decisionsLane } from "./decisions-lane.js";
import { eventsLane } from "./events-lane.js";
import { podLane } from "./pod-lane.js";
import { queueLane } from "./queue-lane.js";
import { sessionsLane } from "./session-marks.js";
import { usedLane } from "./used-lane.js";

const FOLDED = 15,
  GAP = 2;
const ONE_EACH = { events: [eventsLane], sessions: [sessionsLane], decisions: [decisionsLane], queue: [queueLane], used: [usedLane] };

/**
 * The lanes in order, `pods` with one for each pod (index), that of sessions only where there are any: [{lane, top, height,
 * isFolded}]; the first is at `top`.
 */
export function laneRows(laneOrder, pods, top, hasSessions = false) {
  const rows = [];
  for (const name of laneOrder.order) {
    if (name === "sessions" && !hasSessions) continue;
    const lanes = name === "pods" ? pods.map(podLane) : ONE_EACH[name];
    for (const lane of lanes) {
      const isFolded = laneOrder.isFolded(name);
      const height = isFolded ? FOLDED : lane.height;
      rows.push({ lane, top, height, isFolded });
      top += height + GAP;
    }
  }
  return rows;
}
