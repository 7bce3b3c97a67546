"""The cluster's controllers, in the order of their turns at one instant."""

from __future__ import annotations

from scheduler_core.world.controllers.controller import Around, ClusterController
from scheduler_core.world.controllers.daemon_set import DaemonSets
from scheduler_core.world.controllers.deployment import Deployments
from scheduler_core.world.controllers.disruption import Disruption
from scheduler_core.world.controllers.job import Jobs
from scheduler_core.world.controllers.node_lifecycle import NodeLifecycle
from scheduler_core.world.controllers.pod_gc import PodGC
from scheduler_core.world.controllers.replica_set import ReplicaSets, ReplicationControllers
from scheduler_core.world.controllers.stateful_set import StatefulSets
from scheduler_core.world.controllers.taint_eviction import TaintEviction

CONTROLLERS: tuple[type[ClusterController], ...] = (
    Disruption,
    NodeLifecycle,
    TaintEviction,
    PodGC,
    StatefulSets,
    ReplicaSets,
    ReplicationControllers,
    Deployments,
    DaemonSets,
    Jobs,
)
NAMES = tuple(controller.name for controller in CONTROLLERS)
"""What the log calls them."""


def begun(around: Around) -> list[ClusterController]:
    """Return all controllers, at their start."""
    made = [controller(around) for controller in CONTROLLERS]
    for controller in made:
        controller.begin()
    return made
