"""Changes to a recorded case, and the mixture that a few of them make of it."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from random import Random
from typing import Any

from tests.mixtures import made_up

Case = dict[str, Any]
Document = dict[str, Any]


def mixtures(cases: list[Case], seed: int, count: int) -> Iterator[Case]:
    """Yield mixtures of the cases, without what was expected of them; the same for the same seed.

    A case without nodes or pods has nothing that could be mixed, and is left out.
    """
    random = Random(seed)
    mixable = [case for case in cases if {"Node", "Pod"} <= {one["kind"] for one in case["cluster"]["items"]}]
    for number in range(count):
        case = deepcopy(random.choice(mixable))
        case.pop("expect", None)
        case["id"] = f"mixtures/{seed}/{number:05}"
        for _ in range(random.randint(1, 16)):
            random.choice(CHANGES)(_Mixer(case, random))
        yield case


class _Mixer:
    """A case that is being changed: its nodes and pods, and the dice."""

    def __init__(self, case: Case, random: Random) -> None:
        self.case, self.random = case, random
        self.items: list[Document] = case["cluster"]["items"]
        self.nodes = [item for item in self.items if item["kind"] == "Node"]
        self.pods = [item for item in self.items if item["kind"] == "Pod"]

        release = ".".join(case["engine"].rpartition("v")[2].split(".")[:2])
        self.is_older = release in ("1.8", "1.9", "1.11", "1.13")
        self.is_oldest = release in ("1.8", "1.9")

    def node(self) -> Document:
        return self.random.choice(self.nodes)

    def node_names(self) -> list[str]:
        return [node["metadata"]["name"] for node in self.nodes]

    def selectable_names(self) -> list[str]:
        """Return the names by which a term can select nodes; 1.8 and 1.9 knew no `matchFields`."""
        return [] if self.is_oldest else self.node_names()

    def pod(self) -> Document:
        """Return some pod; every second time one that is to be scheduled."""
        asked = [pod for pod in self.pods if key_of(pod) in self.case["schedule"]]
        return self.random.choice(asked if asked and self.random.random() < 0.5 else self.pods)

    def some(self, make: Callable[..., Any], *more: Any, most: int = 3) -> list[Any]:
        return [make(self.random, *more) for _ in range(self.random.randint(1, most))]

    def named(self, make: Callable[..., Any], prefix: str) -> list[Any]:
        return [make(self.random, f"{prefix}{place}") for place in range(self.random.randint(1, 3))]

    def containers(self, prefix: str) -> list[Document]:
        """Return containers without what the engine does not follow a release in."""
        made = self.named(made_up.container, prefix)
        for container in made:
            for amounts in container["resources"].values():
                if self.is_oldest:
                    amounts.pop("ephemeral-storage", None)
            if self.is_older and not self.is_oldest:
                container.pop("ports", None)
        return made


def key_of(pod: Document) -> str:
    return f"{pod['metadata']['namespace']}/{pod['metadata']['name']}"


def _affinity(mixer: _Mixer) -> None:
    mixer.pod()["spec"]["affinity"] = made_up.affinity(mixer.random, mixer.selectable_names())


def _spread(mixer: _Mixer) -> None:
    if mixer.is_older:
        return
    constraints = mixer.some(made_up.spread_constraint)
    distinct = {(one["topologyKey"], one["whenUnsatisfiable"]): one for one in constraints}
    mixer.pod()["spec"]["topologySpreadConstraints"] = list(distinct.values())


def _node_selector(mixer: _Mixer) -> None:
    chosen = {mixer.random.choice(made_up.NODE_KEYS): mixer.random.choice(made_up.NODE_VALUES)}
    mixer.pod()["spec"]["nodeSelector"] = chosen


def _tolerations(mixer: _Mixer) -> None:
    mixer.pod()["spec"]["tolerations"] = mixer.some(made_up.toleration)


def _containers(mixer: _Mixer) -> None:
    mixer.pod()["spec"]["containers"] = mixer.containers("c")


def _init_containers(mixer: _Mixer) -> None:
    made = mixer.containers("init")
    if not mixer.is_older:
        for container in made:
            if mixer.random.random() < 0.5:
                container["restartPolicy"] = "Always"
    mixer.pod()["spec"]["initContainers"] = made


def _volumes(mixer: _Mixer) -> None:
    spec = mixer.pod()["spec"]
    claimed = [one for one in spec.get("volumes") or () if not one["name"].startswith("mixed")]
    spec["volumes"] = claimed + mixer.named(made_up.volume, "mixed")


def _pod_labels(mixer: _Mixer) -> None:
    mixer.pod()["metadata"]["labels"] = made_up.labels(mixer.random)


def _priority(mixer: _Mixer) -> None:
    spec = mixer.random.choice(mixer.pods)["spec"]
    spec.pop("priorityClassName", None)
    spec["priority"] = mixer.random.choice(made_up.PRIORITIES)
    if mixer.random.random() < 0.15:
        del spec["priority"]


def _preemption_policy(mixer: _Mixer) -> None:
    if not mixer.is_older:
        mixer.pod()["spec"]["preemptionPolicy"] = mixer.random.choice(["Never", "PreemptLowerPriority"])


def _nomination(mixer: _Mixer) -> None:
    waiting = [pod for pod in mixer.pods if not pod["spec"].get("nodeName")]
    if not waiting:
        return
    pod = mixer.random.choice(waiting)
    node = mixer.random.choice([*mixer.node_names(), "gone"])
    if mixer.is_oldest:
        pod["metadata"].setdefault("annotations", {})["NominatedNodeName"] = node
    else:
        pod.setdefault("status", {})["nominatedNodeName"] = node


def _terminating(mixer: _Mixer) -> None:
    pod = mixer.random.choice(mixer.pods)
    if pod["spec"].get("nodeName"):
        pod["metadata"]["deletionTimestamp"] = "2018-10-20T03:00:00Z"


def _taints(mixer: _Mixer) -> None:
    mixer.node().setdefault("spec", {})["taints"] = mixer.some(made_up.taint, most=2)


def _cordon(mixer: _Mixer) -> None:
    mixer.node().setdefault("spec", {})["unschedulable"] = mixer.random.random() < 0.7


def _node_label(mixer: _Mixer) -> None:
    labels = mixer.node()["metadata"].setdefault("labels", {})
    if labels and mixer.random.random() < 0.5:
        del labels[mixer.random.choice(list(labels))]
    else:
        labels[mixer.random.choice(made_up.NODE_KEYS)] = mixer.random.choice(made_up.NODE_VALUES)


def _allocatable(mixer: _Mixer) -> None:
    sizes = {"cpu": ["0", "1", "4", "2500m"], "memory": ["0", "1Gi", "8Gi"], "pods": ["1", "3", "110"]}
    name = mixer.random.choice([*sizes, *made_up.REQUESTS])
    mixer.node()["status"]["allocatable"][name] = mixer.random.choice(sizes.get(name, ["1", "2", "4Gi"]))


def _images(mixer: _Mixer) -> None:
    mixer.node()["status"]["images"] = made_up.images(mixer.random)


def _selecting_object(mixer: _Mixer) -> None:
    kind = mixer.random.choice(["Service", "ReplicationController", "ReplicaSet", "PodDisruptionBudget"])
    number = len(mixer.items)
    namespace = mixer.random.choice(made_up.NAMESPACES)
    metadata = {"name": f"mixed-{number}", "uid": f"mixed-{number}", "namespace": namespace}
    labels = {mixer.random.choice(made_up.POD_KEYS): mixer.random.choice(made_up.POD_VALUES)}
    by_labels = kind in ("Service", "ReplicationController")
    version = {"ReplicaSet": "apps/v1", "PodDisruptionBudget": "policy/v1"}.get(kind, "v1")
    made: Document = {"apiVersion": version, "kind": kind, "metadata": metadata}
    made["spec"] = {"selector": labels if by_labels else made_up.selector(mixer.random)}
    if kind == "PodDisruptionBudget":
        made["status"] = {"disruptionsAllowed": mixer.random.choice([0, 0, 1, 2])}
    mixer.items.append(made)


CHANGES: tuple[Callable[[_Mixer], None], ...] = (
    *(_affinity,) * 4,
    *(_spread,) * 2,
    *(_containers,) * 2,
    _node_selector,
    _tolerations,
    _init_containers,
    _volumes,
    _pod_labels,
    _priority,
    _preemption_policy,
    _nomination,
    _terminating,
    _taints,
    _cordon,
    _node_label,
    _allocatable,
    _images,
    _selecting_object,
)
