"""The annotations by which a queue stands in a hierarchy of weights.

Source: volcano v1.16 pkg/webhooks/admission/queues/validate.
"""

from __future__ import annotations

from scheduler_core.go.parse import parse_float
from scheduler_core.go.quote import quote
from scheduler_core.volcano.admission.webhook_lookups import HIERARCHY, Surroundings
from scheduler_core.volcano.model.custom_resources import Queue

HIERARCHY_WEIGHTS = "volcano.sh/hierarchy-weights"


def hierarchy_fault(queue: Queue, around: Surroundings) -> str | None:
    """Return what is wrong: lengths that differ, a weight that isn't above 0, a path with others below."""
    annotations = queue.metadata.annotations or {}
    path, weights = annotations.get(HIERARCHY, ""), annotations.get(HIERARCHY_WEIGHTS, "")
    if not path and not weights:
        return None
    steps, weight_of_steps = path.split("/"), weights.split("/")
    if len(steps) != len(weight_of_steps):
        return _invalid(path, f"{HIERARCHY} must have the same length with {HIERARCHY_WEIGHTS}")
    for weight in weight_of_steps:
        try:
            if parse_float(weight) <= 0:
                return _invalid(weights, f"{weight} in the {weights} must be larger than 0")
        except ValueError as error:
            return _invalid(weights, f"{weight} in the {weights} is invalid number: {error}")
    return _fault_of_path(queue.metadata.name, path, around)


def _fault_of_path(name: str, path: str, around: Surroundings) -> str | None:
    below = around.queues_below(f"{path}/")
    other = min((other for other in below if other != name), default=None)
    if other is None:
        return None
    where = f"in the sub path of {below[other]} of queue {other}"
    return _invalid(path, f"{path} is not allowed to be {where}")


def _invalid(value: str, reason: str) -> str:
    return f"requestBody.metadata.annotations: Invalid value: {quote(value)}: {reason}"
