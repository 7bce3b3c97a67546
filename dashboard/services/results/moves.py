"""Who had to go for whom and where they are now, and what became of each workload's pods.

A pod that was evicted is followed through its copies (`PodRow.replaces`), whoever evicts these in their turn.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from hashlib import sha256

from dashboard.pod_names import pod_name
from dashboard.services.results.waits import NO_WORKLOAD, workload_of
from dashboard.shapes.outcome import AskedOfNode, Flow, Taker, WorkloadEnd
from scheduler_core.events.decisions import Attempt, ClusterChange, Completion, Decision, Eviction, PodRef
from scheduler_core.events.effects import Arrived, Effect, Evicted, Left, Placed
from scheduler_core.events.sessions import Gang
from scheduler_core.events.state import PodRow
from scheduler_core.world.controllers.pod_gc import PodGC


class Moves:
    """The evictions and placements while the decisions go by."""

    def __init__(self, pods: Iterable[PodRow]) -> None:
        self._rows = {pod.uid: pod for pod in pods}
        self._at_start = Counter(own_workload(pod) for pod in self._rows.values() if pod.node)
        self._evictors: set[str] = set()
        self._evicted: dict[str, tuple[str, Taker | None, int]] = {}
        """Who took a pod (a workload, else empty), or what of its node did, and the decision."""
        self._copy_of: dict[str, str] = {}
        self._touched: dict[str, int | None] = {}
        self._asked: dict[str, AskedOfNode] = {}
        self._refused: dict[str, str] = {}

    def add(self, decision: Decision, happened: Sequence[Effect]) -> None:
        """Follow a decision."""
        by, taker = [pod.uid for pod in _evictors(decision)], _taker(decision)
        for effect in happened:
            match effect:
                case Arrived(row):
                    self._rows[row.uid] = row
                    self._touch(row.uid, None)
                    if row.replaces is not None:
                        self._copy_of[row.replaces] = row.uid
                case Placed(pod):
                    self._touch(pod, decision.seq)
                case Evicted(pod):
                    self._touch(pod, decision.seq)
                    self._evictors.update(by)
                    whom = own_workload(self._rows[by[0]]) if by else ""
                    self._evicted.setdefault(pod, (whom, taker, decision.seq))
                case Left(pod) if taker == "node":
                    self._touch(pod, decision.seq)
                    self._evicted.setdefault(pod, ("", taker, decision.seq))
        if isinstance(decision, Eviction):
            self._ask(decision)

    def _touch(self, pod: str, seq: int | None) -> None:
        workload = own_workload(self._rows[pod])
        if self._touched.get(workload) is None:
            self._touched[workload] = seq

    def _ask(self, decision: Eviction) -> None:
        """Note what the eviction API says of a pod on a node; what it grants later is no refusal any more."""
        if decision.outcome not in ("evicted", "refused"):
            return
        none: AskedOfNode = {"node": decision.node, "evicted": 0, "refused": 0, "seq": decision.seq}
        row = self._asked.setdefault(decision.node, none)
        if decision.outcome == "refused":
            self._refused[decision.pod.uid] = decision.node
        else:
            self._refused.pop(decision.pod.uid, None)
            row["evicted"] += 1

    def asked_of_nodes(self, leaving: Collection[str]) -> list[AskedOfNode]:
        """Return the nodes that edits asked evictions of, in order; `leaving` pods are refused no more."""
        refused = Counter(node for pod, node in self._refused.items() if pod not in leaving)
        return [{**row, "refused": refused[node]} for node, row in self._asked.items()]

    def flows(self, nodes: Mapping[str, str], present: Collection[str]) -> list[Flow]:
        """Return whose pods had to go for whom, most pods first.

        By uid: `nodes` of the pods that have one, `present` those that are there and aren't leaving.
        """
        flows: dict[tuple[str, Taker | None, str], Flow] = {}
        for pod, (by, taker, seq) in self._evicted.items():
            row = self._rows[pod]
            key = by, taker, own_workload(row)
            if key not in flows:
                flows[key] = {
                    "by": by, "whom": key[2], "priority": row.priority, "pods": 0,
                    "free": 0, "evicting": 0, "pending": 0, "gone": 0, "seq": seq,
                }  # fmt: skip
                if taker is not None:
                    flows[key]["taker"] = taker
            flows[key]["pods"] += 1
            match self._where(pod, nodes, present):
                case "free":
                    flows[key]["free"] += 1
                case "evicting":
                    flows[key]["evicting"] += 1
                case "pending":
                    flows[key]["pending"] += 1
                case _:
                    flows[key]["gone"] += 1
        return sorted(flows.values(), key=lambda flow: (-flow["pods"], flow["seq"], flow["whom"]))

    def _where(self, pod: str, nodes: Mapping[str, str], present: Collection[str]) -> str:
        """Return where the last copy of an evicted pod is."""
        last, own = pod, False
        while (copy := self._copy_of.get(last)) is not None:
            last = copy
            own = own or copy in self._evictors
        if last not in present:
            return "gone"
        if last not in nodes:
            return "pending"
        return "evicting" if own else "free"

    def ends(
        self,
        present: Collection[str],
        nodes: Mapping[str, str],
        pending: Iterable[PodRow],
        asked: Collection[str] = (),
    ) -> list[WorkloadEnd]:
        """Return what became of each workload that a decision was about or whose pods wait, in name order.

        asked: workloads that edits name, which are told even if nobody decides about their pods.
        """
        waiting = Counter(map(own_workload, pending))
        pods: Counter[str] = Counter()
        running: Counter[str] = Counter()
        evicting: Counter[str] = Counter()
        for uid in present:
            workload = own_workload(self._rows[uid])
            pods[workload] += 1
            running[workload] += uid in nodes
            evicting[workload] += uid in nodes and uid in self._evictors
        rows: list[WorkloadEnd] = []
        for workload in sorted({*self._touched, *waiting, *pods.keys() & set(asked)}):
            row: WorkloadEnd = {
                "workload": workload,
                "at_start": self._at_start[workload],
                "pods": pods[workload],
                "running": running[workload],
                "evicting": evicting[workload],
                "pending": waiting[workload],
            }
            seq = self._touched.get(workload)
            rows.append(row if seq is None else {**row, "seq": seq})
        return rows

    def placement(self, nodes: Mapping[str, str], present: Collection[str]) -> str:
        """Return a digest of which pod has which node."""
        lines = sorted(f"{pod_name(self._rows[uid])} {nodes[uid]}" for uid in present if uid in nodes)
        return sha256("\n".join(lines).encode()).hexdigest()


def own_workload(pod: PodRow) -> str:
    """Return `Kind/namespace/name` of what a pod is of; a pod without a controller stands for itself."""
    workload = workload_of(pod)
    return f"Pod/{pod_name(pod)}" if workload == NO_WORKLOAD else workload


def _evictors(decision: Decision) -> list[PodRef]:
    """Return the pods for which a scheduler's decision evicts others; none where it isn't a scheduler's.

    Where a clock moves, the end of an attempt evicts, not the attempt.
    """
    if isinstance(decision, Gang):
        return [*decision.pipelined, *decision.bound]
    return [decision.pod] if isinstance(decision, Attempt | Completion) else []


def _taker(decision: Decision) -> Taker | None:
    """Return what of a node takes pods in a decision, if anything does."""
    if isinstance(decision, Eviction) and decision.outcome == "tainted":
        return "taint"
    is_lost = isinstance(decision, ClusterChange) and decision.actor == PodGC.name
    return "node" if is_lost else None
