"""A controller of the cluster, as kube-controller-manager runs it, where a clock moves.

Each is a file of this folder with a class that `registry.py` names. It hears what each decision has changed,
says when it has something to do, and does it; what it does is told as a decision. Instants are nanoseconds
since the run's start.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from scheduler_core.events.changes import Change
from scheduler_core.events.decisions import Decision
from scheduler_core.kube.queueing.report import Report
from scheduler_core.objects.types import KubernetesObject, Pod, PodCondition
from scheduler_core.schedulers.actor import Stamp
from scheduler_core.schedulers.run_parts import TimedRunPods
from scheduler_core.state.checkpoint import Checkpointed
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.register import Register
from scheduler_core.world.controllers.known_objects import KnownObjects

Object = dict[str, Any]


class LiveCluster(Protocol):
    """What controllers see of the cluster, and do in it. Pods are named by row.

    What is done comes back as a report: what it meant for schedulers' queues. `epoch` is the run's start in
    nanoseconds since 1970. `objects` are those of now, but for pods and nodes. `ready_from` says when pods
    become ready that started in the run.
    """

    state: ClusterState
    epoch: int
    objects: KnownObjects
    ready_from: Register[int, int]

    @property
    def now(self) -> int:
        """The present instant."""

    def is_ready(self, pod: int) -> bool:
        """Return whether a pod's Ready condition is true."""

    def pod_of(self, key: str) -> int | None:
        """Return the pod that is there under `namespace/name`."""

    def add_pod(self, pod: Pod, replaces: str | None = None) -> Report:
        """Let a pod come into being."""

    def update(self, pod: int, version: Pod) -> Report:
        """Give a pod a new version."""

    def terminate(
        self, pod: int, why: str, condition: PodCondition | None = None, grace: int | None = None
    ) -> Report:
        """Ask a pod to go: with a grace period (seconds, its own by default) if it is bound, else at once."""

    def vanish(self, pod: int, why: str) -> Report:
        """Let a pod cease to be."""

    def put(self, item: KubernetesObject) -> Report:
        """Add an object other than a pod, or put it in the place of its older self."""


@dataclass(frozen=True)
class Around:
    """What a controller is given: the cluster, and what becomes of the pods that it makes and deletes."""

    cluster: LiveCluster
    pods: TimedRunPods


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

    def replaces(self, pod: Object) -> bool:
        """Return whether this controller makes a pod anew itself that is evicted; else it gets a copy."""
        return False
