"""Volcano's recorded sessions, mixed: the cluster of one under the configuration of another, both changed."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from random import Random
from typing import Any

import yaml

from scheduler_core.volcano.configuration.scheduler_conf import ConfigurationLoader
from tests.mixtures import made_up

Case = dict[str, Any]
Document = dict[str, Any]

ACTIONS = ("enqueue", "allocate", "backfill", "preempt", "reclaim")
PLUGINS = (
    "priority",
    "gang",
    "conformance",
    "overcommit",
    "drf",
    "predicates",
    "proportion",
    "capacity",
    "nodeorder",
    "binpack",
)
FLAGS = (
    "enableJobOrder",
    "enableJobReady",
    "enableJobPipelined",
    "enableJobStarving",
    "enableJobEnqueued",
    "enableTaskOrder",
    "enablePreemptable",
    "enableReclaimable",
    "enablePreemptive",
    "enableQueueOrder",
    "enablePredicate",
    "enableNodeOrder",
    "enabledOverused",
    "enabledAllocatable",
)
AMOUNTS = ("0", "500m", "1", "2", "4", "8", "16")
MEMORY = ("0", "1Gi", "4Gi", "16Gi", "64Gi")
PHASES = ("", "Pending", "Pending", "Inqueue", "Inqueue", "Running", "Unknown", "Completed")


def session_mixtures(cases: list[Case], seed: int, count: int) -> Iterator[Case]:
    """Yield mixtures of the cases, without what was expected of them; the same for the same seed."""
    random = Random(seed)
    for number in range(count):
        case = deepcopy(random.choice(cases))
        for name in ("expect", "events"):
            case.pop(name, None)
        case["id"], case["sessions"] = f"mixtures/{seed}/{number:05}", 1
        if random.random() < 0.5:
            case["config"] = random.choice(cases)["config"]
        mixer = Mixer(case, random)
        for _ in range(random.randint(1, 14)):
            without_an_object(random.choice(CHANGES), mixer)
        case["config"] = yaml.safe_dump(mixer.config, sort_keys=False)
        yield case


class Mixer:
    """A case that is being changed: its objects by kind, its configuration, and the dice."""

    def __init__(self, case: Case, random: Random) -> None:
        self.random = random
        self.items: list[Document] = case["cluster"]["items"]
        self.config: Document = yaml.load(case["config"], ConfigurationLoader)

    def of(self, kind: str) -> list[Document]:
        return [item for item in self.items if item["kind"] == kind]

    def one(self, kind: str) -> Document:
        return self.random.choice(self.of(kind))

    def options(self) -> list[Document]:
        return [option for tier in self.config["tiers"] for option in tier["plugins"]]

    def amounts(self, *more: str) -> dict[str, str]:
        random = self.random
        made = {}
        if random.random() < 0.8:
            made["cpu"] = random.choice(AMOUNTS)
        if random.random() < 0.6:
            made["memory"] = random.choice(MEMORY)
        for name in ("nvidia.com/gpu", "ephemeral-storage", *more):
            if random.random() < 0.2:
                made[name] = random.choice(("0", "1", "2", "4"))
        return made

    def annotate(self, item: Document, key: str, value: str) -> None:
        item["metadata"].setdefault("annotations", {})[key] = value


# -- configuration -----------------------------------------------------------------------------------


def _actions(mixer: Mixer) -> None:
    chosen = mixer.random.sample(ACTIONS, mixer.random.randint(1, 5))
    if mixer.random.random() < 0.2:
        chosen.append(mixer.random.choice(ACTIONS))
    mixer.config["actions"] = ", ".join(chosen)


def _tiers(mixer: Mixer) -> None:
    options = mixer.options()
    mixer.random.shuffle(options)
    number = mixer.random.randint(1, 3)
    tiers = [options[place::number] for place in range(number)]
    mixer.config["tiers"] = [{"plugins": tier} for tier in tiers if tier]


def _flag(mixer: Mixer) -> None:
    mixer.random.choice(mixer.options())[mixer.random.choice(FLAGS)] = mixer.random.random() < 0.3


def _plugin_away(mixer: Mixer) -> None:
    tier = mixer.random.choice(mixer.config["tiers"])["plugins"]
    if len(tier) > 1:
        tier.remove(mixer.random.choice(tier))


def _plugin(mixer: Mixer) -> None:
    mixer.random.choice(mixer.config["tiers"])["plugins"].append({"name": mixer.random.choice(PLUGINS)})


def _capacity(mixer: Mixer) -> None:
    for option in mixer.options():
        if option["name"] == "proportion":
            option["name"] = "capacity"
            if mixer.random.random() < 0.6:
                option["enableHierarchy"] = True
                option["arguments"] = {"ancestorReclaimLevel": mixer.random.randint(0, 2)}
                _tree(mixer)


def _arguments(mixer: Mixer) -> None:
    random = mixer.random
    arguments: dict[str, dict[str, Any]] = {
        "overcommit": {"overcommit-factor": random.choice([0.5, 1, 1.5, 3.0])},
        "binpack": {
            "binpack.weight": random.choice([0, 1, 5]),
            "binpack.cpu": random.choice([-1, 0, 1, 5]),
            "binpack.resources": "nvidia.com/gpu, pods",
            "binpack.resources.nvidia.com/gpu": random.choice([0, 2]),
        },
        "nodeorder": {
            "leastrequested.weight": random.choice([0, 1, 3]),
            "mostrequested.weight": random.choice([0, 2]),
            "balancedresource.weight": random.choice([0, 1]),
            "podaffinity.weight": random.choice([0, 2]),
        },
        "predicates": {
            random.choice(
                [
                    "predicate.NodeAffinityEnable",
                    "predicate.NodePortsEnable",
                    "predicate.TaintTolerationEnable",
                    "predicate.PodAffinityEnable",
                    "predicate.PodTopologySpreadEnable",
                    "predicate.VolumeBindingEnable",
                    "predicate.CacheEnable",
                ]
            ): random.choice([True, False, "false", "true", "no"])
        },
    }
    for option in mixer.options():
        if option["name"] in arguments and random.random() < 0.5:
            option["arguments"] = arguments[option["name"]]


def _of_actions(mixer: Mixer) -> None:
    name = mixer.random.choice(ACTIONS)
    arguments: Document = {"predicateErrorCacheEnable": mixer.random.random() < 0.5}
    if name == "preempt" and mixer.random.random() < 0.5:
        arguments["enableTopologyAwarePreemption"] = True
    mixer.config["configurations"] = [{"name": name, "arguments": arguments}]


# -- queues ------------------------------------------------------------------------------------------


def _queue(mixer: Mixer) -> None:
    spec = mixer.one("Queue")["spec"]
    random = mixer.random
    match random.choice(["weight", "capability", "guarantee", "deserved", "reclaimable", "priority"]):
        case "weight":
            spec["weight"] = random.randint(1, 5)
        case "capability":
            spec["capability"] = mixer.amounts("pods")
        case "guarantee":
            spec["guarantee"] = {"resource": mixer.amounts()}
        case "deserved":
            spec["deserved"] = mixer.amounts("pods")
        case "reclaimable":
            spec["reclaimable"] = random.random() < 0.5
        case "priority":
            spec["priority"] = random.choice([-1, 0, 1, 5])


def _queue_state(mixer: Mixer) -> None:
    mixer.one("Queue").setdefault("status", {})["state"] = mixer.random.choice(
        ["Open", "Open", "Closed", "Closing", "Unknown", ""]
    )


def _hierarchy(mixer: Mixer) -> None:
    """Let drf see the queues as a tree, which it reads from their annotations."""
    random = mixer.random
    for option in mixer.options():
        if option["name"] == "drf":
            option["enableHierarchy"] = True
        elif option["name"] == "proportion":
            option["name"] = "capacity"
    for queue in mixer.of("Queue"):
        if random.random() < 0.9:
            path = [
                "root",
                *random.sample(["eng", "sci", "ops"], random.randint(0, 2)),
                queue["metadata"]["name"],
            ]
            weights = [random.choice(["1", "2", "4", "0.5", "x"]) for _ in path]
            mixer.annotate(queue, "volcano.sh/hierarchy", "/".join(path))
            mixer.annotate(queue, "volcano.sh/hierarchy-weights", "/".join(weights))


def _another_queue(mixer: Mixer) -> None:
    queue = deepcopy(mixer.one("Queue"))
    queue["metadata"]["name"] = f"queue-{len(mixer.items)}"
    queue["metadata"].pop("uid", None)
    mixer.items.append(queue)
    for group in mixer.of("PodGroup"):
        if mixer.random.random() < 0.3:
            group["spec"]["queue"] = queue["metadata"]["name"]


def _tree(mixer: Mixer) -> None:
    """Put queues below others. Jobs stay where they are, be that a leaf or not."""
    names = [queue["metadata"]["name"] for queue in mixer.of("Queue")]
    if "root" not in names:
        mixer.items.append(
            {
                "apiVersion": "scheduling.volcano.sh/v1beta1",
                "kind": "Queue",
                "metadata": {"name": "root", "creationTimestamp": "2026-03-01T00:00:00Z"},
                "spec": {"weight": 1, "reclaimable": False},
                "status": {"state": "Open"},
            }
        )
    inner = []
    for place in range(mixer.random.randint(1, 3)):
        name = f"inner-{len(mixer.items)}"
        inner.append(name)
        mixer.items.append(
            {
                "apiVersion": "scheduling.volcano.sh/v1beta1",
                "kind": "Queue",
                "metadata": {"name": name, "creationTimestamp": f"2026-03-01T00:00:0{place}Z"},
                "spec": {
                    "weight": 1,
                    "parent": mixer.random.choice(["root", *inner[:-1]]),
                    **({"deserved": mixer.amounts()} if mixer.random.random() < 0.5 else {}),
                    **({"capability": mixer.amounts()} if mixer.random.random() < 0.3 else {}),
                },
                "status": {"state": "Open"},
            }
        )
    for queue in mixer.of("Queue"):
        if queue["metadata"]["name"] in names and queue["metadata"]["name"] != "root":
            queue["spec"]["parent"] = mixer.random.choice(["", "root", *inner, *inner])
            if mixer.random.random() < 0.6:
                queue["spec"]["deserved"] = mixer.amounts()


# -- pod groups --------------------------------------------------------------------------------------


def _group(mixer: Mixer) -> None:
    group, random = mixer.one("PodGroup"), mixer.random
    spec = group["spec"]
    match random.choice(["member", "task", "resources", "none", "phase", "class", "queue", "created"]):
        case "member":
            spec["minMember"] = random.randint(0, 5)
        case "task":
            roles = random.sample(["worker", "ps", "master", "main", "a"], random.randint(1, 2))
            spec["minTaskMember"] = {role: random.randint(0, 3) for role in roles}
        case "resources":
            spec["minResources"] = mixer.amounts("pods", "requests.cpu", "count/pods")
        case "none":
            spec.pop("minResources", None)
        case "phase":
            group["status"] = {"phase": random.choice(PHASES)}
        case "class":
            classes = [one["metadata"]["name"] for one in mixer.of("PriorityClass")]
            spec["priorityClassName"] = random.choice([*classes, "unknown", ""])
        case "queue":
            spec["queue"] = random.choice([*(one["metadata"]["name"] for one in mixer.of("Queue")), "gone"])
        case "created":
            group["metadata"]["creationTimestamp"] = "2026-03-02T08:00:00Z"


def _condition(mixer: Mixer) -> None:
    condition = {
        "type": mixer.random.choice(["Unschedulable", "Scheduled"]),
        "status": "True",
        "reason": "before",
        "transitionID": "x",
    }
    mixer.one("PodGroup").setdefault("status", {"phase": "Inqueue"})["conditions"] = [condition]


def _doubled_group(mixer: Mixer) -> None:
    group = mixer.one("PodGroup")
    _copy_group(mixer, group, f"{group['metadata']['name']}-again{len(mixer.items)}")


def _copy_group(mixer: Mixer, group: Document, name: str) -> None:
    old = group["metadata"]["name"]
    copied = deepcopy(group)
    copied["metadata"]["name"] = name
    copied["metadata"].pop("uid", None)
    mixer.items.append(copied)
    for pod in mixer.of("Pod"):
        annotations = pod["metadata"].get("annotations") or {}
        if annotations.get("scheduling.k8s.io/group-name") == old and not pod["spec"].get("nodeName"):
            _copy_pod(mixer, pod)["metadata"]["annotations"]["scheduling.k8s.io/group-name"] = name


# -- pods --------------------------------------------------------------------------------------------


def _copy_pod(mixer: Mixer, pod: Document) -> Document:
    copied: Document = deepcopy(pod)
    name = f"{pod['metadata']['name'].rpartition('-')[0] or 'pod'}-{len(mixer.items)}"
    copied["metadata"]["name"] = name
    copied["metadata"]["uid"] = f"uid-{name}-{pod['metadata'].get('namespace')}"
    mixer.items.append(copied)
    return copied


def _doubled_pod(mixer: Mixer) -> None:
    for _ in range(mixer.random.randint(1, 3)):
        _copy_pod(mixer, mixer.one("Pod"))


def _requests(mixer: Mixer) -> None:
    resources = mixer.one("Pod")["spec"]["containers"][0].setdefault("resources", {})
    resources["requests"] = mixer.amounts()


def _best_effort(mixer: Mixer) -> None:
    for container in mixer.one("Pod")["spec"]["containers"]:
        container["resources"] = {}


def _init_containers(mixer: Mixer) -> None:
    made = []
    for place in range(mixer.random.randint(1, 2)):
        made.append({"name": f"i{place}", "image": "i", "resources": {"requests": mixer.amounts()}})
        if mixer.random.random() < 0.4:
            made[-1]["restartPolicy"] = "Always"
    mixer.one("Pod")["spec"]["initContainers"] = made


def _overhead(mixer: Mixer) -> None:
    spec = mixer.one("Pod")["spec"]
    if mixer.random.random() < 0.5:
        spec["overhead"] = {"cpu": "100m", "memory": "64Mi"}
    else:
        spec["resources"] = {"requests": {"cpu": "3", "memory": "2Gi"}}


def _resized(mixer: Mixer) -> None:
    pod = mixer.one("Pod")
    name = pod["spec"]["containers"][0]["name"]
    reported = {"name": name, "resources": {"requests": mixer.amounts()}}
    if mixer.random.random() < 0.5:
        reported["allocatedResources"] = {"cpu": mixer.random.choice(AMOUNTS)}
    pod.setdefault("status", {})["containerStatuses"] = [reported]
    if mixer.random.random() < 0.3:
        pod["status"]["conditions"] = [
            {
                "type": "PodResizePending",
                "status": "True",
                "reason": mixer.random.choice(["Infeasible", "Deferred"]),
            }
        ]


def _pod_priority(mixer: Mixer) -> None:
    pod = mixer.one("Pod")
    pod["spec"]["priority"] = mixer.random.choice([-10, 0, 10, 1000])
    if mixer.random.random() < 0.3:
        pod["spec"].pop("priority")
    if mixer.random.random() < 0.2:
        pod["spec"]["priorityClassName"] = "system-node-critical"
    if mixer.random.random() < 0.3:
        mixer.annotate(pod, "volcano.sh/task-priority", mixer.random.choice(["5", "-5", "x", "99999999999"]))


def _pod_annotation(mixer: Mixer) -> None:
    pod, random = mixer.one("Pod"), mixer.random
    match random.choice(["preemptable", "label", "spec", "group"]):
        case "preemptable":
            mixer.annotate(pod, "volcano.sh/preemptable", random.choice(["true", "false", "1", "no"]))
        case "label":
            pod["metadata"].setdefault("labels", {})["volcano.sh/preemptable"] = random.choice(
                ["true", "false"]
            )
        case "spec":
            mixer.annotate(pod, "volcano.sh/task-spec", random.choice(["worker", "ps", "master", ""]))
        case "group":
            names = [group["metadata"]["name"] for group in mixer.of("PodGroup")]
            mixer.annotate(pod, "scheduling.k8s.io/group-name", random.choice([*names, "gone", ""]))


def _pod_phase(mixer: Mixer) -> None:
    pod = mixer.one("Pod")
    pod.setdefault("status", {})["phase"] = mixer.random.choice(
        ["Pending", "Running", "Succeeded", "Failed", "Unknown"]
    )


def _terminating(mixer: Mixer) -> None:
    pod = mixer.one("Pod")
    pod["metadata"]["deletionTimestamp"] = "2026-03-02T09:00:00Z"
    if mixer.random.random() < 0.4:
        pod["status"]["conditions"] = [
            {"type": "DisruptionTarget", "status": "True", "reason": "PreemptionByScheduler"}
        ]


def _placed(mixer: Mixer) -> None:
    """Let a pod run on a node, whether there is room or not."""
    pod = mixer.one("Pod")
    pod["spec"]["nodeName"] = mixer.one("Node")["metadata"]["name"]
    pod["status"] = {"phase": mixer.random.choice(["Running", "Running", "Pending"])}
    if mixer.random.random() < 0.3:
        pod["spec"]["schedulerName"] = "default-scheduler"
        (pod["metadata"].get("annotations") or {}).pop("scheduling.k8s.io/group-name", None)


def _gated(mixer: Mixer) -> None:
    pod = mixer.one("Pod")
    if not pod["spec"].get("nodeName"):
        names = ["volcano.sh/queue-allocation-gate", "scheduling.volcano.sh/queue-allocation-gate", "other"]
        pod["spec"]["schedulingGates"] = [{"name": mixer.random.choice(names)}]


def _policy(mixer: Mixer) -> None:
    mixer.one("Pod")["spec"]["preemptionPolicy"] = mixer.random.choice(["Never", "PreemptLowerPriority"])


def _nomination(mixer: Mixer) -> None:
    pod = mixer.one("Pod")
    if not pod["spec"].get("nodeName"):
        nodes = [node["metadata"]["name"] for node in mixer.of("Node")]
        pod.setdefault("status", {})["nominatedNodeName"] = mixer.random.choice([*nodes, "gone"])


def _affinity(mixer: Mixer) -> None:
    names = [node["metadata"]["name"] for node in mixer.of("Node")]
    mixer.one("Pod")["spec"]["affinity"] = made_up.affinity(mixer.random, names)


def _spread(mixer: Mixer) -> None:
    mixer.one("Pod")["spec"]["topologySpreadConstraints"] = [made_up.spread_constraint(mixer.random)]


def _pod_labels(mixer: Mixer) -> None:
    mixer.one("Pod")["metadata"]["labels"] = made_up.labels(mixer.random)


def _ports(mixer: Mixer) -> None:
    port = {"containerPort": 80, "hostPort": mixer.random.choice([80, 8080])}
    mixer.one("Pod")["spec"]["containers"][0]["ports"] = [port]


def _tolerations(mixer: Mixer) -> None:
    mixer.one("Pod")["spec"]["tolerations"] = [made_up.toleration(mixer.random)]


# -- nodes -------------------------------------------------------------------------------------------


def _node_size(mixer: Mixer) -> None:
    allocatable = mixer.one("Node")["status"]["allocatable"]
    sizes = {
        "cpu": AMOUNTS,
        "memory": MEMORY,
        "pods": ("0", "1", "3", "110"),
        "nvidia.com/gpu": ("0", "1", "4"),
    }
    name = mixer.random.choice(list(sizes))
    allocatable[name] = mixer.random.choice(sizes[name])
    if mixer.random.random() < 0.1:
        allocatable.pop(name)


def _node_away(mixer: Mixer) -> None:
    if len(mixer.of("Node")) > 1 or mixer.random.random() < 0.2:
        gone = mixer.one("Node")
        mixer.items.remove(gone)
        for pod in mixer.of("Pod"):
            if pod["spec"].get("nodeName") == gone["metadata"]["name"]:
                mixer.items.remove(pod)


def _doubled_node(mixer: Mixer) -> None:
    node = deepcopy(mixer.one("Node"))
    name = f"node-{len(mixer.items)}"
    node["metadata"] |= {"name": name, "uid": name}
    node["metadata"].setdefault("labels", {})["kubernetes.io/hostname"] = name
    mixer.items.append(node)


def _taint(mixer: Mixer) -> None:
    mixer.one("Node").setdefault("spec", {})["taints"] = [made_up.taint(mixer.random)]


def _cordon(mixer: Mixer) -> None:
    mixer.one("Node").setdefault("spec", {})["unschedulable"] = True


def _oversubscribed(mixer: Mixer) -> None:
    key = mixer.random.choice(["volcano.sh/oversubscription-cpu", "volcano.sh/oversubscription-memory"])
    mixer.annotate(mixer.one("Node"), key, mixer.random.choice(["1000", "-500", "x", "1_0"]))


CHANGES: tuple[Callable[[Mixer], None], ...] = (
    *(_actions, _tiers, _flag, _flag, _plugin_away, _plugin, _capacity, _hierarchy, _arguments, _of_actions),
    *(_queue, _queue, _queue_state, _another_queue),
    *(_group, _group, _group, _condition, _doubled_group),
    *(_doubled_pod, _requests, _requests, _best_effort, _init_containers, _overhead, _resized),
    *(_pod_priority, _pod_annotation, _pod_phase, _terminating, _placed, _placed, _gated, _policy),
    *(_nomination, _affinity, _spread, _pod_labels, _ports, _tolerations),
    *(_node_size, _node_size, _node_away, _doubled_node, _taint, _cordon, _oversubscribed),
)


def without_an_object(change: Callable[[Mixer], None], mixer: Mixer) -> None:
    """Make a change, or none where there is nothing to change."""
    try:
        change(mixer)
    except IndexError:
        return
