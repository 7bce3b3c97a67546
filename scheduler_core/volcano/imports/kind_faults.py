"""Which fields of Volcano's objects can't be read: wrong types, amounts and patterns that are none.

An API server never has such objects, since their schema refuses them; a file may.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from scheduler_core.go.regexp import BadPattern, Pattern
from scheduler_core.objects.amounts.quantity import QuantityError, parse_quantity
from scheduler_core.objects.checks.cluster_checks import object_name
from scheduler_core.objects.checks.field_rules import Findings
from scheduler_core.objects.kinds import Kind, kind_of
from scheduler_core.objects.problems import Problem
from scheduler_core.objects.types import KubernetesObject
from scheduler_core.volcano.api_kinds import (
    NUMATOPOLOGY,
    VOLCANO_CRON_JOB,
    VOLCANO_HYPER_NODE,
    VOLCANO_JOB,
    VOLCANO_JOB_FLOW,
    VOLCANO_JOB_TEMPLATE,
    VOLCANO_POD_GROUP,
    VOLCANO_QUEUE,
)
from scheduler_core.volcano.model.custom_resources import HyperNode, PodGroup, Queue
from scheduler_core.volcano.model.job_objects import CronJob, Job, JobFlow, JobTemplate
from scheduler_core.volcano.numa.topology import Numatopology

Object = dict[str, Any]

_VIEWS: dict[Kind, type[KubernetesObject]] = {
    VOLCANO_JOB: Job,
    VOLCANO_CRON_JOB: CronJob,
    VOLCANO_JOB_FLOW: JobFlow,
    VOLCANO_JOB_TEMPLATE: JobTemplate,
    VOLCANO_POD_GROUP: PodGroup,
    VOLCANO_QUEUE: Queue,
    VOLCANO_HYPER_NODE: HyperNode,
    NUMATOPOLOGY: Numatopology,
}


def kind_faults(documents: Iterable[Object]) -> list[Problem]:
    """Return the faults of those objects that are Volcano's."""
    return [problem for document in documents for problem in _faults(document)]


def _faults(document: Object) -> list[Problem]:
    view = _VIEWS.get(kind_of(document))
    if view is None:
        return []
    findings = Findings(object_name(document))
    found = findings.view("", document, view)
    for field, amounts in _amounts(found):
        for name, text in (amounts or {}).items():
            try:
                parse_quantity(text)
            except QuantityError as error:
                findings.add(f"{field}.{name}", str(error))
    for place, pattern in _patterns(found):
        try:
            Pattern(pattern)
        except BadPattern as error:
            findings.add(place, f"is no regular expression that is read here: {error}")
    return findings.problems


def _patterns(document: KubernetesObject | None) -> Iterator[tuple[str, str]]:
    """Yield the regular expressions of a hyper node, each with its place."""
    for number, member in enumerate(document.spec.members or () if isinstance(document, HyperNode) else ()):
        if member.selector.regex_match is not None:
            place = f"spec.members[{number}].selector.regexMatch.pattern"
            yield place, member.selector.regex_match.pattern


def _amounts(document: KubernetesObject | None) -> Iterator[tuple[str, Mapping[str, Any] | None]]:
    if isinstance(document, PodGroup):
        yield "spec.minResources", document.spec.min_resources
    elif isinstance(document, Numatopology):
        yield "spec.resReserved", document.spec.res_reserved
    elif isinstance(document, Queue):
        yield "spec.capability", document.spec.capability
        yield "spec.deserved", document.spec.deserved
        yield "spec.guarantee.resource", document.spec.guarantee.resource
        yield "status.allocated", document.status.allocated
