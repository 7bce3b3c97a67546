"""A pod group needs an open queue, and names the highest tier of its network in one way.

Source: volcano v1.16 pkg/webhooks/admission/podgroups/validate.
"""

from __future__ import annotations

from collections.abc import Iterator

from scheduler_core.objects import types
from scheduler_core.objects.types import KubernetesObject, ObjectMeta
from scheduler_core.volcano.admission.answers import Denied, Fault, Question
from scheduler_core.volcano.admission.partitions import TWO_TIERS
from scheduler_core.volcano.admission.webhook_lookups import Surroundings
from scheduler_core.volcano.model.job_objects import NetworkTopology


class SubGroup(KubernetesObject, rename="camel", frozen=True):
    name: str = ""
    network_topology: NetworkTopology | None = None


class GroupSpec(KubernetesObject, rename="camel", frozen=True):
    """Beside the queue what the scheduler doesn't read."""

    queue: str = ""
    network_topology: NetworkTopology | None = None
    sub_group_policy: list[SubGroup] | None = None


class Group(KubernetesObject, rename="camel", frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: GroupSpec = GroupSpec()


def validate_pod_group(question: Question, around: Surroundings) -> None:
    """Raise Denied with all faults. Numbers of members aren't looked at."""
    spec = types.convert(question.document, Group).spec
    faults = [*_queue_fault(spec.queue, around), *_topology_faults(spec)]
    if faults:
        raise Denied("; ".join(fault.message for fault in faults), faults=faults)


def _queue_fault(name: str, around: Surroundings) -> Iterator[Fault]:
    if not name:
        return
    try:
        state = around.queue(name).status.state
    except Denied as missing:
        yield Fault("spec.queue", f"unable to find queue: {missing}")
        return
    if state != "Open":
        yield Fault(
            "spec.queue",
            f"can only submit PodGroup to queue with state `Open`, queue `{name}` status is `{state}`.",
        )


def _topology_faults(spec: GroupSpec) -> Iterator[Fault]:
    faults = []
    if spec.network_topology is not None and spec.network_topology.names_two_tiers:
        faults.append(f"{TWO_TIERS}.")
    for group in spec.sub_group_policy or ():
        if group.network_topology is not None and group.network_topology.names_two_tiers:
            faults.append(f"in subGroupPolicy '{group.name}': {TWO_TIERS}.")
            break
    if faults:
        yield Fault("spec.networkTopology", " ".join(faults))
