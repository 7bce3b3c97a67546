/* What can happen in a scenario, as the engine declares it: each operation with the fields of its form, an edit to
   begin with, and a phrase that says what it does until the engine has said it better. */

import { count } from "../amounts.js";
import { LATEST } from "./seconds.js";

/** The operations by name, as `learn` was told them. */
const known = new Map();

/** Take over what the engine declares: [{op, title, hint, phrase, blank, fields}]. */
export function learn(operations) {
  for (const operation of operations) known.set(operation.op, operation);
}

export const isKnown = (op) => known.has(op);

export const STARTERS = {
  "a pod": `apiVersion: v1
kind: Pod
metadata:
  name: newcomer
  namespace: default
spec:
  # priorityClassName: a class of the cluster, or one that an edit before this one adds
  containers:
  - name: main
    image: registry.example/app:1
    resources:
      requests:
        cpu: "2"
        memory: 4Gi
`,
  "a Deployment": `apiVersion: apps/v1
kind: Deployment
metadata:
  name: newcomer
  namespace: default
spec:
  replicas: 3
  selector:
    matchLabels: {app: newcomer}
  template:
    metadata:
      labels: {app: newcomer}
    spec:
      containers:
      - name: main
        image: registry.example/app:1
        resources:
          requests: {cpu: 500m, memory: 1Gi}
`,
  "a node": `apiVersion: v1
kind: Node
metadata:
  name: new-node-1
  labels:
    topology.kubernetes.io/zone: zone-a
status:
  allocatable: {cpu: "16", memory: 64Gi, pods: "110"}
`,
  "a disruption budget": `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: keep-two
  namespace: default
spec:
  minAvailable: 2
  selector:
    matchLabels: {app: newcomer}
`,
  "a priority class": `apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata:
  name: urgent
value: 100000
`,
};

/** A new edit of an operation. */
export function blankOf(op) {
  const blank = structuredClone({ op, ...known.get(op).blank });
  return op === "add" ? { ...blank, manifest: STARTERS["a pod"] } : blank;
}

/** The fields of an edit's form; with a clock, those that say when, too. */
export function fieldsOf(edit, hasClock) {
  const fields = known.get(edit.op)?.fields ?? [AT];
  const shown = hasClock ? fields : fields.filter((field) => !field.clock);
  return shown.map((field) => (field.type === "seconds" ? { max: LATEST, ...field } : field));
}

const AT = { name: "at", label: "At, after the run's start", type: "seconds", min: 0, optional: true, clock: true };

export function sentence(edit) {
  const phrase = known.get(edit.op)?.phrase ?? edit.op ?? "An edit without an operation";
  return phrase.replace(/\{(\w+)\}/g, (_, name) => inWords(edit, name));
}

/** The value of a field as a sentence has it. */
function inWords(edit, name) {
  if (name === "manifest") return describeManifest(edit.manifest);
  if (name === "object") return `${edit.kind} ${objectsOf(edit)}`;
  if (name === "nodes") return several(edit, "node", "nodes");
  if (name === "pods") return several(edit, "pod", "pods");
  const value = edit[name];
  if (Array.isArray(value)) return value.join(", ") || "…";
  if (value && typeof value === "object") return Object.entries(value).map(([key, text]) => (text === null ? `${key}-` : `${key}=${text}`)).join(", ") || "…";
  return String(value ?? "") || "…";
}

function objectsOf(edit) {
  if (edit.names) return count(edit.names.length);
  if (edit.selector) return `with ${edit.selector}`;
  return edit.namespace ? `${edit.namespace}/${edit.name || "…"}` : edit.name || "…";
}

function several(edit, one, many) {
  if (edit[many]) return `${count(edit[many].length)} ${edit[many].length === 1 ? one : many}`;
  const by = edit.selector ?? edit.group ?? edit.workload;
  return by === undefined ? edit[one] || "…" : `${many} of ${by || "…"}`;
}

/** What an edit does, without any of its values. */
export const titleOf = (edit) => known.get(edit.op)?.title ?? "An edit";

export function labelOf(edit, name) {
  return fieldsOf(edit, true).find((field) => field.name === name)?.label ?? name;
}

/** The ways to say whom an edit is done to, by the kind of its field. */
export const WAYS = {
  nodes: ["nodes", "selector", "group", "node"],
  pods: ["pods", "selector", "workload", "pod"],
};

/** The labels of what an edit still lacks before it can mean anything. */
export function missing(edit) {
  return (known.get(edit.op)?.fields ?? []).filter((field) => !field.optional && isBlank(edit, field)).map((field) => field.label);
}

function isBlank(edit, { name, type }) {
  if (WAYS[type]) return WAYS[type].every((way) => isEmpty(edit[way]));
  if (type === "workload") return isEmpty(edit.name);
  if (type === "name" && (edit.names || edit.selector)) return false;
  return isEmpty(edit[name]);
}

function isEmpty(value) {
  if (value === undefined || value === null || value === "") return true;
  return Array.isArray(value) ? value.length === 0 : false;
}

function describeManifest(manifest) {
  if (manifest && typeof manifest === "object") {
    return `${manifest.kind ?? "an object"} ${manifest.metadata?.name ?? ""}`.trim();
  }
  const text = String(manifest ?? "");
  const kind = /^kind:\s*(\S+)/m.exec(text)?.[1];
  const name = /^metadata:[\s\S]*?^\s+name:\s*(\S+)/m.exec(text)?.[1];
  return kind ? `${kind} ${name ?? ""}`.trim() : "objects";
}
