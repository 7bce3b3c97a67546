"""Random operations on the scheduling queue of a release, over mixtures of recorded cases.

Every operation is done on the engine's own queue as well, so that the next one fits: only a pod in flight
can fail, only an object that is there can change.
"""

from collections.abc import Callable, Iterator
from copy import deepcopy
from random import Random

from recorded.kube.queue_cases import QueuePlayer
from scheduler_core.kube.framework_releases.v1_28 import V1_28
from scheduler_core.kube.framework_releases.v1_36 import V1_36
from scheduler_core.kube.release import Release
from scheduler_core.objects.problems import BadInput
from tests.mixtures import made_up, storage_changes
from tests.mixtures.mixing import Case, Document, key_of, mixtures

PLUGINS = (
    "NodeUnschedulable",
    "NodeName",
    "TaintToleration",
    "NodeAffinity",
    "NodePorts",
    "NodeResourcesFit",
    "VolumeRestrictions",
    "NodeVolumeLimits",
    "VolumeBinding",
    "VolumeZone",
    "PodTopologySpread",
    "InterPodAffinity",
    "DynamicResources",
    "NodeDeclaredFeatures",
)
OPERATIONS_A_CASE = 80


def queue_cases(cases: list[Case], seed: int, count: int, release: Release = V1_36) -> Iterator[Case]:
    """Yield queue cases, without what is expected of them; the same for the same seed."""
    random = Random(seed)
    number = 0
    for mixture in mixtures(cases, seed, 10 * count):
        try:
            made = _Maker(mixture, random, release).case(f"queue/{seed}/{number:05}")
        except BadInput:  # a configuration or an object that the engine refuses
            continue
        number += 1
        yield made
        if number == count:
            return


def playable(case: Case, release: Release) -> Case:
    """Return a recorded queue case without the operations that can't be done on a release's queue.

    Other pods may be in flight there, or have come anew. In 1.28 no plugin can ask to wait.
    """
    player, ops = QueuePlayer(case, release), list[Document]()
    for op in case["ops"]:
        if (op["op"] == "pop" and _comes_anew(player)) or (op.get("pending") and release is V1_28):
            continue
        try:
            player.step(op)
        except BadInput:
            continue
        ops.append(op)
    return case | {"ops": ops}


class _Maker:
    """A queue case while it grows: the objects as they are, and who waits to be added."""

    def __init__(self, mixture: Case, random: Random, release: Release) -> None:
        self.random, self.mixture, self.release = random, mixture, release
        items, schedule = mixture["cluster"]["items"], set(mixture["schedule"])
        self.pending = [item for item in items if item["kind"] == "Pod" and key_of(item) in schedule]
        there = [item for item in items if item["kind"] != "Pod" or key_of(item) not in schedule]
        mixture["cluster"]["items"] = there
        self.objects = {_name_of(item): deepcopy(item) for item in there}
        self.ops: list[Document] = []
        self.serial = 0

    def case(self, name: str) -> Case:
        gates = {"SchedulerPopFromBackoffQ": False} if self.random.random() < 0.3 else None
        case = self.mixture | {"id": name, "family": "queue", "schedule": [], "ops": self.ops}
        if gates:
            case["gates"] = gates
        self.player = QueuePlayer(case, self.release)
        while len(self.ops) < OPERATIONS_A_CASE:
            op = self.random.choice(OPERATIONS)(self)
            if op is not None:
                self.ops.append(deepcopy(op))
                self.player.step(self.ops[-1])
        return case

    def fresh(self) -> str:
        self.serial += 1
        return f"n{self.serial}"

    def some(self, kind: str) -> Document | None:
        found = [item for item in self.objects.values() if item["kind"] == kind]
        return self.random.choice(found) if found else None

    def put(self, item: Document) -> Document:
        op = "update" if _name_of(item) in self.objects else "add"
        item["metadata"]["resourceVersion"] = str(10_000 + len(self.ops))
        self.objects[_name_of(item)] = item
        return {"op": op, "object": item}

    def flying(self) -> str | None:
        """Return some pod in flight by the name under which it was popped."""
        popped = [queued.key for queued in self.player.queue.tables.members("in_flight")]
        return self.random.choice(popped) if popped else None


def _name_of(item: Document) -> tuple[str, str]:
    metadata = item["metadata"]
    namespace = metadata.get("namespace")
    return item["kind"], f"{namespace}/{metadata['name']}" if namespace else metadata["name"]


