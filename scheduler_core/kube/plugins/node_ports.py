"""NodePorts: a host port can be taken once on a node.

Source: kubernetes v1.36 plugins/nodeports.

Hints: plugins/nodeports isSchedulableAfterPodDeleted.
"""

from collections.abc import Callable

from scheduler_core.events.decisions import Status
from scheduler_core.kube.framework import (
    SKIP,
    UNSCHEDULABLE,
    Cycle,
    FilterPlugin,
    PreFilterAnswer,
    Reads,
    View,
)
from scheduler_core.kube.queueing.cluster_event import NODE, POD, Action, ClusterEvent
from scheduler_core.kube.queueing.hint import ClusterView, Hint, Interest
from scheduler_core.kube.queueing.pod_facts import takes_room
from scheduler_core.objects.host_ports import HostPort, conflicts, host_ports
from scheduler_core.objects.types import Pod
from scheduler_core.predicates.filter_state import FilterState
from scheduler_core.predicates.host_ports import TakenPorts, taken_ports
from scheduler_core.state.nodes import IntArray


class NodePorts(FilterPlugin):
    """Filter: skipped for pods without host ports."""

    name = "NodePorts"
    reads = Reads.PODS
    unprepared = 'reading "PreFilterNodePorts" from cycleState: not found'

    def listens_to(self) -> list[Interest]:
        """Return the events that may help a pod which this plugin rejected."""
        return interests_of(host_ports)

    def pre_filter(self, cycle: Cycle) -> PreFilterAnswer:
        wanted = cycle.pod.host_ports
        return taken_ports(cycle.state, wanted) if wanted else SKIP

    def filter(self, view: View, nodes: IntArray) -> IntArray:
        state = view.states[self.name]
        assert isinstance(state, TakenPorts)
        return state.exclude(nodes)

    def status(self, state: FilterState | None, code: int) -> Status:
        return Status(
            self.name, UNSCHEDULABLE, ["node(s) didn't have free ports for the requested pod ports"]
        )


# -- queueing hints ------------------------------------------------------------------------------------


def interests_of(ports: Callable[[Pod], tuple[HostPort, ...]]) -> list[Interest]:
    """Any new node; pods that go. `ports` are those of a pod."""
    return [
        Interest(
            ClusterEvent(POD, Action.DELETE),
            _after_pod_deleted(ports),
            yes="the pod that went held a host port that is wanted",
            no="the pod that went held no host port that is wanted",
        ),
        Interest(ClusterEvent(NODE, Action.ADD)),
    ]


def _after_pod_deleted(ports: Callable[[Pod], tuple[HostPort, ...]]) -> Hint:
    def after_pod_deleted(pod: Pod, old: Pod, new: None, view: ClusterView) -> bool:
        """Return whether the pod that went held a port that is wanted."""
        return takes_room(old) and any(
            conflicts(wanted, used) for used in ports(old) for wanted in ports(pod)
        )

    return after_pod_deleted
