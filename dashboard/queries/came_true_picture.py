"""A snapshot as it is held against a prediction: its pods by what they are of, and its other objects."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from dashboard.engine import items_but
from dashboard.models import Node, Pod, Snapshot
from dashboard.pod_names import pod_name
from scheduler_core.events.state import NODES, NodeRow, PodRow, RunState
from scheduler_core.objects.identity import ENDED_PHASES
from scheduler_core.objects.kinds import POD
from scheduler_core.objects.node_groups import pool_of

Object = dict[str, Any]


class PodSeen(NamedTuple):
    """A pod of a snapshot, or of a run at its end.

    name: `namespace/name`. workload: `Kind/namespace/name` of its topmost controller, of its pod group, or of
    the pod itself. node: empty while it waits. is_leaving: it was asked to go. has_ended: it has done its
    work, or failed at it; has_failed: the latter. cpu: milli-CPU, memory: bytes that it requests.
    """

    uid: str
    name: str
    workload: str
    node: str
    is_leaving: bool = False
    has_ended: bool = False
    has_failed: bool = False
    cpu: int = 0
    memory: int = 0

    @property
    def is_there(self) -> bool:
        """Whether it counts for its controller."""
        return not self.is_leaving and not self.has_ended


class Picture(NamedTuple):
    """Pods by uid, and the pool of each node by its name; an empty pool where labels name none."""

    pods: Mapping[str, PodSeen]
    pools: Mapping[str, str]


def picture_of(snapshot: Snapshot) -> Picture:
    """Return the picture of a snapshot."""
    leaving = _leaving(snapshot)
    columns = (
        "uid", "workload", "group", "namespace", "name", "node_name", "phase", "cpu_milli", "memory_bytes",
    )  # fmt: skip
    pods = {}
    for uid, workload, group, space, name, node, phase, cpu, memory in Pod.objects.filter(
        snapshot=snapshot
    ).values_list(*columns):
        of = workload or (f"PodGroup/{group}" if group else f"Pod/{space}/{name}")
        ended = phase in ENDED_PHASES
        pods[uid] = PodSeen(
            uid, f"{space}/{name}", of, node, uid in leaving, ended, phase == "Failed", cpu, memory
        )
    return Picture(pods, dict(Node.objects.filter(snapshot=snapshot).values_list("name", "pool")))


def picture_at_end(state: RunState, ended: Iterable[PodRow]) -> Picture:
    """Return the picture of a run's end; `ended`: pods that have done their work in it, which it has not."""
    rows = [pod_of_row(pod) for pod in state.pods()]
    done = [pod_of_row(pod)._replace(has_ended=True) for pod in ended]
    pools = {
        name: pool_of(msgspec.convert(row, NodeRow).labels)
        for name, row in state.tables.get(NODES, {}).items()
    }
    return Picture({pod.uid: pod for pod in (*rows, *done)}, pools)


def pod_of_row(pod: PodRow) -> PodSeen:
    """Return a pod of a run, as it is told of one of a snapshot."""
    name = pod_name(pod)
    of = pod.workload or (f"PodGroup/{pod.group}" if pod.group else f"Pod/{name}")
    is_leaving, asks = pod.terminating or pod.evicted, pod.requests
    cpu, memory = asks.get("cpu", 0), asks.get("memory", 0)
    return PodSeen(pod.uid, name, of, pod.node, is_leaving, cpu=cpu, memory=memory)


class _Metadata(msgspec.Struct, rename="camel"):
    uid: str = ""
    deletion_timestamp: str | None = None


class _Headed(msgspec.Struct):
    kind: str = ""
    metadata: _Metadata = msgspec.field(default_factory=_Metadata)


class _Listed(msgspec.Struct):
    items: list[_Headed]


def _leaving(snapshot: Snapshot) -> set[str]:
    """Return the uids of the pods that were asked to go: no column says it."""
    text = snapshot.list_json()
    if b'"deletionTimestamp"' not in text:
        return set()
    items = msgspec.json.decode(text, type=_Listed).items
    return {one.metadata.uid for one in items if one.kind == POD.name and one.metadata.deletion_timestamp}


# -- objects ---------------------------------------------------------------------------------------------


def objects_for_edits(snapshot: Snapshot, edits: Iterable[Object], nodes: Collection[str]) -> list[Object]:
    """Return what edits are applied to: all objects, but of pods those alone that they may be about.

    nodes: those that are drained, whose pods are asked to go.
    """
    return [*items_but(snapshot, (POD,)), *_pods_for(snapshot, edits, nodes)]


def _pods_for(snapshot: Snapshot, edits: Iterable[Object], nodes: Collection[str]) -> Iterator[Object]:
    own = Pod.objects.filter(snapshot=snapshot)
    if not any(_names_pods(edit) for edit in edits):
        own = own.filter(node_name__in=nodes) if nodes else own.none()
    yield from own.values_list("object", flat=True).iterator()


def _names_pods(edit: Object) -> bool:
    kind = str(edit.get("kind") or "").lower()
    return edit.get("op") == "evict" or (
        edit.get("op") in ("delete", "patch") and kind in ("pod", "namespace")
    )