def _new_pod(maker: _Maker) -> Document | None:
    if not maker.pending:
        return None
    pod = deepcopy(maker.random.choice(maker.pending))
    flying = {queued.key for queued in maker.player.queue.tables.members("in_flight")}
    if maker.random.random() < 0.8 or _name_of(pod) in maker.objects or key_of(pod) in flying:
        pod["metadata"]["name"] = maker.fresh()
    pod["metadata"]["uid"] = f"uid-{maker.fresh()}"
    if maker.random.random() < 0.15:
        pod["spec"]["schedulingGates"] = [{"name": "example.com/gate"}]
    if maker.random.random() < 0.15:
        pod.setdefault("status", {})["nominatedNodeName"] = _node_name(maker)
    return maker.put(pod)


def _running_pod(maker: _Maker) -> Document | None:
    made = _new_pod(maker)
    if made is not None:
        made["object"]["spec"]["nodeName"] = _node_name(maker)
        made["object"]["spec"].pop("schedulingGates", None)
    return made


def _node_name(maker: _Maker) -> str:
    node = maker.some("Node")
    return node["metadata"]["name"] if node is not None else "gone"


def _new_node(maker: _Maker) -> Document | None:
    node = maker.some("Node")
    if node is None:
        return None
    node = deepcopy(node)
    node["metadata"]["name"] = node["metadata"]["uid"] = maker.fresh()
    return maker.put(node)


def _changed_node(maker: _Maker) -> Document | None:
    node = maker.some("Node")
    if node is None:
        return None
    node = deepcopy(node)
    for _ in range(maker.random.randint(1, 3)):
        maker.random.choice(NODE_CHANGES)(node, maker.random)
    return maker.put(node)


def _changed_pod(maker: _Maker) -> Document | None:
    pod = maker.some("Pod")
    if pod is None:
        return None
    pod = deepcopy(pod)
    # Several events at once lead the real queue into a fault that is not followed (docs/semantics.md).
    for _ in range(maker.random.choice([1, 1, 1, 2]) if maker.player.queue.pops_early else 1):
        maker.random.choice(POD_CHANGES)(pod, maker.random)
    if maker.random.random() < 0.1 and not pod["spec"].get("nodeName"):
        pod.setdefault("status", {})["nominatedNodeName"] = maker.random.choice(["", _node_name(maker)])
    return maker.put(pod)


def _changed_storage(maker: _Maker) -> Document | None:
    item = maker.some(maker.random.choice(storage_changes.KINDS))
    if item is None or maker.random.random() < 0.3:
        claims = [claim["metadata"]["name"] for claim in maker.objects.values() if _is_claim(claim)]
        return maker.put(storage_changes.made(maker.random, maker.fresh(), claims))
    item = deepcopy(item)
    storage_changes.change(item, maker.random)
    return maker.put(item)


def _is_claim(item: Document) -> bool:
    return bool(item["kind"] == "PersistentVolumeClaim")


def _gone(maker: _Maker) -> Document | None:
    item = maker.some(maker.random.choice(["Pod", "Pod", "Pod", "Node", *storage_changes.KINDS]))
    if item is None:
        return None
    kind, key = _name_of(item)
    del maker.objects[kind, key]
    return {"op": "delete", "delete": f"{kind} {key}"}


def _pop(maker: _Maker) -> Document | None:
    """Pop a pod, unless one in flight has come anew: a scheduler tries one pod after the other."""
    return None if _comes_anew(maker.player) else {"op": "pop"}


def _comes_anew(player: QueuePlayer) -> bool:
    return any(queued.again is not None for queued in player.queue.tables.members("in_flight"))


def _failed(maker: _Maker) -> Document | None:
    pod = maker.flying()
    if pod is None:
        return None
    op: Document = {"op": "fail", "pod": pod}
    if maker.random.random() < 0.12:
        op["error"] = True
    else:
        op["plugins"] = maker.random.sample(PLUGINS, maker.random.choice([1, 1, 2, 3]))
        if maker.random.random() < 0.1 and maker.release is not V1_28:
            op["pending"] = [maker.random.choice(PLUGINS)]
    if maker.random.random() < 0.3:
        op["nominate"] = maker.random.choice(["", _node_name(maker)])
    return op


def _succeeded(maker: _Maker) -> Document | None:
    pod = maker.flying()
    if pod is None:
        return None
    node = _node_name(maker)
    item = maker.objects.get(("Pod", pod))
    if item is not None:
        item = deepcopy(item)
        item["spec"]["nodeName"] = node
        item.setdefault("status", {}).pop("nominatedNodeName", None)
        maker.objects["Pod", pod] = item
    return {"op": "done", "pod": pod, "node": node}


