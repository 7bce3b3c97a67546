"""Pod groups of kube-scheduler's own.

Source: kubernetes v1.36 scheduling.k8s.io/v1alpha2 PodGroup.
"""

from __future__ import annotations

from typing import Any

from scheduler_core.objects.types import KubernetesObject, ObjectMeta, Pod

GroupKey = tuple[str, str]
"""Namespace and name."""


class GangPolicy(KubernetesObject, rename="camel", frozen=True):
    min_count: int = 0


class SchedulingPolicy(KubernetesObject, rename="camel", frozen=True):
    basic: dict[str, Any] | None = None
    gang: GangPolicy | None = None


class TopologyConstraint(KubernetesObject, rename="camel", frozen=True):
    key: str = ""


class SchedulingConstraints(KubernetesObject, rename="camel", frozen=True):
    topology: list[TopologyConstraint] | None = None


class PodGroupSpec(KubernetesObject, rename="camel", frozen=True):
    scheduling_policy: SchedulingPolicy = SchedulingPolicy()
    scheduling_constraints: SchedulingConstraints | None = None
    disruption_mode: str | None = None
    priority_class_name: str | None = None
    priority: int | None = None


class Condition(KubernetesObject, rename="camel", frozen=True):
    type: str = ""
    status: str = ""
    reason: str = ""


class PodGroupStatus(KubernetesObject, rename="camel", frozen=True):
    conditions: list[Condition] | None = None


class PodGroup(KubernetesObject, rename="camel", frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: PodGroupSpec = PodGroupSpec()
    status: PodGroupStatus = PodGroupStatus()


def key_of(group: PodGroup) -> GroupKey:
    """Return what a group is known by."""
    return group.metadata.namespace or "default", group.metadata.name


def group_named_by(pod: Pod) -> GroupKey | None:
    """Return the group that a pod names, None for a pod of none."""
    group = pod.spec.scheduling_group
    if group is None or not group.pod_group_name:
        return None
    return pod.metadata.namespace or "default", group.pod_group_name
