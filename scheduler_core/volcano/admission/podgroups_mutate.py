"""A pod group of the default queue goes to the queue that its namespace names.

Source: volcano v1.16 pkg/webhooks/admission/podgroups/mutate.
"""

from __future__ import annotations

from scheduler_core.objects import types
from scheduler_core.volcano.admission.answers import PatchOperation, Question, add
from scheduler_core.volcano.admission.webhook_lookups import Surroundings
from scheduler_core.volcano.model.custom_resources import DEFAULT_QUEUE, PodGroup

_QUEUE_ANNOTATION = "scheduling.volcano.sh/queue-name"


def mutate_pod_group(question: Question, around: Surroundings) -> list[PatchOperation]:
    """Return the patch; a group that names no queue at all is left as it is."""
    group = types.convert(question.document, PodGroup)
    if group.spec.queue != DEFAULT_QUEUE:
        return []
    queue = around.namespaces.get(group.metadata.namespace or "", {}).get(_QUEUE_ANNOTATION)
    return [] if queue is None else [add("/spec/queue", queue)]
