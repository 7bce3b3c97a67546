"""Whether a node could take a waiting pod, as releases without queueing hints ask before they move the pod.

Source: kubernetes v1.31 pkg/scheduler/eventhandlers.go preCheckForNode, AdmissionCheck;
plugins/noderesources Fits; plugins/nodeports Fits.
"""

from collections import Counter
from collections.abc import Iterable

from scheduler_core.kube.queueing.affinity_match import satisfies_affinity
from scheduler_core.kube.queueing.hint import HintFailed
from scheduler_core.objects.amounts.requests import counted_by_scheduler, pod_requests
from scheduler_core.objects.host_ports import conflicts, ports_of_containers
from scheduler_core.objects.types import Node, Pod
from scheduler_core.predicates.tolerations import tolerates
from scheduler_core.state.nodes import allocatable_of


def could_take(node: Node, there: Iterable[Pod], pod: Pod) -> bool:
    """Return whether the pod fits on the node beside the pods that are there, without a preemption."""
    there = list(there)
    return (
        _has_room(node, there, pod)
        and _is_wanted(node, pod)
        and pod.spec.node_name in (None, "", node.metadata.name)
        and not _ports_conflict(there, pod)
        and _tolerated(node, pod)
    )


def _has_room(node: Node, there: list[Pod], pod: Pod) -> bool:
    has, taken = allocatable_of(node), Counter[str]()
    for other in there:
        taken.update(pod_requests(other, running=True))
    if len(there) + 1 > has.get("pods", 0):
        return False
    wanted = {name: amount for name, amount in pod_requests(pod).items() if amount}
    return all(
        amount <= has.get(name, 0) - taken[name]
        for name, amount in wanted.items()
        if counted_by_scheduler(name)
    )


def _is_wanted(node: Node, pod: Pod) -> bool:
    try:
        return satisfies_affinity(pod, node)
    except HintFailed:
        return False


def _ports_conflict(there: list[Pod], pod: Pod) -> bool:
    used = [port for other in there for port in ports_of_containers(other)]
    return any(conflicts(wanted, port) for wanted in ports_of_containers(pod) for port in used)


def _tolerated(node: Node, pod: Pod) -> bool:
    """Return whether every taint is tolerated that forbids scheduling; NoExecute does not count here."""
    tolerations = pod.spec.tolerations or ()
    return all(
        tolerates(tolerations, (taint.key, taint.value or "", taint.effect))
        for taint in node.spec.taints or ()
        if taint.effect == "NoSchedule"
    )
