"""The pods that an object makes or is, as its templates have them."""

from collections.abc import Iterator
from typing import Any

from scheduler_core.objects.identity import spec_of
from scheduler_core.objects.kinds import POD, WORKLOAD_KINDS, kind_of

Object = dict[str, Any]


def template_specs(workload: Object) -> Iterator[Object]:
    """Yield the specs of a workload's pod templates: its own, those of its Jobs and of its tasks."""
    spec = spec_of(workload)
    for part in (spec, spec_of(spec.get("jobTemplate") or {}), *filter(None, spec.get("tasks") or ())):
        if template := part.get("template"):
            yield spec_of(template)


def pod_specs(item: Object) -> Iterator[Object]:
    """Yield the spec of a pod, or those of the templates of one of Kubernetes' own workloads."""
    kind = kind_of(item)
    if kind == POD:
        yield spec_of(item)
    elif kind in WORKLOAD_KINDS:
        yield from template_specs(item)
