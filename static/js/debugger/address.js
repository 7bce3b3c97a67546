// The address holds what the reader looks at: ?at=128&node=node-17&tab=preemption; where a clock
// moves, also t=65.01, its seconds, and pin=<uid> for each pod that keeps a lane; mix=, whose requests the figure of
// fragmentation is about (hami/mix.js); and how the cluster is shown, where that isn't as a page opens by itself: group=label:pool,
// by=memory, sort=load, view=table, zoom=2.5,0.31,0.8: how many times, and which point of the map is in the middle, in shares of it.

/** Which tabs there are is for the decision's kind to say; a name that it doesn't have chooses none. */
const SECONDS = /^\d{1,9}(\.\d{1,3})?$/;
const TAB = /^[a-z-]{1,20}$/;

const MIX = /^[\w.:-]{1,60}$/;

const CARD = /^(queue|group|cards?)\/.{1,600}$/;

/** What the cluster may be grouped by and counted in is the run's to say. */
const GROUP = /^(none|zone|tier:\d{1,10}|label:.{1,320})$/;
const RESOURCE = /^.{1,320}$/;
const SORT = /^(name|load|shortfall)$/;
const VIEW = /^(map|table)$/;
const ZOOM = /^\d{1,3}(\.\d{1,2})?(,[01](\.\d{1,4})?){2}$/;

/** What an address asks for; unknown values are left out. */
export function readAddress(search) {
  const query = new URLSearchParams(search);
  const at = query.get("at");
  const tab = query.get("tab");
  const t = query.get("t");
  const card = query.get("card");
  const mix = query.get("mix");
  const matching = (name, pattern) => (pattern.test(query.get(name) ?? "") ? query.get(name) : null);
  return {
    at: at !== null && /^\d+$/.test(at) ? Number(at) : null,
    time: t !== null && SECONDS.test(t) ? Math.round(Number(t) * 1000) : null,
    node: query.get("node") || null,
    pod: query.get("pod") || null,
    pinned: query.getAll("pin").filter(Boolean),
    tab: tab !== null && TAB.test(tab) ? tab : null,
    card: card !== null && CARD.test(card) ? card : null,
    mix: mix !== null && MIX.test(mix) ? mix : null,
    group: matching("group", GROUP),
    resource: matching("by", RESOURCE),
    sort: matching("sort", SORT),
    view: matching("view", VIEW),
    zoom: matching("zoom", ZOOM),
  };
}

/** The query for a reading, `time` in milliseconds; empty values leave no trace. `shown`: {group, resource, sort, view, zoom}. */
export function writeAddress({ at, time = null, node, pod, pinned = [], tab, card = null, mix = null }, shown = {}) {
  const query = new URLSearchParams();
  query.set("at", String(at));
  if (time !== null) query.set("t", String(time / 1000));
  if (node) query.set("node", node);
  if (pod) query.set("pod", pod);
  for (const uid of pinned) query.append("pin", uid);
  if (tab) query.set("tab", tab);
  if (card) query.set("card", card);
  if (mix) query.set("mix", mix);
  const { group, resource: by, sort, view, zoom } = shown;
  for (const [name, value] of Object.entries({ group, by, sort, view, zoom })) if (value) query.set(name, value);
  return `?${query}`;
}
