"""A controller of the cluster, as kube-controller-manager runs it, where a clock moves.

Each is a file of this folder with a class that `registry.py` names. It hears what each decision has changed,
says when it has something to do, and does it; what it does is told as a decision. Instants are nanoseconds
since the run's start.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from scheduler_core.events.changes import Change
from scheduler_core.events.decisions import Decision
from scheduler_core.kube.queueing.report import Report
from scheduler_core.schedulers.actor import Stamp
from scheduler_core.schedulers.run_parts import TimedRunPods
from scheduler_core.state.checkpoint import Checkpointed
from scheduler_core.world.controllers.seen_cluster import LiveCluster as LiveCluster
from scheduler_core.world.controllers.workload_pods import WorkloadPods

Object = dict[str, Any]


@dataclass(frozen=True)
class Around:
    """What a controller is given: the cluster, what becomes of the pods that it makes and deletes, and those
    of workloads, as their controllers see them. `deleted_nodes` are the names of those that edits took away
    before the run."""

    cluster: LiveCluster
    pods: TimedRunPods
    owned: WorkloadPods
    deleted_nodes: Sequence[str] = ()


@dataclass(frozen=True)
class Acted:
    """What a controller did: what that meant for queues, how it is told, and which decision led to it."""

    report: Report
    tell: Callable[[Stamp, list[Change], Report], Decision]
    cause: int | None = None


class ClusterController(Checkpointed):
    """One controller. `name` is what kube-controller-manager calls it, and the log's actor.

    All that it remembers stands in registers that it names in `remembered`.
    """

    name: ClassVar[str]
    urgent: ClassVar[bool] = False
    """Whether it comes before evictions and edits at one instant: for what all others read."""

    def __init__(self, around: Around) -> None:
        self.cluster = around.cluster
        self.state = around.cluster.state
        self.pods = around.pods

    def begin(self) -> None:
        """Look at the cluster as the run starts."""

    @abstractmethod
    def hear(self, decision: int) -> None:
        """Hear what this decision has changed: the journal's touched rows (`state.journal.touched`)."""

    @abstractmethod
    def due(self) -> int | None:
        """Return when there is something to do, None if nothing is until something else happens."""

    @abstractmethod
    def act(self) -> Acted | None:
        """Do the next thing that is due; None if nobody is told of it."""

    @property
    def is_settled(self) -> bool:
        """Whether time alone lets it do nothing."""
        return self.due() is None

    def status_of(self, document: Object) -> Object | None:
        """Return an object's status as this controller writes it by now; None where that is not its own."""
        return None

    def replaces(self, pod: Object) -> bool:
        """Return whether this controller makes a pod anew itself that is evicted; else it gets a copy."""
        return False
