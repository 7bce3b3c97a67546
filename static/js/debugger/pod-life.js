// A pod's life where a clock moves: in which part of a queue it was from when to when, when it ran, and its attempts.
// Pure.

/** The stage of a pod that is on a node. */
export const RUNS = "runs";

/**
 * {stages: [{stage, from, to}], attempts: [{seq, time, placed}]} up to an instant, in milliseconds: stages in their
 * order, `stage` the part of a queue or RUNS.
 */
export function lifeUntil(log, pod, now) {
  const { stages, attempts } = wholeLife(log, pod);
  return {
    stages: stages.filter(({ from }) => from <= now).map((one) => ({ ...one, to: Math.min(one.to ?? now, now) })),
    attempts: attempts.filter(({ time }) => time <= now),
  };
}

/** How long each stage lasted in all, in the order of the first of each: [[stage, milliseconds]]. */
export function totals(stages) {
  const all = new Map();
  for (const { stage, from, to } of stages) all.set(stage, (all.get(stage) ?? 0) + to - from);
  return [...all];
}

/** As far as the log is read; the last stage goes on (`to` is null) unless the pod is gone. Kept for one pod. */
function wholeLife(log, pod) {
  const { head, wholeLife: kept } = log;
  if (kept?.pod === pod && kept.head === head) return kept;
  const life = { pod, head, stages: [], attempts: [] };
  log.wholeLife = life;
  const { fold } = log;
  const { uid } = fold.pods[pod];
  const touching = touchingOf(log, pod);
  begin(life, fold.timeOf(fold.base), stageAtStart(log, pod, touching));
  for (const seq of touching) {
    const time = fold.timeOf(seq);
    for (const { effect, pod: whom, part } of log.effectsOf(seq)) {
      if (whom !== uid) continue;
      if (effect === "entered") begin(life, time, part);
      else if (effect === "placed") begin(life, time, RUNS);
      else if (effect === "left" || (effect === "dequeued" && last(life)?.stage === part)) end(life, time);
    }
    if (log.tried.get(seq) && log.pod.get(seq) === pod)
      life.attempts.push({ seq, time, placed: log.outcomeOf(seq) === "scheduled" });
  }
  return life;
}

/** The decisions about a pod, and those that change it or where it waits. */
function touchingOf(log, pod) {
  const seqs = [];
  for (let seq = log.first + 1; seq <= log.head; seq++)
    if (log.pod.get(seq) === pod || log.fold.touchesPod(seq, pod) || log.fold.touchesWait(seq, pod)) seqs.push(seq);
  return seqs;
}

/** Where the pod was before the first decision: in the part that it leaves first, or on a node. */
function stageAtStart(log, pod, touching) {
  const { fold } = log;
  const { uid } = fold.pods[pod];
  for (const seq of touching)
    for (const { effect, pod: whom, part } of log.effectsOf(seq)) {
      if (whom !== uid) continue;
      if (effect === "dequeued") return part;
      if (effect !== "nominated") return effect === "arrived" || effect === "entered" ? null : RUNS;
    }
  return fold.placeInQueue(pod)?.part ?? (fold.nodeOf(pod) >= 0 ? RUNS : null);
}

function begin(life, time, stage) {
  if (stage === null || last(life)?.stage === stage) return;
  end(life, time);
  const before = life.stages.at(-1);
  if (before?.stage === stage && before.to === time) before.to = null;
  else life.stages.push({ stage, from: time, to: null });
}

function end(life, time) {
  const open = last(life);
  if (!open) return;
  open.to = time;
  if (open.to === open.from) life.stages.pop();
}

/** The stage that goes on; undefined if none does. */
function last({ stages }) {
  const stage = stages.at(-1);
  return stage?.to === null ? stage : undefined;
}
