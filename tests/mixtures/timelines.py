"""Random timelines for the scheduler in virtual time, over mixtures of recorded cases.

Much happens close together, so that it meets attempts that are under way: pods come at one instant, change
and go while they are tried, nodes go and come back, claims and volumes come late.
"""

from collections.abc import Callable, Iterator
from copy import deepcopy
from random import Random

from scheduler_core.kube.gates import GROUP_GATES
from tests.mixtures import made_up, storage_changes
from tests.mixtures.mixing import Case, Document, key_of, mixtures
from tests.mixtures.queue_operations import NODE_CHANGES, POD_CHANGES

ATTEMPTS = (0.01, 0.1, 0.3, 0.75, 2)
LATE_KINDS = (
    "PersistentVolume",
    "PersistentVolumeClaim",
    "StorageClass",
    "CSINode",
    "CSIDriver",
    "CSIStorageCapacity",
)
EARLY_POPS = "SchedulerPopFromBackoffQ"


def timed_cases(cases: list[Case], seed: int, count: int, *, gangs: bool = False) -> Iterator[Case]:
    """Yield timed cases, without what is expected of them; the same for the same seed.

    `gangs`: of cases that have pod groups alone, else of all others.

    Where two pods of one priority come at one instant, the real scheduler tries first whom it happens to;
    such cases are not made.
    """
    random = Random(seed)
    usable = [case for case in cases if _is_usable(case, gangs=gangs)]
    for number, mixture in enumerate(mixtures(usable, seed, count)):
        yield _Maker(mixture, random).case(f"timed/{seed}/{number:05}")


def _is_usable(case: Case, *, gangs: bool) -> bool:
    """Return whether a case has nothing that the recordings in virtual time leave alone."""
    gates, config = case.get("gates") or {}, case["config"] or {}
    played = {EARLY_POPS, *GROUP_GATES} if gangs else {EARLY_POPS}
    return (
        set(gates) <= played
        and gangs == gates.get("GenericWorkload", False)
        and "percentageOfNodesToScore" not in config
    )


class _Maker:
    """A timeline while it grows: the objects as it has left them, and who or what is still to come."""

    def __init__(self, mixture: Case, random: Random) -> None:
        self.random, self.mixture = random, mixture
        self.gates = {name: on for name, on in (mixture.get("gates") or {}).items() if name in GROUP_GATES}
        self.attempt = random.choice(ATTEMPTS[1:] if self.gates else ATTEMPTS)
        self.pops_early = random.random() < 0.7
        self.now, self.serial = 0.0, 0
        self.latest: Document | None = None
        self.priorities_now: set[int] = set()
        self.late_kinds = (*LATE_KINDS, "PodGroup") if self.gates else LATE_KINDS
        wanted = [entry["add"] for entry in mixture.pop("timeline", ()) if "add" in entry]
        items = mixture["cluster"]["items"]
        pending = {key_of(item) for item in items if item["kind"] == "Pod" and not _node_of(item)}
        self.pending = [item for item in [*items, *wanted] if item["kind"] == "Pod" and not _node_of(item)]
        there = [item for item in items if item["kind"] != "Pod" or key_of(item) not in pending]
        self.late = [item for item in wanted if item["kind"] != "Pod"]
        for item in [item for item in there if item["kind"] in self.late_kinds and random.random() < 0.4]:
            there.remove(item)
            self.late.append(item)
        mixture["cluster"]["items"] = there
        self.objects = {_reference(item): deepcopy(item) for item in there}
        self.timeline: list[Document] = []

    def case(self, name: str) -> Case:
        self.happen(_plain_pod)
        for _ in range(self.random.randint(6, 30)):
            self._pass_time()
            self.happen(self.random.choice(GANG_HAPPENINGS if self.gates else HAPPENINGS))
        # A gang that waits is tried again and again: its members only back off.
        until = self.now + self.random.choice([2, 5, 15] if self.gates else [5, 40, 40, 340])
        case = self.mixture | {"id": name, "family": "timed", "schedule": [], "timeline": self.timeline}
        case |= {"driver": {"attempt": self.attempt, "until": round(until, 3)}}
        case["gates"] = {**self.gates, EARLY_POPS: self.pops_early}
        return case

    def happen(self, happening: "Happening") -> None:
        for entry in happening(self):
            self.add(entry)

    def add(self, entry: Document) -> None:
        self.timeline.append({"at": self.now, **deepcopy(entry)})

    def _pass_time(self) -> None:
        random = self.random
        step = random.choice(
            [0, random.uniform(0, self.attempt), random.uniform(0, self.attempt), random.uniform(0, 3), 1, 7]
        )
        self.wait(step)
        if random.random() < 0.1:  # on the whole second, as flushes are
            self.wait(-self.now % 1)

    def wait(self, seconds: float) -> None:
        later = round(self.now + seconds, 3)
        if later > self.now:
            self.priorities_now.clear()
        self.now = later

    def fresh(self) -> str:
        self.serial += 1
        return f"n{self.serial}"

    def some(self, kind: str) -> Document | None:
        found = [item for item in self.objects.values() if item["kind"] == kind]
        return self.random.choice(found) if found else None

    def pod(self) -> Document | None:
        """Return some pod; every second time the one that came last, which may be in flight."""
        if self.latest is not None and self.random.random() < 0.5:
            return self.objects.get(_reference(self.latest))
        return self.some("Pod")

    def put(self, item: Document) -> Document:
        verb = "update" if _reference(item) in self.objects else "add"
        item["metadata"]["resourceVersion"] = str(10_000 + len(self.timeline))
        self.objects[_reference(item)] = item
        return {verb: item}

    def come(self, pod: Document) -> Document:
        """Let a pod come that has a priority of its own at this instant."""
        spec = pod["spec"]
        spec.pop("priorityClassName", None)
        while spec.setdefault("priority", 0) in self.priorities_now:
            spec["priority"] += 1
        self.priorities_now.add(spec["priority"])
        self.latest = pod
        return self.put(pod)


