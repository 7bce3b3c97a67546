// The events that `kubectl get events` and `kubectl describe pod` would show for a decision. Pure.

/** [{type, reason, from, object, message}] */
export function eventsOf(event) {
  const object = `pod/${event.pod.name}`;
  if (event.kind === "eviction") {
    const reason = event.outcome === "evicted" ? "Evicted" : "EvictionRefused";
    return [
      {
        type: event.outcome === "evicted" ? "Normal" : "Warning",
        reason,
        from: "eviction API",
        object,
        message: event.message ?? `${event.outcome} from ${event.node}`,
      },
    ];
  }
  const from = event.profile;
  const name = `${event.pod.namespace}/${event.pod.name}`;
  if (event.outcome === "scheduled") {
    return [
      {
        type: "Normal",
        reason: "Scheduled",
        from,
        object,
        message: `Successfully assigned ${name} to ${event.chosen}`,
      },
    ];
  }
  const found = [];
  if (event.message)
    found.push({
      type: "Warning",
      reason: event.outcome === "gated" ? "SchedulingGated" : "FailedScheduling",
      from,
      object,
      message: event.message,
    });
  for (const victim of event.preemption?.victims ?? []) {
    found.push({
      type: "Normal",
      reason: "Preempted",
      from,
      object: `pod/${victim.name}`,
      message: `Preempted by pod ${event.pod.uid} on node ${event.preemption.nominated}`,
    });
  }
  return found;
}
