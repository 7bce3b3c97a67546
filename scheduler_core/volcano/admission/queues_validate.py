"""Whether a queue is let in, changed or deleted, step by step: the first step with a fault answers.

Source: volcano v1.16 pkg/webhooks/admission/queues/validate.
"""

from __future__ import annotations

from collections.abc import Iterator

from scheduler_core.go.quote import quote
from scheduler_core.objects import types
from scheduler_core.objects.types import ResourceList
from scheduler_core.volcano.admission.answers import Denied, Fault, Question
from scheduler_core.volcano.admission.hierarchy import hierarchy_fault
from scheduler_core.volcano.admission.queue_amounts import amount_faults
from scheduler_core.volcano.admission.queue_relatives import QueueAmongOthers, allocated_pods
from scheduler_core.volcano.admission.webhook_lookups import Surroundings
from scheduler_core.volcano.model.around import in_nanos
from scheduler_core.volcano.model.custom_resources import DEFAULT_QUEUE, Queue
from scheduler_core.volcano.model.queues import ROOT

_STATES = ("Open", "Closed")


def validate_queue(question: Question, around: Surroundings) -> None:
    """Raise Denied for a queue that can't be, or can't go."""
    if question.operation == "DELETE":
        _check_deletion(question.name, around)
        return
    queue = types.convert(question.document, Queue)
    old = types.convert(question.old, Queue) if question.operation == "UPDATE" else None
    _check_alone(queue, around)
    _check_among_others(queue, old, around)


def _check_alone(queue: Queue, around: Surroundings) -> None:
    """Raise Denied with all faults that show without the other queues, sorted."""
    texts = sorted({*amount_faults(queue.spec), *_faults_beside_amounts(queue, around)})
    if texts:
        message = texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]"
        raise Denied(message, faults=[_placed(text) for text in texts])


def _placed(text: str) -> Fault:
    """Return a fault whose text begins with its field."""
    field, _, reason = text.removeprefix("requestBody.").partition(": ")
    return Fault(field, reason)


def _faults_beside_amounts(queue: Queue, around: Surroundings) -> Iterator[str]:
    state = queue.status.state
    if state and state not in _STATES:
        allowed = f"[{' '.join(_STATES)}]"
        yield f"requestBody.spec.state: Invalid value: {quote(state)}: queue state must be in {allowed}"
    fault = hierarchy_fault(queue, around)
    if fault is not None:
        yield fault


def _check_among_others(queue: Queue, old: Queue | None, around: Surroundings) -> None:
    place = QueueAmongOthers(queue, around)
    moves = old is None or old.spec.parent != queue.spec.parent
    if moves:
        place.check_parent()
    resized = old is not None and not _says_the_same(queue, old)
    is_root = queue.metadata.name == ROOT
    if is_root and resized and around.protects_root:
        raise Denied(
            "root queue's resource attributes (capability, deserved, guarantee) cannot be modified", "spec"
        )
    if not is_root and (moves or resized):
        place.check_amounts()


def _says_the_same(left: Queue, right: Queue) -> bool:
    return (
        _same(left.spec.capability, right.spec.capability)
        and _same(left.spec.deserved, right.spec.deserved)
        and _same(left.spec.guarantee.resource, right.spec.guarantee.resource)
    )


def _same(left: ResourceList | None, right: ResourceList | None) -> bool:
    return in_nanos(left) == in_nanos(right)


def _check_deletion(name: str, around: Surroundings) -> None:
    if name in (DEFAULT_QUEUE, ROOT):
        raise Denied(f"`{name}` queue can not be deleted")
    pods = allocated_pods(around.queue(name))
    if pods and around.counts_pods_of_deleted:
        raise Denied(f"queue {name} cannot be deleted because it has allocated Pods: {pods}")
    children = [child.metadata.name for child in around.children(name)]
    if children:
        listed = ", ".join(children)
        raise Denied(f"queue {name} can not be deleted because it has {len(children)} child queues: {listed}")
