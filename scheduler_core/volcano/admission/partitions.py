"""A task divided into partitions, and the network that a job or partition may span.

Source: volcano v1.16 pkg/webhooks/admission/jobs/validate.
"""

from __future__ import annotations

from scheduler_core.volcano.model.job_objects import NetworkTopology, PartitionPolicy, TaskSpec

TWO_TIERS = "must not specify 'highestTierAllowed' and 'highestTierName' in networkTopology simultaneously"


def topology_fault(topology: NetworkTopology | None) -> str:
    """Return what is wrong with a network topology, empty if nothing is."""
    return TWO_TIERS if topology is not None and topology.names_two_tiers else ""


def partition_fault(task: TaskSpec, job: str) -> str:
    """Return what is wrong with a task's partitions, empty if nothing is."""
    policy = task.partition_policy
    if policy is None:
        return ""
    fault = _size_fault(task, policy)
    place = f" in task: {task.name}, job: {job}" if fault else ""
    return f"{fault}{place}{topology_fault(policy.network_topology)}"


def _size_fault(task: TaskSpec, policy: PartitionPolicy) -> str:
    size = policy.partition_size
    if policy.total_partitions <= 0:
        return "'TotalPartitions' must be greater than 0"
    if size <= 0:
        return "'PartitionSize' must be greater than 0"
    if task.replicas != policy.total_partitions * size:
        return "'Replicas' are not equal to TotalPartitions*PartitionSize"
    least = policy.min_partitions * size
    if task.min_available is not None and policy.min_partitions > 0 and least != task.min_available:
        return "'MinAvailable' is not equal to MinPartitions*PartitionSize"
    return ""
