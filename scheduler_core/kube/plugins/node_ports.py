"""NodePorts: a host port can be taken once on a node.

Source: kubernetes v1.36 plugins/nodeports.
"""

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
from scheduler_core.kube.hints import node_ports as hints
from scheduler_core.kube.queueing.hint import Interest
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
        return hints.listens_to()

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
