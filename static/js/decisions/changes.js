// The changes that a decision made to the state, each in words. Pure: a list of phrases, and as plain text too.

import { jobName } from "../job-names.js";
import { node, strong, words } from "../debugger/words/phrases.js";
import { count } from "../debugger/words/units.js";
import { NODE_PODS, NODES, PODS, QUEUE } from "../effects.js";

const GROUPS = "groups";

/** What a change by each verb says; one by another verb is shown with its fields. */
const SAID = {
  set: (change, of) => [...of.row(change), ...written(change)],
  appear: (change, of) => [...of.row(change), words(change.table === PODS ? " comes into being" : " appears")],
  vanish: (change, of) => [
    ...of.row(change),
    words(" is gone"),
    ...(change.row.node ? [words(" from "), node(change.row.node)] : []),
  ],
  join: (change, of) => [of.member(change), words(" enters "), ...place(change)],
  leave: (change, of) => [of.member(change), words(" leaves "), ...place(change), ...filling(change, of)],
  move_all: ({ list, of: from, to, count: all }) => [
    words(`All ${count(all)} of `),
    ...group(list, from),
    words(" move to "),
    ...group(list, to),
  ],
};

/** What a field of a pod says by its new and its old value; null where it says no more than any field. */
const FIELDS = {
  node: (on) => (on ? [words("is bound to "), node(on)] : [words("is on no node any more")]),
  nominated: (on, before) => [
    words("is nominated to "),
    on ? node(on) : words("no node"),
    ...(before ? [words(" instead of "), node(before)] : []),
  ],
  start_time: (at) => at && [words(`starts at ${at}`)],
  evicted: (isSo) => isSo && [words("is evicted")],
  terminating: (isSo) => isSo && [words("begins terminating")],
};

/**
 * The parts of each change's line. `cardOf(uid)` is a pod's card {uid, namespace, name}, or undefined for one that
 * isn't known.
 */
export function changeLines({ changes }, cardOf) {
  const pod = (uid) => podOf(cardOf(uid)) ?? strong(String(uid));
  const row = ({ table, id, row: of }) => {
    if (table === PODS) return [podOf(of) ?? pod(id)];
    return table === NODES ? [node(id)] : [table === GROUPS ? strong(jobName(id)) : pod(id), words(` of ${table}`)];
  };
  const member = ({ list, id }) => (isOfPods(list) ? pod(id) : strong(id));
  return (changes ?? []).map((change) => lineOf(change, { row, member }));
}

function lineOf(change, of) {
  try {
    if (Object.hasOwn(SAID, change.verb)) return SAID[change.verb](change, of);
  } catch {
    // A change by a known verb without its fields says what it has.
  }
  return fieldsOf(change);
}

/** A change by a verb that isn't known: the verb, and every other field with its value. */
function fieldsOf({ verb, ...fields }) {
  const values = Object.entries(fields).map(([name, value]) => `${name} ${shown(value)}`);
  return [strong(String(verb ?? "change")), words(values.length ? `: ${values.join(", ")}` : "")];
}

/** Each field that got a value, one after the other. */
function written({ table, old, new: values }) {
  if (!Object.keys(values).length) return [words(" stays as it is")];
  return Object.entries(values).flatMap(([field, value], i) => {
    const told = table === PODS && Object.hasOwn(FIELDS, field) && FIELDS[field](value, old[field]);
    return [words(i ? ", " : " "), ...(told || [words(became(field, value, old[field]))])];
  });
}

/** A field and its values; of a list of things with names only those that differ, and what of them. */
function became(field, value, before) {
  if (isOfNamed(value) && isOfNamed(before)) {
    const known = new Map(before.map((one) => [one.name, leavesOf(one)]));
    const said = value.flatMap((one) => differences(one.name, leavesOf(one), known.get(one.name) ?? {}));
    if (said.length) return `${field}: ${said.join(", ")}`;
  }
  return `${field} ${shown(value)} instead of ${shown(before)}`;
}

function isOfNamed(list) {
  return Array.isArray(list) && list.length > 0 && list.every((one) => typeof one?.name === "string");
}

/** "worker Running 3 instead of 0"; a number that isn't there is 0. */
function differences(name, now, before) {
  const [first, ...more] = Object.keys({ ...before, ...now })
    .filter((key) => shown(now[key]) !== shown(before[key]))
    .map((key) => `${key} ${shown(now[key] ?? 0)} instead of ${shown(before[key] ?? 0)}`);
  return first ? [`${name} ${first}`, ...more] : [];
}

/** The plain values of a thing, and of the things in it. */
function leavesOf(thing) {
  const pairs = Object.entries(thing).flatMap(([key, value]) =>
    value !== null && typeof value === "object" && !Array.isArray(value) ? Object.entries(value) : [[key, value]],
  );
  return Object.fromEntries(pairs);
}

function filling({ list, filler, order }, of) {
  if (!filler) return [];
  return [words("; "), of.member({ list, id: filler.id }), words(` takes its place, ${filler.order} → ${order}`)];
}

/** A place in a list, by its order. */
function place({ list, of, order }) {
  return [...group(list, of), words(` at ${order}`)];
}

function group(list, of) {
  if (list === NODE_PODS) return [words("the pods on "), node(of)];
  if (list.startsWith(QUEUE)) return [words(`${of} of ${list.slice(QUEUE.length)}'s queue`)];
  return [words(`${of} of ${list}`)];
}

function isOfPods(list) {
  return list === NODE_PODS || list.startsWith(QUEUE);
}

function podOf(card) {
  if (!card?.name) return null;
  const { namespace, name, uid } = card;
  return { text: `${namespace}/${name}`, strong: true, pod: uid };
}

function shown(value) {
  return typeof value === "string" ? value || "(empty)" : JSON.stringify(value);
}
