// The address holds what the reader looks at: ?at=128&node=node-17&tab=preemption. Nothing else is remembered.

/** Which tabs there are is for the decision's kind to say; a name that it doesn't have chooses none. */
const TAB = /^[a-z-]{1,20}$/;

/** What an address asks for; unknown values are left out. */
export function readAddress(search) {
  const query = new URLSearchParams(search);
  const at = query.get("at");
  const tab = query.get("tab");
  return {
    at: at !== null && /^\d+$/.test(at) ? Number(at) : null,
    node: query.get("node") || null,
    pod: query.get("pod") || null,
    tab: tab !== null && TAB.test(tab) ? tab : null,
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
