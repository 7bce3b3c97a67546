// What a fold holds of the network: the hyper nodes of each tier and their nodes. Only this file knows the table by name. Pure.

import { byName } from "./names.js";

const TABLE = "hyper_nodes";
const OF_TIER = "tier:";
const kept = new WeakMap();

/** By which tiers nodes can be grouped: [{key, label}], the lowest first. */
export function tierGroupings(fold) {
  const tiers = new Set(present(fold).map(({ tier }) => tier));
  return [...tiers].sort((a, b) => a - b).map((tier) => ({ key: `${OF_TIER}${tier}`, label: `hyper node of tier ${tier}` }));
}

/** The hyper node of each node by the node's name, now and in the tier that nodes are grouped by; null for another grouping. */
export function hyperNodesBy(fold, group) {
  if (!group.startsWith(OF_TIER)) return null;
  const known = kept.get(fold);
  if (known?.at === fold.at && known.group === group) return known.found;
  const tier = Number(group.slice(OF_TIER.length));
  const found = new Map();
  const rows = present(fold).filter((row) => row.tier === tier).sort((a, b) => byName(a.name, b.name));
  for (const { name, nodes } of rows) for (const node of nodes) if (!found.has(node)) found.set(node, name);
  kept.set(fold, { at: fold.at, group, found });
  return found;
}

/** Stands for which nodes are in which hyper node now, so that two moments can be compared; "" for another grouping. */
export function placesIn(fold, group) {
  return JSON.stringify([...(hyperNodesBy(fold, group) ?? [])]);
}

function present(fold) {
  const { ids, rows, present: is } = fold.tables.table(TABLE);
  return ids.map((_, i) => rows[i]).filter((_, i) => is[i]);
}