def _activated(maker: _Maker) -> Document | None:
    pods = [key for kind, key in maker.objects if kind == "Pod"]
    chosen = maker.random.sample(pods, min(len(pods), maker.random.randint(1, 2)))
    return {"op": "activate", "pods": [*chosen, "default/stranger"]}


def _time(maker: _Maker) -> Document | None:
    return {"op": "clock", "seconds": maker.random.choice([0.1, 0.5, 0.997, 1, 2, 3.5, 7, 11, 301])}


def _flush(maker: _Maker) -> Document | None:
    return {"op": maker.random.choice(["flush_backoff", "flush_backoff", "flush_unschedulable"])}


OPERATIONS: tuple[Callable[[_Maker], Document | None], ...] = (
    *(_new_pod,) * 5,
    *(_pop,) * 10,
    *(_failed,) * 10,
    *(_changed_node,) * 4,
    *(_changed_pod,) * 4,
    *(_changed_storage,) * 3,
    *(_running_pod, _new_node, _gone, _activated, _time, _flush) * 2,
    _succeeded,
)


# -- changes of one object ---------------------------------------------------------------------------


def _relabel(item: Document, random: Random) -> None:
    of_node = item["kind"] == "Node"
    labels = item["metadata"].setdefault("labels", {})
    if labels and random.random() < 0.4:
        del labels[random.choice(sorted(labels))]
    elif of_node:
        labels[random.choice(made_up.NODE_KEYS)] = random.choice(made_up.NODE_VALUES)
    else:
        labels[random.choice(made_up.POD_KEYS)] = random.choice(made_up.POD_VALUES)


def _taint(node: Document, random: Random) -> None:
    taints = [made_up.taint(random) for _ in range(random.randint(0, 2))]
    node.setdefault("spec", {})["taints"] = taints
    if taints and random.random() < 0.2:
        taints[0]["timeAdded"] = f"2026-06-01T00:00:0{random.randint(0, 9)}Z"


def _cordon(node: Document, random: Random) -> None:
    spec = node.setdefault("spec", {})
    spec["unschedulable"] = not spec.get("unschedulable")


def _resize(node: Document, random: Random) -> None:
    amounts = node["status"].setdefault("allocatable", {})
    name = random.choice(["cpu", "memory", "pods", *made_up.REQUESTS])
    if name in amounts and random.random() < 0.2:
        del amounts[name]
    else:
        amounts[name] = random.choice(["0", "1", "4", "8", "64", "200", "1Gi", "300Gi"])


def _condition(node: Document, random: Random) -> None:
    status = random.choice(["True", "False", "Unknown"])
    node["status"]["conditions"] = [{"type": "Ready", "status": status}]


def _annotate(node: Document, random: Random) -> None:
    node["metadata"].setdefault("annotations", {})["example.com/note"] = random.choice("abc")


def _declare(node: Document, random: Random) -> None:
    features = ["RestartAllContainersOnContainerExits", "UserNamespacesHostNetworkSupport"]
    node["status"]["declaredFeatures"] = features[: random.randint(0, 2)]


NODE_CHANGES = (_relabel, _taint, _taint, _cordon, _resize, _resize, _condition, _annotate, _declare)


def _tolerate(pod: Document, random: Random) -> None:
    tolerations = pod["spec"].setdefault("tolerations", [])
    tolerations.append(made_up.toleration(random))


def _shrink(pod: Document, random: Random) -> None:
    container = pod["spec"]["containers"][0]
    requests = container.setdefault("resources", {}).setdefault("requests", {})
    for name in requests:
        if random.random() < 0.6:
            requests[name] = random.choice(["0", "1", "50m", "2"])


def _ungate(pod: Document, random: Random) -> None:
    pod["spec"].pop("schedulingGates", None)


def _claims(pod: Document, random: Random) -> None:
    statuses = [{"name": "gpu", "resourceClaimName": random.choice("ab")}]
    pod.setdefault("status", {})["resourceClaimStatuses"] = statuses


def _terminate(pod: Document, random: Random) -> None:
    pod["metadata"]["deletionTimestamp"] = "2026-06-01T00:01:00Z"
    pod["metadata"]["deletionGracePeriodSeconds"] = 30


def _host_users(pod: Document, random: Random) -> None:
    pod["spec"]["hostNetwork"], pod["spec"]["hostUsers"] = True, random.random() < 0.3


POD_CHANGES = (_relabel, _relabel, _tolerate, _tolerate, _shrink, _ungate, _claims, _terminate, _host_users)