def _node_of(pod: Document) -> str | None:
    node: str | None = pod["spec"].get("nodeName")
    return node


def _reference(item: Document) -> str:
    """Return how a timeline names what is deleted."""
    metadata = item["metadata"]
    namespace = metadata.get("namespace")
    return (
        f"{item['kind']} {namespace}/{metadata['name']}"
        if namespace
        else f"{item['kind']} {metadata['name']}"
    )


# -- what happens ------------------------------------------------------------------------------------


def _new_pod(maker: _Maker) -> list[Document]:
    if not maker.pending:
        return []
    random = maker.random
    pod = deepcopy(random.choice(maker.pending))
    pod["metadata"] |= {"name": maker.fresh(), "uid": f"uid-{maker.fresh()}"}
    pod["spec"]["terminationGracePeriodSeconds"] = random.choice([0, 1, 2, 5, 30])
    if random.random() < 0.3:
        pod["spec"]["priority"] = random.choice(made_up.PRIORITIES)
    if random.random() < 0.1:
        pod["spec"]["schedulingGates"] = [{"name": "example.com/gate"}]
    node = maker.some("Node")
    if random.random() < 0.1:
        pod.setdefault("status", {})["nominatedNodeName"] = node["metadata"]["name"] if node else "gone"
    return [maker.come(pod)]


def _plain_pod(maker: _Maker) -> list[Document]:
    """A pod that no gate and no group holds: an answer names no cycles where there are none."""
    made = _new_pod(maker)
    for entry in made:
        for field in ("schedulingGates", "schedulingGroup"):
            entry["add"]["spec"].pop(field, None)
    return made


def _several_pods(maker: _Maker) -> list[Document]:
    return [entry for _ in range(maker.random.randint(2, 4)) for entry in _new_pod(maker)]


def _whole_group(maker: _Maker) -> list[Document]:
    """The waiting pods of a pod group come one after the other, as their controller makes them."""
    names = sorted({name for pod in maker.pending if (name := _group_of(pod))})
    if not names:
        return []
    chosen = maker.random.choice(names)
    for pod in [deepcopy(pod) for pod in maker.pending if _group_of(pod) == chosen]:
        pod["metadata"] |= {"name": maker.fresh(), "uid": f"uid-{maker.fresh()}"}
        maker.priorities_now.clear()
        maker.add(maker.put(pod))
        maker.latest = pod
        maker.wait(maker.random.choice([0.001, 0.001, 0.02]))
    return []


