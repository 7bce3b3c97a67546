"""What Volcano's webhooks would say of objects that are there already.

They are asked about as they would be created: with the defaults that the mutating webhook gives first, since
a manifest that was never applied has none of them. They were let in once, so what changes by itself doesn't
count: all queues are taken for open, and shares are not summed up again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scheduler_core.objects.checks.cluster_checks import object_name
from scheduler_core.objects.identity import name_of, namespace_of
from scheduler_core.objects.kinds import POD, kind_of
from scheduler_core.objects.problems import Problem
from scheduler_core.volcano.admission.answers import Denied, Object, Question
from scheduler_core.volcano.admission.json_patch import patched
from scheduler_core.volcano.admission.pods_validate import BUDGETS
from scheduler_core.volcano.admission.webhook_lookups import Surroundings
from scheduler_core.volcano.admission.webhooks import webhook_of
from scheduler_core.volcano.api_kinds import VOLCANO_KINDS, VOLCANO_QUEUE


def refusals(objects: Iterable[Object]) -> Iterator[Problem]:
    """Yield a problem for each fault of an object that would be refused, in the objects' order."""
    documents = [document for document in objects if _is_asked_about(document)]
    if not documents:
        return
    around = Surroundings.of(objects).with_open_queues(lambda queue: True)
    for document in documents:
        webhook = webhook_of(kind_of(document), "validate")
        if webhook is None:
            continue
        try:
            webhook.run(_question(_with_defaults(document, around)), around)
        except Denied as denied:
            for fault in denied.faults:
                yield Problem(object_name(document), fault.field, " ".join(fault.message.split()))


def _is_asked_about(document: Object) -> bool:
    kind = kind_of(document)
    if kind == POD:
        annotations = (document.get("metadata") or {}).get("annotations") or {}
        return any(key in annotations for key in BUDGETS)
    return kind in VOLCANO_KINDS


def _with_defaults(document: Object, around: Surroundings) -> Object:
    """Return an object as the mutating webhook leaves a new one; a pod's is asked about others only."""
    webhook = webhook_of(kind_of(document), "mutate") if kind_of(document) != POD else None
    if webhook is None:
        return document
    namespace = "" if kind_of(document) == VOLCANO_QUEUE else namespace_of(document)
    return patched(
        document, webhook.run(Question("CREATE", document, {}, name_of(document), namespace), around)
    )


def _question(document: Object) -> Question:
    """Ask for a creation; for a queue, which isn't new to those beside it, for a change of nothing."""
    if kind_of(document) == VOLCANO_QUEUE:
        kept = {key: value for key, value in document.items() if key != "status"}
        return Question("UPDATE", kept, kept, name_of(document))
    namespace = namespace_of(document)
    metadata = {**(document.get("metadata") or {}), "namespace": namespace}
    return Question("CREATE", {**document, "metadata": metadata}, {}, name_of(document), namespace)
