// The events that `kubectl get events` and `kubectl describe pod` would show for a decision. Pure.

import { releaseOf } from "./release.js";

/** [{type, reason, from, object, message}], the object as the kubectl of that version names it. */
export function eventsOf(event, release = releaseOf()) {
  const objectOf = ({ name }) => (release.isOld ? `Pod ${name}` : `pod/${name}`);
  const object = objectOf(event.pod);
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
  const name = release.namesNamespace ? `${event.pod.namespace}/${event.pod.name}` : event.pod.name;
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
      object: objectOf(victim),
      message: preempted(event, release),
    });
  }
  return found;
}

function preempted({ pod, preemption: { nominated } }, release) {
  if (release.isEventOfUid) return `Preempted by pod ${pod.uid} on node ${nominated}`;
  return `by ${pod.namespace}/${pod.name} on node ${nominated}`;
}
