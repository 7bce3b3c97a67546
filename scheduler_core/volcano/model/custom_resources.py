"""Volcano's own objects as far as its scheduler reads them.

Source: volcano.sh/apis v1.16 scheduling/v1beta1 types.go, topology/v1alpha1 hypernode_types.go.
"""

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec

from scheduler_core.objects.types import KubernetesObject, Labels, LabelSelector, ObjectMeta, ResourceList
from scheduler_core.volcano.model.job_objects import NetworkTopology

GROUP_NAME = "scheduling.k8s.io/group-name"
"""The annotation that puts a pod into a pod group of its namespace."""
QUEUE_NAME = "scheduling.volcano.sh/queue-name"
"""The annotation that names the queue of the pod group that is made for a pod without one."""
DEFAULT_QUEUE = "default"
"""The queue of pod groups that name none."""
SCHEDULER_NAME = "volcano"
"""Whom pods ask for by schedulerName."""
READ_BY_SCHEDULER = {
    "PodGroup": "scheduling.volcano.sh",
    "Queue": "scheduling.volcano.sh",
    "HyperNode": "topology.volcano.sh",
}
"""Volcano's own kinds that its scheduler reads, with their API groups."""


class SubGroupPolicy(KubernetesObject, rename="camel", frozen=True):
    name: str = ""
    network_topology: NetworkTopology | None = None
    sub_group_size: int | None = None
    min_sub_groups: int | None = None
    label_selector: LabelSelector | None = None
    match_label_keys: list[str] | None = None


class PodGroupSpec(KubernetesObject, rename="camel", frozen=True):
    min_member: int = 0
    min_task_member: dict[str, int] | None = None
    queue: str = ""
    priority_class_name: str = ""
    min_resources: ResourceList | None = None
    network_topology: NetworkTopology | None = None
    sub_group_policy: list[SubGroupPolicy] | None = None


class PodGroupCondition(KubernetesObject, rename="camel", frozen=True):
    """`transition_id` is the session that wrote it."""

    type: str = ""
    status: str = ""
    transition_id: str = msgspec.field(default="", name="transitionID")
    last_transition_time: str | None = None
    reason: str = ""
    message: str = ""


class PodGroupStatus(KubernetesObject, rename="camel", frozen=True):
    phase: str = ""
    conditions: list[PodGroupCondition] | None = None
    running: int = 0
    succeeded: int = 0
    failed: int = 0


class PodGroup(KubernetesObject, rename="camel", frozen=True):
    metadata: ObjectMeta
    spec: PodGroupSpec = PodGroupSpec()
    status: PodGroupStatus = PodGroupStatus()


class Guarantee(KubernetesObject, rename="camel", frozen=True):
    resource: ResourceList | None = None


class NodeGroupRules(KubernetesObject, frozen=True):
    """Names of node groups."""

    required: list[str] = msgspec.field(
        default_factory=list, name="requiredDuringSchedulingIgnoredDuringExecution"
    )
    preferred: list[str] = msgspec.field(
        default_factory=list, name="preferredDuringSchedulingIgnoredDuringExecution"
    )


class QueueAffinity(KubernetesObject, rename="camel", frozen=True):
    node_group_affinity: NodeGroupRules | None = None
    node_group_anti_affinity: NodeGroupRules | None = None


class QueueSpec(KubernetesObject, rename="camel", frozen=True):
    weight: int = 0
    capability: ResourceList | None = None
    reclaimable: bool | None = None
    guarantee: Guarantee = Guarantee()
    deserved: ResourceList | None = None
    parent: str = ""
    priority: int = 0
    affinity: QueueAffinity | None = None


class QueueStatus(KubernetesObject, rename="camel", frozen=True):
    state: str = ""
    allocated: ResourceList | None = None


class Queue(KubernetesObject, rename="camel", frozen=True):
    metadata: ObjectMeta
    spec: QueueSpec = QueueSpec()
    status: QueueStatus = QueueStatus()


class ExactMatch(KubernetesObject, rename="camel", frozen=True):
    name: str = ""


class RegexMatch(KubernetesObject, rename="camel", frozen=True):
    pattern: str = ""


class MemberSelector(KubernetesObject, rename="camel", frozen=True):
    exact_match: ExactMatch | None = None
    regex_match: RegexMatch | None = None
    label_match: LabelSelector | None = None


class Member(KubernetesObject, rename="camel", frozen=True):
    type: str = ""
    selector: MemberSelector = MemberSelector()


Tier = Annotated[int, msgspec.Meta(ge=0, le=1_000)]
"""Volcano takes larger ones, and counts through all tiers between the lowest and the highest."""


class HyperNodeSpec(KubernetesObject, rename="camel", frozen=True):
    tier: Tier = 0
    tier_name: str = ""
    members: list[Member] | None = None


class HyperNode(KubernetesObject, rename="camel", frozen=True):
    metadata: ObjectMeta
    spec: HyperNodeSpec = HyperNodeSpec()


class PriorityClass(KubernetesObject, rename="camel", frozen=True):
    metadata: ObjectMeta
    value: int = 0
    global_default: bool = False


def annotation(metadata: ObjectMeta, key: str) -> str | None:
    """Return an annotation, None where there is none."""
    annotations: Labels = metadata.annotations or {}
    return annotations.get(key)


def group_of(metadata: ObjectMeta) -> str:
    """Return the pod group that a pod's annotation names, as `namespace/name`; empty where there is none."""
    name = annotation(metadata, GROUP_NAME)
    return f"{metadata.namespace or 'default'}/{name}" if name else ""


def is_of(document: Mapping[str, Any], kind: str) -> bool:
    """Return whether an object is one of Volcano's, of a kind that its scheduler reads."""
    group = str(document.get("apiVersion") or "").rpartition("/")[0]
    return document.get("kind") == kind and READ_BY_SCHEDULER.get(kind) == group
