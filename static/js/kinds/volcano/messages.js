// The events that Volcano records, as kubectl shows them: pods bound and evicted as a gang is committed, pods that wait
// as the session closes. Pure.
//
// Source: volcano v1.16 pkg/scheduler/cache/cache.go. Of what pods are told, Volcano records only what is new.

const FROM = "volcano";
const objectOf = ({ name }) => `pod/${name}`;

/** Binds and evictions go out when a gang is committed; a pod's node is not part of that decision, but of the changes. */
export function gangMessages({ bound, evicted, action, changes }) {
  const nodes = new Map((changes ?? []).filter(({ new: values }) => values?.node).map(({ id, new: { node } }) => [id, node]));
  return [
    ...evicted.map((pod) => ({
      type: "Warning",
      reason: "Evict",
      from: FROM,
      object: objectOf(pod),
      message: `Pod is evicted, because of ${action}`,
    })),
    ...bound.map((pod) => ({
      type: "Normal",
      reason: "Scheduled",
      from: FROM,
      object: objectOf(pod),
      message: `Successfully assigned ${pod.namespace}/${pod.name} to ${nodes.get(pod.uid) ?? "its node"}`,
    })),
  ];
}

export function closeMessages({ messages }) {
  return messages.map(({ pod, message }) => ({
    type: "Warning",
    reason: "FailedScheduling",
    from: FROM,
    object: objectOf(pod),
    message,
  }));
}
