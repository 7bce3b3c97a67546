"""The pods and nodes on which two runs end differently, one row each, in an order that pages can rely on.

Amounts are in the units of the events: milli-CPU, bytes, whole units.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Set

import msgspec

from dashboard.natural_order import natural_key
from dashboard.queries.comparison_pods import Key, Ledger, Life
from scheduler_core.events.state import NodeRow, PodRow


class PodEnd(msgspec.Struct, frozen=True):
    """Where a pod ends in one run.

    place: node, pending, evicted, gone (finished, or deleted), or "not scheduled" by any profile. node: where
    it is, or was when it left. name: its own, or that of the copy that came last. seq: the last decision that
    concerned it, 0 if none.
    """

    uid: str
    name: str
    place: str
    node: str
    nominated: str
    terminating: bool
    attempts: int
    evictions: int
    seq: int


class PodDifference(msgspec.Struct, frozen=True):
    """A pod, with the copies of it, that ends differently; a side is null where that run has no such pod."""

    uid: str
    namespace: str
    name: str
    workload: str
    priority: int
    differs: list[str]
    a: PodEnd | None
    b: PodEnd | None

    @property
    def order(self) -> list[str | int]:
        """Those that end elsewhere first, the more important of them before the others."""
        elsewhere = bool({"place", "node", "presence"} & set(self.differs))
        return [0 if elsewhere else 1, -self.priority, self.namespace, self.name, self.uid]


class NodeEnd(msgspec.Struct, frozen=True):
    """What is on a node at the end of one run; `only_here`: pods that it lacks in the other."""

    pods: int
    requested: dict[str, int]
    only_here: int


class NodeDifference(msgspec.Struct, frozen=True):
    """A node with other pods; a side is null where that run's cluster has no such node."""

    node: str
    allocatable: dict[str, int]
    a: NodeEnd | None
    b: NodeEnd | None

    @property
    def order(self) -> list[str | int]:
        """By name."""
        return [self.node]


def pod_rows(a: Ledger, b: Ledger) -> list[PodDifference]:
    """Return the pods that end differently or got there by another number of attempts and evictions."""
    rows = list(_pod_rows(a, b))
    rows.sort(key=lambda row: row.order)
    return rows


def _pod_rows(a: Ledger, b: Ledger) -> Iterator[PodDifference]:
    for key in {**a.lives, **b.lives}:
        one, other = a.lives.get(key), b.lives.get(key)
        differs = _differs(one, other)
        if differs:
            pod = (one or other).first  # type: ignore[union-attr]
            yield PodDifference(
                pod.uid, pod.namespace, pod.name, pod.workload, pod.priority, differs,
                _pod_end(one), _pod_end(other),
            )  # fmt: skip


def _differs(one: Life | None, other: Life | None) -> list[str]:
    if one is None or other is None:
        return ["presence"]
    pairs = {
        "place": (one.place, other.place),
        "node": (one.node or one.left, other.node or other.left),
        "nominated": (one.nominated, other.nominated),
        "attempts": (one.attempts, other.attempts),
        "evictions": (one.evictions, other.evictions),
    }
    if one.place == other.place == "pending":
        pairs.pop("node")
    return [name for name, (left, right) in pairs.items() if left != right]


def _pod_end(life: Life | None) -> PodEnd | None:
    if life is None:
        return None
    place = life.place
    return PodEnd(
        uid=life.last.uid,
        name=life.last.name,
        place=place,
        node=life.node if place == "node" else life.left if place in ("evicted", "gone") else "",
        nominated=life.nominated if place == "pending" else "",
        terminating=life.terminating and place == "node",
        attempts=life.attempts,
        evictions=life.evictions,
        seq=life.seq,
    )


def node_rows(a: Ledger, b: Ledger) -> list[NodeDifference]:
    """Return the nodes whose pods differ, by name."""
    sides = _Held(a), _Held(b)
    names = {**sides[0].nodes, **sides[1].nodes}
    rows = []
    for name in sorted(names, key=natural_key):
        here, there = (side.pods.get(name, {}).keys() for side in sides)
        if here != there or (name in sides[0].nodes) != (name in sides[1].nodes):
            ends = sides[0].end(name, there), sides[1].end(name, here)
            rows.append(NodeDifference(name, names[name].allocatable, *ends))
    return rows


class _Held:
    """What one run's nodes hold at its end."""

    def __init__(self, ledger: Ledger) -> None:
        self.nodes: dict[str, NodeRow] = ledger.nodes
        self.pods: defaultdict[str, dict[Key, PodRow]] = defaultdict(dict)
        for key, pod, node in ledger.at_node():
            self.pods[node][key] = pod

    def end(self, name: str, there: Set[Key]) -> NodeEnd | None:
        if name not in self.nodes:
            return None
        here = self.pods.get(name, {})
        requested: Counter[str] = Counter()
        for pod in here.values():
            requested.update(pod.requests)
        return NodeEnd(len(here), dict(requested), len(here.keys() - there))
