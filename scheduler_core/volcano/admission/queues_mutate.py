"""What a new queue gets: a root before its hierarchy, a weight, and that it may be reclaimed from.

Source: volcano v1.16 pkg/webhooks/admission/queues/mutate.
"""

from __future__ import annotations

from scheduler_core.objects import types
from scheduler_core.volcano.admission.answers import PatchOperation, Question, add
from scheduler_core.volcano.admission.hierarchy import HIERARCHY_WEIGHTS
from scheduler_core.volcano.admission.webhook_lookups import HIERARCHY, Surroundings
from scheduler_core.volcano.model.custom_resources import Queue


def mutate_queue(question: Question, around: Surroundings) -> list[PatchOperation]:
    """Return the patch. What begins with the letters `root` counts as rooted."""
    queue = types.convert(question.document, Queue)
    annotations = queue.metadata.annotations or {}
    path, weights = annotations.get(HIERARCHY), annotations.get(HIERARCHY_WEIGHTS)
    patch = []
    if path and weights and not path.startswith("root"):
        patch += [_annotate(HIERARCHY, f"root/{path}"), _annotate(HIERARCHY_WEIGHTS, f"1/{weights}")]
    if queue.spec.reclaimable is None:
        patch.append(add("/spec/reclaimable", True))
    if queue.spec.weight == 0:
        patch.append(add("/spec/weight", 1))
    return patch


def _annotate(key: str, value: str) -> PatchOperation:
    return add(f"/metadata/annotations/{key.replace('/', '~1')}", value)
