"""Volcano's jobs and flows of jobs, as far as its admission webhooks read them.

Source: volcano.sh/apis v1.16 batch/v1alpha1 job.go, flow/v1alpha1 jobflow_types.go.
"""

from typing import Annotated, Any

import msgspec

from scheduler_core.objects.kind_views import Template
from scheduler_core.objects.types import KubernetesObject, ObjectMeta

Int32 = Annotated[int, msgspec.Meta(ge=-(2**31), le=2**31 - 1)]


class NetworkTopology(KubernetesObject, rename="camel", frozen=True):
    mode: str = ""
    highest_tier_allowed: int | None = None
    highest_tier_name: str = ""

    @property
    def names_two_tiers(self) -> bool:
        """Whether the highest tier is given by number and by name."""
        return self.highest_tier_allowed is not None and self.highest_tier_name != ""


class LifecyclePolicy(KubernetesObject, rename="camel", frozen=True):
    action: str = ""
    event: str = ""
    events: list[str] | None = None
    exit_code: Int32 | None = None


class DependsOn(KubernetesObject, rename="camel", frozen=True):
    name: list[str] | None = None


class PartitionPolicy(KubernetesObject, rename="camel", frozen=True):
    total_partitions: Int32 = 0
    partition_size: Int32 = 0
    min_partitions: Int32 = 0
    network_topology: NetworkTopology | None = None


class TaskSpec(KubernetesObject, rename="camel", frozen=True):
    name: str = ""
    replicas: Int32 = 0
    min_available: Int32 | None = None
    template: Template = Template()
    policies: list[LifecyclePolicy] | None = None
    topology_policy: str = ""
    max_retry: Int32 = 0
    depends_on: DependsOn | None = None
    partition_policy: PartitionPolicy | None = None


class VolumeSpec(KubernetesObject, rename="camel", frozen=True):
    mount_path: str = ""
    volume_claim_name: str = ""
    volume_claim: dict[str, Any] | None = None


class JobSpec(KubernetesObject, rename="camel", frozen=True):
    scheduler_name: str = ""
    min_available: Int32 = 0
    volumes: list[VolumeSpec] | None = None
    tasks: list[TaskSpec] | None = None
    policies: list[LifecyclePolicy] | None = None
    plugins: dict[str, list[str] | None] | None = None
    queue: str = ""
    max_retry: Int32 = 0
    network_topology: NetworkTopology | None = None


class Job(KubernetesObject, rename="camel", frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: JobSpec = JobSpec()


class FlowDependsOn(KubernetesObject, rename="camel", frozen=True):
    targets: list[str] | None = None


class Flow(KubernetesObject, rename="camel", frozen=True):
    name: str = ""
    depends_on: FlowDependsOn | None = None


class JobFlowSpec(KubernetesObject, rename="camel", frozen=True):
    flows: list[Flow] | None = None


class JobFlow(KubernetesObject, rename="camel", frozen=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: JobFlowSpec = JobFlowSpec()
