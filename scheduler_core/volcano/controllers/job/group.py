"""The pod group that is made for a job, and kept up to date with it.

Source: volcano v1.16 pkg/controllers/job/job_controller_actions.go createOrUpdatePodGroup.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

from scheduler_core.volcano.controllers.api_client import AlreadyExists, Api
from scheduler_core.volcano.controllers.informers import Informers
from scheduler_core.volcano.controllers.job import words
from scheduler_core.volcano.controllers.job.job import Job, TaskSpec
from scheduler_core.volcano.controllers.job.min_resources import min_resources
from scheduler_core.volcano.controllers.kinds import POD_GROUP, PRIORITY_CLASS, Object, join, new_object
from scheduler_core.volcano.controllers.quota import same_amounts
from scheduler_core.volcano.model.job_objects import NetworkTopology

PriorityOf = Callable[[str], int]


def find_group(job: Job, informers: Informers) -> Object | None:
    """Return a job's pod group: the one that was made for it, or one of the job's own name."""
    of_uid = informers.find(POD_GROUP, join(job.namespace, words.group_name(job.item)))
    return of_uid or informers.find(POD_GROUP, job.key)


def provide_group(job: Job, api: Api, informers: Informers) -> None:
    """Make the pod group, or bring it up to date. Raises ApiError."""

    def priority_of(name: str) -> int:
        found = informers.find(PRIORITY_CLASS, name)
        return 0 if found is None else int(found.get("value") or 0)

    group = find_group(job, informers)
    if group is None:
        with contextlib.suppress(AlreadyExists):
            api.create(make_group(job, priority_of))
        return
    spec = _updated(group.get("spec") or {}, job, priority_of)
    if spec is not None:
        api.update(group | {"spec": spec})


def make_group(job: Job, priority_of: PriorityOf) -> Object:
    """Return a new pod group for a job."""
    group = new_object(POD_GROUP, job.namespace, words.group_name(job.item), job.as_controller)
    if job.annotations:
        group["metadata"]["annotations"] = dict(job.annotations)
    if job.labels:
        group["metadata"]["labels"] = dict(job.labels)
    spec: Object = {
        "minMember": job.spec.min_available,
        "minTaskMember": {task.name: least_of(task) for task in job.spec.tasks},
        "queue": job.spec.queue,
        "minResources": min_resources(job.spec, priority_of),
        "priorityClassName": job.spec.priority_class_name,
        "networkTopology": _topology(job.spec.network_topology),
        "subGroupPolicy": _sub_groups(job),
    }
    group["spec"] = _written(spec)
    return group


def least_of(task: TaskSpec) -> int:
    """Return how many pods of a task its pod group asks for."""
    if task.min_available is not None:
        return task.min_available
    partitions = task.partition_policy
    if partitions is not None and partitions.min_partitions and partitions.partition_size:
        return partitions.min_partitions * partitions.partition_size
    return task.replicas


def _updated(spec: Object, job: Job, priority_of: PriorityOf) -> Object | None:
    """Return the spec that a group should have, None where it has it. Tasks that are gone stay in it."""
    members = spec.get("minTaskMember") or {}
    wanted: Object = {
        "priorityClassName": job.spec.priority_class_name,
        "minMember": job.spec.min_available,
        "minTaskMember": members | {task.name: least_of(task) for task in job.spec.tasks},
    }
    resources = min_resources(job.spec, priority_of)
    if not same_amounts(spec.get("minResources"), resources):
        wanted["minResources"] = resources
    policies = _sub_groups(job)
    if _policies_differ(spec.get("subGroupPolicy") or [], policies, job):
        wanted["subGroupPolicy"] = policies
    new = spec | {name: value for name, value in wanted.items() if value != (spec.get(name) or type(value)())}
    return None if new == spec else _written(new)


def _written(spec: Object) -> Object:
    """Return a spec without fields that are empty."""
    return {name: value for name, value in spec.items() if value or name == "minResources"}


def _policies_differ(old: list[Any], new: list[Any], job: Job) -> bool:
    before = {policy.get("name"): policy for policy in old}
    dropped = any(task.partition_policy is None and task.name in before for task in job.spec.tasks)
    return dropped or any(before.get(policy["name"]) != policy for policy in new)


def _sub_groups(job: Job) -> list[Object]:
    policies = []
    for task in job.spec.tasks:
        partitions = task.partition_policy
        if partitions is None:
            continue
        policy: Object = {
            "name": task.name,
            "subGroupSize": partitions.partition_size,
            "minSubGroups": partitions.min_partitions,
            "labelSelector": {"matchLabels": {words.TASK_SPEC: task.name}},
            "matchLabelKeys": [words.PARTITION_ID],
        }
        if partitions.network_topology is not None:
            policy["networkTopology"] = _topology_fields(partitions.network_topology)
        policies.append(policy)
    return policies


def _topology(given: NetworkTopology | None) -> Object | None:
    """Return a group's topology: a tier's name counts only where no tier's number is given."""
    if given is None:
        return None
    fields = _topology_fields(given)
    if "highestTierAllowed" in fields:
        fields.pop("highestTierName", None)
    return fields


def _topology_fields(given: NetworkTopology) -> Object:
    fields = {
        "mode": given.mode,
        "highestTierAllowed": given.highest_tier_allowed,
        "highestTierName": given.highest_tier_name,
    }
    return {name: value for name, value in fields.items() if value not in (None, "")}
