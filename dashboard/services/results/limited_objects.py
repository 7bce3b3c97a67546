"""Which objects of a manifest quotas and ranges keep out, and which pods of StatefulSets for their claims."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from dashboard.services.results.autoscaled import Bounds
from scheduler_core.objects.api_server.object_limits import ObjectLimits
from scheduler_core.objects.api_server.storage_defaults import with_storage_defaults
from scheduler_core.objects.checks.kind_checks import KIND_CHECKS
from scheduler_core.objects.identity import name_of, namespace_of
from scheduler_core.objects.kinds import (
    LIMIT_RANGE,
    PERSISTENT_VOLUME_CLAIM,
    POD,
    RESOURCE_QUOTA,
    STATEFUL_SET,
    STORAGE_CLASS,
    kind_of,
)
from scheduler_core.objects.problems import Problem
from scheduler_core.objects.workloads.workload_pods import (
    first_ordinal,
    make_claims,
    wanted_replicas,
)
from scheduler_core.schedulers.registry import kinds
from scheduler_core.world.edits.edited_cluster import EditedCluster

Object = dict[str, Any]


@dataclass
class Limited:
    """By place in the manifest what is refused.

    refused: why objects are. smaller: how many pods of a StatefulSet get their claims, and why no more do.
    """

    refused: dict[int, list[Problem]] = field(default_factory=dict)
    smaller: dict[int, tuple[int, str]] = field(default_factory=dict)


def limited(cluster: EditedCluster, documents: Sequence[Object]) -> Limited:
    """Return what limits do to new objects of a manifest; those that come with it count from the start."""
    found = Limited()
    given = [one for one in documents if kind_of(one) in (LIMIT_RANGE, RESOURCE_QUOTA)]
    there = chain(cluster.of_kind(RESOURCE_QUOTA), cluster.of_kind(LIMIT_RANGE))
    every = {(kind_of(one), namespace_of(one), name_of(one)): one for one in (*there, *given)}
    if not every:
        return found
    classes = [*cluster.of_kind(STORAGE_CLASS), *(one for one in documents if kind_of(one) == STORAGE_CLASS)]
    limits = ObjectLimits(every.values(), cluster.objects())
    bounds = Bounds(cluster, documents)
    seen = set()
    for place, document in enumerate(documents):
        kind, name = kind_of(document), name_of(document)
        check = KIND_CHECKS.get(kind)
        if kind in (POD, LIMIT_RANGE, RESOURCE_QUOTA) or (check and not check.namespaced):
            continue
        key = (kind, namespace_of(document), name)
        is_new = not name or (key not in seen and not cluster.find(*key))
        seen.add(key)
        if is_new and (reasons := limits.charge(with_storage_defaults(document, classes))):
            found.refused[place] = [Problem("", "", reason) for reason in reasons]
        elif kind == STATEFUL_SET:
            _limit_claims(cluster, bounds.of(document).document, place, limits, classes, found)
    return found


def _limit_claims(
    cluster: EditedCluster,
    stateful_set: Object,
    place: int,
    limits: ObjectLimits,
    classes: list[Object],
    found: Limited,
) -> None:
    """Count the claims of its pods in their order, and end where one is refused: its pod is not made."""
    first, wanted = first_ordinal(stateful_set), wanted_replicas(stateful_set)
    for number in range(wanted):
        name = f"{name_of(stateful_set)}-{first + number}"
        pod = {"metadata": {"name": name, "namespace": namespace_of(stateful_set)}}
        for claim in make_claims(stateful_set, pod):
            if cluster.find(PERSISTENT_VOLUME_CLAIM, namespace_of(claim), name_of(claim)):
                continue
            if reasons := limits.charge(with_storage_defaults(claim, classes)):
                said = f'persistentvolumeclaims "{name_of(claim)}" is forbidden: {reasons[0]}'
                found.smaller[place] = number, said
                return


def over_quota(cluster: EditedCluster, document: Object) -> list[Problem]:
    """Return why quotas refuse pods that a controller of another scheduler makes: a run counts none for them.

    Quotas that come with the manifest, and its other pods, are not counted.
    """
    admission = cluster.admission.copy(None)
    pods = [
        pod
        for one in kinds().values()
        if kind_of(document) in one.pod_makers
        for pod in one.pods_of(document)
    ]
    reasons = [said[0] for pod in pods if (said := admission.admit_pod(pod).quota_refusals)]
    if not reasons:
        return []
    return [
        Problem(
            "",
            "",
            f"{len(reasons):,} of {len(pods):,} pods are not created, so that it is given up: {reasons[0]}",
        )
    ]
