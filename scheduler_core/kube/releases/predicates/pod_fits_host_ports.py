"""PodFitsHostPorts: a host port can be taken once on a node.

What counts as the same port is a matter of the release: see `scheduler_core.kube.releases.accounting`.

Source: kubernetes v1.8 to v1.13 algorithm/predicates PodFitsHostPorts.
"""

from scheduler_core.kube.framework import Cycle
from scheduler_core.kube.plugins.node_ports import NodePorts
from scheduler_core.kube.releases.predicates.predicate import Predicate


class PodFitsHostPorts(NodePorts, Predicate):
    """Skipped for pods without host ports."""

    name = "PodFitsHostPorts"
    status = Predicate.status

    def failures(self, cycle: Cycle, code: int) -> list[str]:
        return [self.name]