def _group_of(pod: Document) -> str | None:
    name: str | None = (pod["spec"].get("schedulingGroup") or {}).get("podGroupName")
    return name


def _running_pod(maker: _Maker) -> list[Document]:
    made, node = _new_pod(maker), maker.some("Node")
    for entry in made:
        spec = entry["add"]["spec"]
        spec["nodeName"] = node["metadata"]["name"] if node is not None else "gone"
        spec.pop("schedulingGates", None)
    return made


def _changed_pod(maker: _Maker) -> list[Document]:
    pod = maker.pod()
    if pod is None:
        return []
    pod = deepcopy(pod)
    # Several events at once lead the real queue into a fault that is not followed (docs/semantics.md).
    for _ in range(maker.random.choice([1, 1, 2]) if maker.pops_early else 1):
        maker.random.choice(POD_CHANGES)(pod, maker.random)
    return [maker.put(pod)]


def _deleted_pod(maker: _Maker) -> list[Document]:
    pod = maker.pod()
    return [] if pod is None else [{"delete": _reference(pod)}]


def _finished_pod(maker: _Maker) -> list[Document]:
    pod = maker.pod()
    return [] if pod is None else [{"finish": key_of(pod)}]


def _another_under_its_name(maker: _Maker) -> list[Document]:
    """A pod that has no grace is deleted, and another one comes under its name.

    Not while the first may be in flight: the recordings know pods by name.
    """
    pod = maker.pod()
    if pod is None or pod["spec"].get("terminationGracePeriodSeconds") != 0:
        return []
    if pod["metadata"].get("deletionTimestamp"):
        return []
    maker.add({"delete": _reference(pod)})
    del maker.objects[_reference(pod)]
    maker.wait(maker.attempt + 0.001)
    pod = deepcopy(pod)
    pod["metadata"]["uid"] = f"uid-{maker.fresh()}"
    return [maker.come(pod)]


def _changed_node(maker: _Maker) -> list[Document]:
    node = maker.some("Node")
    if node is None:
        return []
    node = deepcopy(node)
    for _ in range(maker.random.randint(1, 2)):
        maker.random.choice(NODE_CHANGES)(node, maker.random)
    return [maker.put(node)]


def _new_node(maker: _Maker) -> list[Document]:
    node = maker.some("Node")
    if node is None:
        return []
    node = deepcopy(node)
    node["metadata"]["name"] = node["metadata"]["uid"] = maker.fresh()
    return [maker.put(node)]


def _lost_node(maker: _Maker) -> list[Document]:
    node = maker.some("Node")
    return [] if node is None else [_lost(maker, node)]


def _lost(maker: _Maker, item: Document) -> Document:
    """Take an object away; it may come back later."""
    maker.late.append(maker.objects.pop(_reference(item)))
    return {"delete": _reference(item)}


def _node_comes_back(maker: _Maker) -> list[Document]:
    node = maker.some("Node")
    if node is None:
        return []
    lost = _lost(maker, node)
    return [lost, maker.put(deepcopy(maker.late.pop()))]


def _late_object(maker: _Maker) -> list[Document]:
    if not maker.late:
        return []
    return [maker.put(maker.late.pop(maker.random.randrange(len(maker.late))))]


def _lost_object(maker: _Maker) -> list[Document]:
    item = maker.some(maker.random.choice(maker.late_kinds))
    return [] if item is None else [_lost(maker, item)]


def _changed_storage(maker: _Maker) -> list[Document]:
    item = maker.some(maker.random.choice(LATE_KINDS))
    if item is None:
        return []
    item = deepcopy(item)
    storage_changes.change(item, maker.random)
    return [maker.put(item)]


Happening = Callable[[_Maker], list[Document]]
HAPPENINGS: tuple[Happening, ...] = (
    *(_new_pod,) * 6,
    *(_several_pods,) * 2,
    *(_changed_pod,) * 4,
    *(_deleted_pod,) * 4,
    *(_finished_pod,) * 2,
    *(_changed_node,) * 4,
    *(_late_object,) * 4,
    *(_node_comes_back,) * 2,
    _running_pod,
    _another_under_its_name,
    _new_node,
    _lost_node,
    _lost_object,
    _changed_storage,
)
GANG_HAPPENINGS = (*HAPPENINGS, *(_whole_group,) * 10, *(_late_object,) * 2, _lost_object)
