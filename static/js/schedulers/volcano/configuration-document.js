/* Volcano's configuration as a document, read and changed part by part: the form draws it, and nothing is kept beside it.
   Each change returns a new document. Pure. */

const BEFORE_BACKFILL = ["preempt", "reclaim"];

export const actionsIn = (document) => String(document.actions ?? "").split(",").map((name) => name.trim()).filter(Boolean);
export const tiersIn = (document) => (Array.isArray(document.tiers) ? document.tiers : []).map((tier) => (Array.isArray(tier?.plugins) ? tier.plugins : []));

/** Whether a document has the form's parts: actions as a text, tiers of plugins with names. Others are changed as text alone. */
export function isReadable(document) {
  if (!isMapping(document) || typeof document.actions !== "string") return false;
  const tiers = document.tiers ?? [];
  const isTier = (tier) => isMapping(tier) && Array.isArray(tier.plugins ?? []) && (tier.plugins ?? []).every(isPlugin);
  return Array.isArray(tiers) && tiers.every(isTier);
}

const isMapping = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const isPlugin = (plugin) => isMapping(plugin) && typeof plugin.name === "string" && isMapping(plugin.arguments ?? {});

const withActions = (document, names) => ({ ...document, actions: names.join(", ") });
const withTiers = (document, tiers) => ({
  ...document,
  tiers: tiers.map((plugins, place) => ({ ...document.tiers?.[place], plugins })).filter(({ plugins }) => plugins.length),
});

/** The document with an action or without it; preempt and reclaim come before backfill, as Volcano's own files have them. */
export function withAction(document, name, isOn) {
  const names = actionsIn(document).filter((one) => one !== name);
  if (!isOn) return withActions(document, names);
  const backfill = BEFORE_BACKFILL.includes(name) ? names.indexOf("backfill") : -1;
  return withActions(document, backfill < 0 ? [...names, name] : names.toSpliced(backfill, 0, name));
}

/** The document with an action by so many places earlier or later. */
export function moveAction(document, name, by) {
  const names = actionsIn(document);
  const from = names.indexOf(name);
  const to = from + by;
  if (from < 0 || to < 0 || to >= names.length) return document;
  return withActions(document, names.toSpliced(from, 1).toSpliced(to, 0, name));
}

/** The document with one plugin changed; `change(plugin)` returns the new one, null for none. */
function withPlugin(document, [tier, place], change) {
  const tiers = tiersIn(document).map((plugins) => [...plugins]);
  const changed = change(tiers[tier][place]);
  tiers[tier].splice(place, 1, ...(changed ? [changed] : []));
  return withTiers(document, tiers);
}

/** The document with a plugin at the end of a tier; a tier that isn't there yet is made. */
export function addPlugin(document, tier, name) {
  const tiers = tiersIn(document).map((plugins) => [...plugins]);
  (tiers[tier] ??= []).push({ name });
  return withTiers(document, tiers);
}

export const removePlugin = (document, at) => withPlugin(document, at, () => null);

/** The document with a plugin one place earlier or later; from an end of its tier it goes to the next one. */
export function movePlugin(document, [tier, place], by) {
  const tiers = tiersIn(document).map((plugins) => [...plugins]);
  const [plugin] = tiers[tier].splice(place, 1);
  const to = place + by;
  if (to >= 0 && to <= tiers[tier].length) tiers[tier].splice(to, 0, plugin);
  else if (by < 0 && tier > 0) tiers[tier - 1].push(plugin);
  else if (by > 0 && tiers[tier].length) (tiers[tier + 1] ??= []).unshift(plugin);
  else return document;
  return withTiers(document, tiers);
}

/** The document with a plugin's argument; undefined takes it away. */
export function withArgument(document, at, key, value) {
  return withPlugin(document, at, (plugin) => {
    const { [key]: _, ...others } = plugin.arguments ?? {};
    const given = value === undefined ? others : { ...plugin.arguments, [key]: value };
    const { arguments: __, ...bare } = plugin;
    return Object.keys(given).length ? { ...bare, arguments: given } : bare;
  });
}

/** The document with one of a plugin's functions switched on or off; undefined leaves it to Volcano's default. */
export function withFlag(document, at, flag, isOn) {
  return withPlugin(document, at, (plugin) => {
    const { [flag]: _, ...others } = plugin;
    return isOn === undefined ? others : { ...plugin, [flag]: isOn };
  });
}

/** What a typed argument is: a number or a truth value where it reads so, as YAML would have it. */
export function argumentOf(text) {
  const trimmed = text.trim();
  if (trimmed === "true" || trimmed === "false") return trimmed === "true";
  return /^-?\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) : trimmed;
}

/** @type {(document: any, name: string) => [number, number] | null} */
const placeOf = (document, name) => {
  for (const [tier, plugins] of tiersIn(document).entries()) {
    const place = plugins.findIndex((plugin) => plugin.name === name);
    if (place >= 0) return [tier, place];
  }
  return null;
};

const renamed = (document, name, other) => withPlugin(document, placeOf(document, name), ({ arguments: _, ...plugin }) => ({ ...plugin, name: other }));

/**
 * The ready variants that differ from a document: [{title, document}]. `ready`: the actions that are worth switching, pairs of
 * plugins of which one stands for the other, and weights as [plugin, argument, value, title].
 */
export function variantsOf(document, { actions, pairs, weights }) {
  const has = (name) => actionsIn(document).includes(name);
  const found = actions.map((name) => ({ title: `${has(name) ? "without" : "with"} ${name}`, document: withAction(document, name, !has(name)) }));
  for (const [one, other] of [...pairs, ...pairs.map((pair) => [...pair].reverse())]) {
    if (placeOf(document, one) && !placeOf(document, other)) found.push({ title: `${other} for ${one}`, document: renamed(document, one, other) });
  }
  for (const [plugin, argument, value, title] of weights) {
    const at = placeOf(document, plugin);
    if (at) found.push({ title, document: withArgument(document, at, argument, value) });
  }
  return found.filter((variant) => JSON.stringify(variant.document) !== JSON.stringify(document));
}
