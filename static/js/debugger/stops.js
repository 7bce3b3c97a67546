// Where play pauses and "next stop" leads: kinds of decisions, a pod, a node, a priority. Pure.

export const KINDS = [
  { key: "preemption", label: "a preemption" },
  { key: "unschedulable", label: "an unschedulable pod" },
  { key: "placed", label: "a placed pod" },
  { key: "gated", label: "a gated pod" },
  { key: "eviction", label: "an eviction that an edit asks for" },
  { key: "again", label: "a pod is evicted a second time" },
];

export const DEFAULT_STOP = { kinds: ["preemption"], pod: "", node: "", priority: null };

/** A short name for the button: "preemption", "3 conditions". */
export function stopLabel(stop) {
  const parts = stop.kinds.map((kind) => (kind === "again" ? "second eviction" : kind));
  if (stop.pod) parts.push(`pod ${stop.pod}`);
  if (stop.node) parts.push(stop.node);
  if (stop.priority !== null) parts.push(`priority above ${stop.priority}`);
  if (parts.length === 0) return "nothing";
  return parts.length <= 2 ? parts.join(", ") : `${parts.length} conditions`;
}

/** A test of one decision by number, for a stop and a log. */
export function stopTest(log, stop) {
  const { fold } = log;
  const kinds = new Set(stop.kinds);
  const node = stop.node ? (fold.nodeNames.numbers.get(stop.node) ?? -2) : -2;
  const wanted = stop.pod.toLowerCase();
  const isPod =
    wanted &&
    ((pod) => {
      const card = fold.pods[pod];
      return (
        card && (card.uid === stop.pod || `${card.namespace}/${card.name}`.toLowerCase().includes(wanted))
      );
    });
  return (seq) => {
    const outcome = log.outcomeOf(seq);
    if (kinds.has("preemption") && outcome === "nominated") return true;
    if (kinds.has("eviction") && outcome === "evicted") return true;
    if (kinds.has("unschedulable") && outcome === "unschedulable") return true;
    if (kinds.has("placed") && outcome === "scheduled") return true;
    if (kinds.has("gated") && outcome === "gated") return true;
    if (kinds.has("again") && log.repeated.get(seq)) return true;
    if (stop.priority !== null && log.priority.get(seq) > stop.priority) return true;
    if (isPod && isPod(log.pod.get(seq))) return true;
    if (!isPod && node < 0) return false;
    return fold
      .changesOf(seq)
      .some(
        (change) =>
          (isPod && change.type !== "move" && isPod(change.pod)) ||
          (node >= 0 &&
            (change.node === node ||
              (change.type === "nominate" && (change.new === node || change.old === node)))),
      );
  };
}

/** The nearest stop after (`by` 1) or before (`by` -1) a decision, or null. */
export function findStop(log, stop, from, by) {
  const test = stopTest(log, stop);
  for (let seq = from + by; seq > log.first && seq <= log.head; seq += by) if (test(seq)) return seq;
  return null;
}
