"""How far a later snapshot is from what a run predicted, by workload, and on which nodes and pools.

Pods are known by what they are of, since controllers make up their names; those of before by uid.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

import msgspec

from dashboard.queries.came_true_picture import Picture, PodSeen
from dashboard.shapes.outcome import WorkloadEnd
from scheduler_core.objects.kinds import POD
from scheduler_core.world.edits.asked_of_objects import AskedOfObjects


class Pods(msgspec.Struct, frozen=True):
    """Pods of a workload: with a node (those that have done their work since among them), without one.

    left: of those that had a node in the run's snapshot, so many are there no more, or are asked to go.
    """

    placed: int = 0
    waiting: int = 0
    left: int = 0

    @property
    def there(self) -> int:
        """How many there are."""
        return self.placed + self.waiting


class Drift(msgspec.Struct, frozen=True):
    """A workload (`Kind/namespace/name`): what was predicted of its pods, and what was found.

    is_judged: the prediction is about it. seq: the first decision about one of its pods, null for none.
    """

    workload: str
    predicted: Pods
    found: Pods
    is_judged: bool
    seq: int | None = None

    @property
    def differs(self) -> bool:
        """Whether another number of pods has a node."""
        return self.predicted.placed != self.found.placed


class Emptied(msgspec.Struct, frozen=True):
    """Nodes that were to be drained: of so many `asked`, how many have none of their pods any more."""

    asked: int
    predicted: int
    found: int


class Landed(msgspec.Struct, frozen=True):
    """Of the judged workloads, pods that got a node since the run's snapshot, and those of them as predicted.

    on_pool: null where no node names a pool.
    """

    pods: int
    on_node: int
    on_pool: int | None


def drift_rows(
    start: Picture,
    predicted: Picture,
    found: Picture,
    judged: Collection[str],
    ends: Iterable[WorkloadEnd],
) -> list[Drift]:
    """Return the workloads that are judged, that a decision was about, or that differ; judged ones first."""
    seqs = {row["workload"]: row.get("seq") for row in ends}
    foreseen, there = _pods(start, predicted), _pods(start, found)
    rows = [
        Drift(key, foreseen.get(key, Pods()), there.get(key, Pods()), key in judged, seqs.get(key))
        for key in {*judged, *foreseen, *there}
    ]
    told = [row for row in rows if row.is_judged or row.workload in seqs or row.differs]
    return sorted(
        told,
        key=lambda row: (not row.is_judged, -abs(row.found.placed - row.predicted.placed), row.workload),
    )


def _pods(start: Picture, picture: Picture) -> dict[str, Pods]:
    """Return the pods of each workload; who had ended before isn't counted."""
    placed: Counter[str] = Counter()
    waiting: Counter[str] = Counter()
    for pod in picture.pods.values():
        if _has_a_place(start, pod):
            placed[pod.workload] += 1
        elif pod.is_there:
            waiting[pod.workload] += 1
    left = Counter(
        pod.workload
        for pod in start.pods.values()
        if pod.is_there and pod.node and not _has_a_place(start, picture.pods.get(pod.uid))
    )
    return {key: Pods(placed[key], waiting[key], left[key]) for key in {**placed, **waiting, **left}}


def _has_a_place(start: Picture, pod: PodSeen | None) -> bool:
    """Tell whether a pod has a node, or has done its work on one since."""
    if pod is None or not pod.node or pod.is_leaving or pod.has_failed:
        return False
    before = start.pods.get(pod.uid)
    return not pod.has_ended or before is None or not before.has_ended


def emptied_nodes(asked: Sequence[AskedOfObjects], predicted: Picture, found: Picture) -> Emptied | None:
    """Return how many drained nodes are rid of the pods that were asked to go; None where none is drained."""
    nodes = {name: uids for one in asked for name, uids in one.leaving.items() if name}
    if not nodes:
        return None
    return Emptied(
        len(nodes), *(sum(_is_empty(one, nodes, name) for name in nodes) for one in (predicted, found))
    )


def _is_empty(picture: Picture, nodes: Mapping[str, Sequence[str]], name: str) -> bool:
    pods = (picture.pods.get(uid) for uid in nodes[name])
    return not any(pod is not None and pod.node == name and not pod.has_ended for pod in pods)


def landed(start: Picture, predicted: Picture, found: Picture, judged: Collection[str]) -> Landed:
    """Return on which nodes and pools pods of judged workloads are that got a node since."""
    foreseen, there = _new_places(start, predicted, judged), _new_places(start, found, judged)
    has_pools = any(found.pools.values()) or any(predicted.pools.values())
    pools = _by_pool(foreseen, predicted), _by_pool(there, found)
    return Landed(
        there.total(), (foreseen & there).total(), (pools[0] & pools[1]).total() if has_pools else None
    )


Places = Counter[tuple[str, str]]
"""Pods by workload and node, or by workload and pool."""


def _new_places(start: Picture, picture: Picture, judged: Collection[str]) -> Places:
    places: Places = Counter()
    for pod in picture.pods.values():
        before = start.pods.get(pod.uid)
        is_new = before is None or before.node != pod.node
        if pod.workload in judged and is_new and _has_a_place(start, pod):
            places[(pod.workload, pod.node)] += 1
    return places


def _by_pool(places: Places, picture: Picture) -> Places:
    pools: Places = Counter()
    for (workload, node), count in places.items():
        pools[(workload, picture.pools.get(node, ""))] += count
    return pools


# -- what the prediction is about ------------------------------------------------------------------------


def judged_workloads(
    asked: Sequence[AskedOfObjects], start: Picture, predicted: Picture, ends: Iterable[WorkloadEnd]
) -> set[str]:
    """Return the workloads that the prediction is about.

    Those that edits add or change, and those of the pods that edits ask to go. Where there are none, all that
    a decision was about or that wait: an edit of nodes, or no edit, is asked for their sake.
    """
    known = {pod.workload for picture in (start, predicted) for pod in picture.pods.values()}
    names = {pod.name: pod.workload for picture in (start, predicted) for pod in picture.pods.values()}
    found: set[str] = set()
    for one in asked:
        for wanted in one.wanted:
            kind, namespace, name = wanted.identity
            own = names.get(f"{namespace}/{name}", "") if kind == POD else f"{kind}/{namespace}/{name}"
            found |= {own} & known
        leaving = (start.pods.get(uid) for uids in one.leaving.values() for uid in uids)
        found |= {pod.workload for pod in leaving if pod is not None}
    return found or {row["workload"] for row in ends if row.get("seq") is not None or row["pending"]}
