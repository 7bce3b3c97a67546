"""How the cluster's controllers tell what they did: as evictions and changes that the log knows."""

from __future__ import annotations

from typing import Literal, NamedTuple

from scheduler_core.events.changes import Change
from scheduler_core.events.decisions import ClusterChange, Decision, Eviction, PodRef
from scheduler_core.kube.attempt_event import pod_ref
from scheduler_core.kube.queueing.report import Report
from scheduler_core.schedulers.actor import Stamp
from scheduler_core.state.cluster import ClusterState
from scheduler_core.world.wakes import heard_of, wakes_of


class Tainted(NamedTuple):
    """A pod, by row, was evicted from its node by a taint."""

    controller: str
    state: ClusterState
    pod: int
    node: str
    why: str

    def tell(self, stamp: Stamp, changes: list[Change], report: Report) -> Decision:
        """Return the decision."""
        return Eviction(
            *stamp[:2],
            self.controller,
            stamp.cause,
            changes,
            pod_ref(self.state, self.pod),
            "tainted",
            self.node,
            self.why,
            wakes_of(report),
            heard_of(report),
        )


class Changed(NamedTuple):
    """An object (`Kind namespace/name`) came, changed or went; `pod` is its row if it is a pod."""

    controller: str
    state: ClusterState
    outcome: Literal["added", "updated", "deleted", "nothing"]
    object: str
    why: str
    pod: int | None = None

    def tell(self, stamp: Stamp, changes: list[Change], report: Report) -> Decision:
        """Return the decision."""
        reference: PodRef | None = None if self.pod is None else pod_ref(self.state, self.pod)
        return ClusterChange(
            *stamp[:2],
            self.controller,
            stamp.cause,
            changes,
            pod=reference,
            outcome=self.outcome,
            object=self.object,
            edit=None,
            wakes=wakes_of(report),
            heard=heard_of(report),
            message=self.why,
        )
