"""Predicates that look at the node alone: selectors, taints, conditions.

Source: kubernetes v1.8 to v1.13 algorithm/predicates PodMatchNodeSelector, PodToleratesNodeTaints,
CheckNodeConditionPredicate, CheckNode{Memory,Disk,PID}PressurePredicate, CheckNodeUnschedulablePredicate.
"""

from functools import partial
from operator import eq

import numpy as np

from scheduler_core.kube.framework import View
from scheduler_core.kube.releases.predicates.predicate import Predicate
from scheduler_core.objects.amounts.quantity import parse_quantity
from scheduler_core.objects.types import Pod
from scheduler_core.predicates.filter_state import FilterState
from scheduler_core.predicates.node_affinity import lacking_labels, required_node_affinity
from scheduler_core.predicates.tolerations import (
    CORDON,
    closing_taints,
    goes_with_cordon,
    has_untolerated,
    tolerates,
)
from scheduler_core.state.nodes import BoolArray, IntArray


class MatchNodeSelector(Predicate):
    """The node selector and the required node affinity."""

    name = "MatchNodeSelector"

    def filter(self, view: View, nodes: IntArray) -> IntArray:
        matches = required_node_affinity(view.cycle.pod.pod, view.cluster.nodes)
        return (~matches[nodes]).astype(np.int64)

    def particulars(self, view: View, nodes: IntArray) -> list[str]:
        """Return the first entry of the pod's nodeSelector that a node lacks."""
        return lacking_labels(view.cycle.pod.pod, view.cluster.nodes, nodes)


class PodToleratesNodeTaints(Predicate):
    """NoSchedule and NoExecute taints."""

    name = "PodToleratesNodeTaints"

    def filter(self, view: View, nodes: IntArray) -> IntArray:
        tolerations = view.cycle.pod.pod.spec.tolerations or ()
        return has_untolerated(view.cluster.nodes, tolerations)[nodes].astype(np.int64)

    def particulars(self, view: View, nodes: IntArray) -> list[str]:
        return closing_taints(view.cluster.nodes, view.cycle.pod.pod.spec.tolerations or (), nodes)

    def goes_with_cordon(self, view: View) -> BoolArray:
        return goes_with_cordon(view.cluster.nodes, view.cycle.pod.pod.spec.tolerations or ())


class CheckNodeUnschedulable(Predicate):
    """`spec.unschedulable`, which a toleration of the taint of that name passes."""

    name = "CheckNodeUnschedulable"
    looks_at_cordons = True

    def filter(self, view: View, nodes: IntArray) -> IntArray:
        if tolerates(view.cycle.pod.pod.spec.tolerations or (), CORDON):
            return np.zeros(len(nodes), dtype=np.int64)
        return view.cluster.nodes.unschedulable[nodes].astype(np.int64)

    def failures(self, state: FilterState | None, code: int) -> list[str]:
        return ["NodeUnschedulable"]


# -- conditions --------------------------------------------------------------------------------------

_CONDITIONS = (
    ("Ready", "True", "NodeNotReady"),
    ("OutOfDisk", "False", "NodeOutOfDisk"),
    ("NetworkUnavailable", "False", "NodeNetworkUnavailable"),
)
"""A condition, the status that it must have where the node has it, and the failure."""
_UNSCHEDULABLE_BIT = 1 << len(_CONDITIONS)


class CheckNodeCondition(Predicate):
    """Not ready, out of disk or without network (Unknown alike), or `spec.unschedulable`."""

    name = "CheckNodeCondition"
    looks_at_cordons = True

    def filter(self, view: View, nodes: IntArray) -> IntArray:
        codes = np.zeros(len(nodes), dtype=np.int64)
        for place, (condition, required, _) in enumerate(_CONDITIONS):
            statuses = view.cluster.nodes.condition(condition)
            failed = statuses.present & ~statuses.where(partial(eq, required))
            codes |= failed[nodes].astype(np.int64) << place
        return np.where(view.cluster.nodes.unschedulable[nodes], codes | _UNSCHEDULABLE_BIT, codes)

    def failures(self, state: FilterState | None, code: int) -> list[str]:
        failures = [failure for place, (_, _, failure) in enumerate(_CONDITIONS) if code >> place & 1]
        return [*failures, "NodeUnschedulable"] if code & _UNSCHEDULABLE_BIT else failures


class _Pressure(Predicate):
    """A condition that must not be True."""

    condition: str

    def filter(self, view: View, nodes: IntArray) -> IntArray:
        pressed = view.cluster.nodes.condition(self.condition).where(lambda status: status == "True")
        return pressed[nodes].astype(np.int64)

    def failures(self, state: FilterState | None, code: int) -> list[str]:
        return [f"NodeUnder{self.condition}"]


class CheckNodeMemoryPressure(_Pressure):
    """Memory pressure, for pods of the QoS class BestEffort only."""

    name = "CheckNodeMemoryPressure"
    condition = "MemoryPressure"

    def filter(self, view: View, nodes: IntArray) -> IntArray:
        if not is_best_effort(view.cycle.pod.pod):
            return np.zeros(len(nodes), dtype=np.int64)
        return super().filter(view, nodes)


class CheckNodeDiskPressure(_Pressure):
    """Disk pressure, for all pods."""

    name = "CheckNodeDiskPressure"
    condition = "DiskPressure"


class CheckNodePIDPressure(_Pressure):
    """PID pressure, for all pods."""

    name = "CheckNodePIDPressure"
    condition = "PIDPressure"


def is_best_effort(pod: Pod) -> bool:
    """Return whether no container has a cpu or memory request or limit.

    Source: kubernetes v1.8 pkg/api/v1/helper/qos GetPodQOS.
    """
    for container in pod.spec.containers or ():
        resources = container.resources
        listed = [resources.requests, resources.limits] if resources else []
        for amounts in listed:
            named = {name: text for name, text in (amounts or {}).items() if name in ("cpu", "memory")}
            if any(parse_quantity(text).nanos > 0 for text in named.values()):
                return False
    return True
