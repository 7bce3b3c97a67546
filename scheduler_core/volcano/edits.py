"""Volcano's own objects in edits, as an API server has them that asks Volcano's admission webhooks.

What they refuse is refused, beside the field that it is about; what they set is noted. The pods of a Job are
made in the run, by its controller; a new queue is opened here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from scheduler_core.objects.identity import name_of, namespace_of, spec_of
from scheduler_core.objects.kinds import NAMESPACE, kind_of
from scheduler_core.schedulers.object_admission import Around, Note, Refused
from scheduler_core.volcano.admission.answers import Denied, PatchOperation, Question
from scheduler_core.volcano.admission.json_patch import patched, steps_of
from scheduler_core.volcano.admission.webhook_lookups import Surroundings
from scheduler_core.volcano.admission.webhooks import Verb, webhook_of
from scheduler_core.volcano.api_kinds import VOLCANO_JOB, VOLCANO_KINDS, VOLCANO_QUEUE
from scheduler_core.volcano.imports.kind_faults import kind_faults
from scheduler_core.volcano.model.queues import ROOT

Object = dict[str, Any]

MAX_QUEUES = 1_000
"""How many queues edits may make: each new one is compared with those beside it."""


class VolcanoAdmission:
    """Volcano's admission of objects in edits."""

    def admit(self, around: Around, document: Object, note: Note) -> Object:
        """Return a new object with its defaults; one that isn't Volcano's as it is. Raises Refused."""
        if kind_of(document) not in VOLCANO_KINDS:
            return document
        if kind_of(document) == VOLCANO_QUEUE and around.count(VOLCANO_QUEUE) >= MAX_QUEUES:
            raise Refused("manifest", f"there are {MAX_QUEUES:,} queues already, which is the limit")
        _check_types(document, "manifest")
        known = _surroundings(around)
        patch = _ask("mutate", _question("CREATE", document), known, "manifest")
        document = patched(document, patch)
        for operation in patch:
            note(_said(operation))
        _ask("validate", _question("CREATE", document), known, "manifest")
        return _opened(document, note) if kind_of(document) == VOLCANO_QUEUE else document

    def check_pod(self, pod: Object, place: str) -> None:
        """Raise Refused for a pod of Volcano's scheduler with annotations that its webhook refuses.

        `place` is that of the pod's spec in the edit.
        """
        if (pod.get("metadata") or {}).get("annotations"):
            _ask("validate", _question("CREATE", pod), Surroundings(), place.removesuffix(".spec"))

    def check_change(self, around: Around, old: Object, new: Object, place: str) -> None:
        """Raise Refused for a change, at this place of the edit, that the webhook doesn't let through."""
        if kind_of(new) in VOLCANO_KINDS:
            _check_types(new, place)
            question = _question("UPDATE", new)._replace(old=old)
            _ask("validate", question, _surroundings(around), place)

    def check_deletion(self, around: Around, document: Object) -> None:
        """Raise Refused for an object that has to stay."""
        if kind_of(document) == VOLCANO_QUEUE:
            question = Question("DELETE", {}, document, name_of(document))
            webhook = webhook_of(VOLCANO_QUEUE, "validate")
            assert webhook is not None
            try:
                webhook.run(question, _surroundings(around))
            except Denied as denied:
                raise Refused("name", _sentence(str(denied))) from None

    def added(self, document: Object, note: Note) -> None:
        """Say what becomes of a new Job: its controller is an actor of the run."""
        if kind_of(document) == VOLCANO_JOB:
            name = f"{VOLCANO_JOB} {namespace_of(document)}/{name_of(document)}"
            note(f"the pods of {name} are made in the run, by Volcano's job controller")


def _surroundings(around: Around) -> Surroundings:
    found: Surroundings = around.once((VOLCANO_QUEUE, NAMESPACE), _at_rest)
    return found


def _at_rest(documents: Iterable[Object]) -> Surroundings:
    """Return what webhooks look up; a queue that says no state is open, as its controller leaves it."""
    return Surroundings.of(documents).with_open_queues(lambda queue: not queue.status.state)


def _check_types(document: Object, place: str) -> None:
    faults = [(f"{place}.{problem.field}", problem.message) for problem in kind_faults([document])]
    if faults:
        raise Refused(*faults[0], faults[1:])


def _question(operation: str, document: Object) -> Question:
    namespace = "" if kind_of(document) == VOLCANO_QUEUE else namespace_of(document)
    return Question(operation, document, {}, name_of(document), namespace)


def _ask(verb: Verb, question: Question, around: Surroundings, place: str) -> list[PatchOperation]:
    """Return the patch of a kind's webhook, if it has one that an API server would ask. Raises Refused."""
    webhook = webhook_of(kind_of(question.document), verb)
    if webhook is None or question.operation not in webhook.operations:
        return []
    try:
        return webhook.run(question, around)
    except Denied as denied:
        faults = [(f"{place}.{fault.field}".rstrip("."), _sentence(fault.message)) for fault in denied.faults]
        raise Refused(*faults[0], faults[1:]) from None


def _sentence(message: str) -> str:
    """Return a webhook's message in one line, with who says so."""
    return f"{' '.join(message.split()).rstrip(';.')} (Volcano's admission webhook)"


def _said(operation: PatchOperation) -> str:
    value, path = operation["value"], ".".join(steps_of(operation))
    shown = "with their defaults" if isinstance(value, dict | list) else str(value)
    return f"{path} {shown} by Volcano's admission webhook"


def _opened(queue: Object, note: Note) -> Object:
    """Return a queue as its controller leaves it at first: open, and below root."""
    spec, status = spec_of(queue), queue.get("status") or {}
    if not status.get("state"):
        status = {**status, "state": "Open"}
        note("status.state Open by the queue's controller")
    if not spec.get("parent") and name_of(queue) != ROOT:
        spec = {**spec, "parent": ROOT}
        note(f"spec.parent {ROOT} by the queue's controller")
    return {**queue, "spec": spec, "status": status}
