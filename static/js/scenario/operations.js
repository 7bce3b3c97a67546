/* What can happen in a scenario: each operation with the fields of its form, an edit to begin with, and a
   sentence that says what it does until the engine has said it better. */

import { LATEST, SHORTEST } from "./seconds.js";

const KINDS = [
  "Pod", "Node", "Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "Job", "PodDisruptionBudget",
  "PriorityClass", "Namespace", "ResourceQuota", "PersistentVolumeClaim",
];
const where = (edit) => (edit.namespace ? `${edit.namespace}/${edit.name || "…"}` : edit.name || "…");
const NODE = { name: "node", label: "Node", type: "node" };
const OBJECT = [
  { name: "kind", label: "Kind", type: "choice", choices: KINDS },
  { name: "namespace", label: "Namespace", type: "namespace", optional: true },
  { name: "name", label: "Name", type: "name" },
];
const AT = { name: "at", label: "At, after the run's start", type: "seconds", min: 0, max: LATEST, optional: true };
const TIMEOUT = { name: "timeout", label: "It gives up after", type: "seconds", min: SHORTEST, max: LATEST, optional: true };
const GRACE_PERIOD = { name: "gracePeriod", label: "It is unreachable after (50 s)", type: "seconds", min: SHORTEST, max: LATEST, optional: true };
const DURATION = { name: "duration", label: "Its pods run for", type: "seconds", min: SHORTEST, max: LATEST, optional: true };

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

export const OPERATIONS = {
  add: {
    title: "Add objects",
    hint: "pods, a workload, a node, a budget …",
    icon: "plus",
    blank: () => ({ op: "add", manifest: STARTERS["a pod"] }),
    fields: [
      { name: "manifest", label: "Manifest (YAML)", type: "manifest" },
      { name: "replicas", label: "Replicas instead of the manifest's", type: "count", optional: true },
    ],
    sentence: (edit) => `Add ${describeManifest(edit.manifest)}${edit.replicas == null ? "" : ` with ${edit.replicas} replicas`}`,
  },
  scale: {
    title: "Scale a workload",
    blank: () => ({ op: "scale", kind: "Deployment", namespace: "", name: "", replicas: 1 }),
    fields: [
      { name: "workload", label: "Workload", type: "workload" },
      { name: "replicas", label: "Replicas", type: "count" },
    ],
    sentence: (edit) => `Scale ${edit.kind} ${where(edit)} to ${edit.replicas}`,
  },
  drain: {
    title: "Drain a node",
    blank: () => ({ op: "drain", node: "" }),
    fields: [NODE],
    sentence: (edit) => `Drain ${edit.node || "…"}`,
  },
  cordon: {
    title: "Cordon a node",
    blank: () => ({ op: "cordon", node: "" }),
    fields: [NODE],
    sentence: (edit) => `Cordon ${edit.node || "…"}`,
  },
  uncordon: {
    title: "Uncordon a node",
    blank: () => ({ op: "uncordon", node: "" }),
    fields: [NODE],
    sentence: (edit) => `Uncordon ${edit.node || "…"}`,
  },
  "stop-kubelet": {
    title: "Lose a node",
    hint: "its kubelet stops; the node becomes unreachable",
    blank: () => ({ op: "stop-kubelet", node: "" }),
    fields: [NODE],
    sentence: (edit) => `Stop the kubelet of ${edit.node || "…"}`,
  },
  "start-kubelet": {
    title: "A node comes back",
    hint: "its kubelet starts",
    blank: () => ({ op: "start-kubelet", node: "" }),
    fields: [NODE],
    sentence: (edit) => `Start the kubelet of ${edit.node || "…"}`,
  },
  "clone-node": {
    title: "Add copies of a node",
    blank: () => ({ op: "clone-node", node: "", count: 1, namePrefix: "" }),
    fields: [
      { ...NODE, label: "Node to copy" },
      { name: "count", label: "Copies", type: "count" },
      { name: "namePrefix", label: "Names begin with", type: "text", optional: true },
    ],
    sentence: (edit) => `Add ${edit.count} ${edit.count === 1 ? "copy" : "copies"} of ${edit.node || "…"}`,
  },
  evict: {
    title: "Evict a pod",
    blank: () => ({ op: "evict", pod: "" }),
    fields: [{ name: "pod", label: "Pod (namespace/name)", type: "pod" }],
    sentence: (edit) => `Evict ${edit.pod || "…"}`,
  },
  delete: {
    title: "Delete an object",
    blank: () => ({ op: "delete", kind: "Pod", namespace: "", name: "" }),
    fields: OBJECT,
    sentence: (edit) => `Delete ${edit.kind} ${where(edit)}`,
  },
  patch: {
    title: "Change an object",
    blank: () => ({ op: "patch", kind: "Node", name: "", patch: { metadata: { labels: {} } } }),
    fields: [...OBJECT, { name: "patch", label: "Merge patch (YAML)", type: "yaml" }],
    sentence: (edit) => `Change ${edit.kind} ${where(edit)}`,
  },
};

/** The fields of an edit's form; with a clock, those that say when, too. */
export function fieldsOf(edit, hasClock) {
  const fields = OPERATIONS[edit.op]?.fields ?? [];
  if (!hasClock) return fields;
  return [...fields, AT, ...({ add: [DURATION], drain: [TIMEOUT], "stop-kubelet": [GRACE_PERIOD] }[edit.op] ?? [])];
}

export function sentence(edit) {
  return OPERATIONS[edit.op]?.sentence(edit) ?? `${edit.op ?? "An edit without an operation"}`;
}

/** What an edit does, without any of its values. */
export const titleOf = (edit) => OPERATIONS[edit.op]?.title ?? "An edit";

export function labelOf(edit, name) {
  return fieldsOf(edit, true).find((field) => field.name === name)?.label ?? name;
}

/** The labels of what an edit still lacks before it can mean anything. */
export function missing(edit) {
  const blank = (value) => value === undefined || value === null || value === "";
  return (OPERATIONS[edit.op]?.fields ?? [])
    .filter((field) => !field.optional && blank(field.type === "workload" ? edit.name : edit[field.name]))
    .map((field) => field.label);
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
