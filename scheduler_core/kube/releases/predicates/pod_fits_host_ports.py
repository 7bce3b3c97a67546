"""PodFitsHostPorts: a host port can be taken once on a node.

What counts as the same port is a matter of the release: see `scheduler_core.kube.releases.accounting`.

Source: kubernetes v1.8 to v1.13 algorithm/predicates PodFitsHostPorts.
"""

from scheduler_core.kube.framework import SKIP, Cycle, PreFilterAnswer, Reads, View
from scheduler_core.kube.releases.predicates.predicate import Predicate
from scheduler_core.predicates.host_ports import TakenPorts, taken_ports
from scheduler_core.state.nodes import IntArray


class PodFitsHostPorts(Predicate):
    """Skipped for pods without host ports."""

    name = "PodFitsHostPorts"
    reads = Reads.PODS

    def pre_filter(self, cycle: Cycle) -> PreFilterAnswer:
        wanted = cycle.pod.host_ports
        return taken_ports(cycle.state, wanted) if wanted else SKIP

    def filter(self, view: View, nodes: IntArray) -> IntArray:
        state = view.states[self.name]
        assert isinstance(state, TakenPorts)
        return state.exclude(nodes)
