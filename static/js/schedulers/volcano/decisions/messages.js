// The events that Volcano records, as kubectl shows them: pods bound and evicted as a gang is committed, pods that wait
// as the session closes. Their texts are the scheduler's own. Of what pods are told, Volcano records only what is new. Pure.

/** Binds and evictions go out when a gang is committed; a pod's node is not part of that decision, but of the changes. */
export function gangMessages({ bound, evicted, action, changes }, scheduler) {
  const nodes = new Map((changes ?? []).filter(({ new: values }) => values?.node).map(({ id, new: { node } }) => [id, node]));
  return [
    ...scheduler.sessionEvents("evicted", evicted, () => ({ action })),
    ...scheduler.sessionEvents("bound", bound, ({ uid }) => ({ node: nodes.get(uid) ?? "its node" })),
  ];
}

export function closeMessages({ messages }, scheduler) {
  const told = new Map(messages.map(({ pod, message }) => [pod, message]));
  return scheduler.sessionEvents("waits", [...told.keys()], (pod) => ({ message: told.get(pod) }));
}
