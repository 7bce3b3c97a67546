// The address holds what the reader looks at: ?at=128&node=node-17&tab=preemption; where a clock
// moves, also t=65.01, its seconds, and pin=<uid> for each pod that keeps a lane; mix=, whose requests the figure of
// fragmentation is about (hami/mix.js).

/** Which tabs there are is for the decision's kind to say; a name that it doesn't have chooses none. */
const SECONDS = /^\d{1,9}(\.\d{1,3})?$/;
const TAB = /^[a-z-]{1,20}$/;

const MIX = /^[\w.:-]{1,60}$/;

const CARD = /^(queue|group|cards?)\/.{1,600}$/;

/** What an address asks for; unknown values are left out. */
export function readAddress(search) {
  const query = new URLSearchParams(search);
  const at = query.get("at");
  const tab = query.get("tab");
  const t = query.get("t");
  const card = query.get("card");
  const mix = query.get("mix");
  return {
    at: at !== null && /^\d+$/.test(at) ? Number(at) : null,
    time: t !== null && SECONDS.test(t) ? Math.round(Number(t) * 1000) : null,
    node: query.get("node") || null,
    pod: query.get("pod") || null,
    pinned: query.getAll("pin").filter(Boolean),
    tab: tab !== null && TAB.test(tab) ? tab : null,
    card: card !== null && CARD.test(card) ? card : null,
    mix: mix !== null && MIX.test(mix) ? mix : null,
  };
}

/** The query for a reading, `time` in milliseconds; empty values leave no trace. */
export function writeAddress({ at, time = null, node, pod, pinned = [], tab, card = null, mix = null }) {
  const query = new URLSearchParams();
  query.set("at", String(at));
  if (time !== null) query.set("t", String(time / 1000));
  if (node) query.set("node", node);
  if (pod) query.set("pod", pod);
  for (const uid of pinned) query.append("pin", uid);
  if (tab) query.set("tab", tab);
  if (card) query.set("card", card);
  if (mix) query.set("mix", mix);
  return `?${query}`;
}
