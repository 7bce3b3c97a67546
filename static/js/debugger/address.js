// The address holds what the reader looks at: ?at=128&node=node-17&tab=preemption. Nothing else is remembered.

const TABS = ["filter", "scores", "preemption", "events", "raw"];

/** What an address asks for; unknown values are left out. */
export function readAddress(search) {
  const query = new URLSearchParams(search);
  const at = query.get("at");
  const tab = query.get("tab");
  return {
    at: at !== null && /^\d+$/.test(at) ? Number(at) : null,
    node: query.get("node") || null,
    pod: query.get("pod") || null,
    tab: TABS.includes(tab) ? tab : null,
  };
}

/** The query for a reading; empty values leave no trace. */
export function writeAddress({ at, node, pod, tab }) {
  const query = new URLSearchParams();
  query.set("at", at);
  if (node) query.set("node", node);
  if (pod) query.set("pod", pod);
  if (tab) query.set("tab", tab);
  return `?${query}`;
}
