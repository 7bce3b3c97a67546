/* What is done to ticked rows, as edits, and what the engine says of them in one line. Rows are named as edits name them:
   a node by its name, a pod as namespace/name, a workload or a job as Kind/namespace/name. */

import { amount, count } from "./amounts.js";
import { readLabels } from "./labels.js";

/** So many figures that change stand in the line. */
const FIGURES = 4;

const parted = (text) => text.split(/[\s,]+/).filter(Boolean);

/** How the text of a field is read, by the field's kind; undefined for one that says nothing. */
const READ = {
  text: (text) => text,
  count: (text) => (/^\d+$/.test(text) ? Number(text) : text),
  texts: parted,
  labels: (text) => readLabels(text).labels,
};

/** What is wrong with the text of fields [{kind, text}]; empty where all can be read. */
export function faultIn(fields) {
  return fields.map(({ kind, text }) => (kind === "labels" ? readLabels(text).message : "")).find(Boolean) ?? "";
}

/** The values of fields [{name, kind, text}] that say something. */
export function valuesOf(fields) {
  return Object.fromEntries(fields.filter(({ text }) => text.trim()).map(({ name, kind, text }) => [name, READ[kind](text.trim())]));
}

/** The edits of all rows that are ticked, in the order in which they were. */
export function editsOf(list, op, keys, values = {}) {
  if (list === "nodes") return [op === "delete" ? { op, kind: "Node", names: keys } : { op, nodes: keys, ...values }];
  if (op === "delete") return deletions(list, keys);
  if (list === "pods") return [{ op, pods: keys, ...values }];
  if (op === "evict") return keys.map((workload) => ({ op, workload }));
  return keys.map((key) => ({ op, ...workloadOf(key), ...(op === "patch" ? { patch: { spec: values } } : values) }));
}

function workloadOf(key) {
  const [kind, namespace, name] = key.split("/");
  return { kind, namespace, name };
}

/** One deletion for each kind and namespace. */
function deletions(list, keys) {
  const groups = new Map();
  for (const key of keys) {
    const { kind, namespace, name } = list === "pods" ? workloadOf(`Pod/${key}`) : workloadOf(key);
    const group = groups.get(`${kind}/${namespace}`) ?? { op: "delete", kind, namespace, names: [] };
    group.names.push(name);
    groups.set(`${kind}/${namespace}`, group);
  }
  return [...groups.values()];
}

const leave = (pods, how = "") => `${count(pods)} ${pods === 1 ? "pod leaves" : "pods leave"}${how}`;

/** What the engine's answer to a trial of these edits comes to: {op, asked: the edits}. */
export function effectOf({ problems, edits, figures, untried }, { op, asked }) {
  if (problems.length) return problemIn(problems, asked);
  if (!edits.length) return untried;
  if (op !== "drain" && op !== "evict") return changedIn(figures);
  const evictions = sum(edits, "evictions");
  const budgets = sum(edits, "budgets");
  const touched = budgets ? `${count(budgets)} ${budgets === 1 ? "budget is" : "budgets are"} touched` : "no budget is touched";
  return `${leave(evictions, op === "drain" ? " in a drain" : "")}, ${touched}`;
}

const sum = (edits, field) => edits.reduce((total, edit) => total + edit[field], 0);

/** The first thing that is wrong, with the row that it is about, and how many there are. */
function problemIn(problems, asked) {
  const [{ object, message }] = problems;
  const edit = asked[Number(/^edits\[(\d+)\]/.exec(object ?? "")?.[1] ?? -1)];
  const row = edit?.workload ?? (edit?.name ? `${edit.kind}/${edit.namespace}/${edit.name}` : "");
  const rest = problems.length - 1;
  return [row && !message.includes(row) && `${row}: `, message, rest ? `, and ${count(rest)} more` : ""].filter(Boolean).join("");
}

/** Which figures of the cluster are others before the first decision. */
function changedIn(figures) {
  const changed = figures.filter((row) => row.before !== row.after);
  if (!changed.length) return "no figure of the cluster changes before the first decision";
  return changed.slice(0, FIGURES).map((row) => `${row.what} ${amount(row.resource, row.before)} → ${amount(row.resource, row.after)}`).join(" · ");
}
