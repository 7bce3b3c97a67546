"""A snapshot under other names, as a file that may be given away.

A worker writes it (`background/renaming.py`): the row of the question keeps the secret until then, and the
file afterwards, until others need its room.
"""

import hashlib
import secrets
from collections.abc import Callable

import msgspec
from django.db.models import QuerySet
from django.utils import timezone

from dashboard.engine import engine_version
from dashboard.errors import NotPossibleNow
from dashboard.models import Question, Snapshot
from dashboard.models.packing import unpack
from dashboard.services.background.leases import FREE
from dashboard.services.background.lost_work import keep_no_secret
from dashboard.services.questions.rows import remind, wait_for
from dashboard.services.questions.stored_questions import Told, told_of
from dashboard.services.workspace.snapshots import export_json
from scheduler_core.objects.anonymising import Anonymised, Anonymiser
from scheduler_core.objects.anonymising.ranked_words import KEY_BYTES

MOST = 120_000
"""Pods and nodes: about two minutes of CPU time, in which other questions wait."""
LEFT_OUT = "sandtable/left-out"
"""The annotation of the List that says what was dropped."""


class Written(msgspec.Struct, frozen=True):
    """A file under other names: of how many objects, what is left out of it, and its bytes, packed."""

    objects: int
    left_out: list[str]
    packed: bytes

    def file(self) -> bytes:
        """Return the file."""
        return unpack(self.packed)


def secret_of(key: str) -> bytes:
    """Return from what names are drawn: what follows from the key, without one what nobody gets to know."""
    return hashlib.sha256(key.encode()).digest() if key else secrets.token_bytes(KEY_BYTES)


def anonymised(
    snapshot: Snapshot, secret: bytes, told: Callable[[int, int], None] = lambda done, of: None
) -> Anonymised:
    """Return the objects under other names. Raises NotPossibleNow for a snapshot that isn't ready."""
    return Anonymiser(msgspec.json.decode(export_json(snapshot))["items"], secret, told).anonymised()


def anonymised_file(told: Anonymised) -> bytes:
    """Return them as a List in JSON; an annotation of it says what was left out."""
    metadata = {"annotations": {LEFT_OUT: "; ".join(told.dropped)}} if told.dropped else {}
    return msgspec.json.encode(
        {"apiVersion": "v1", "kind": "List", "metadata": metadata, "items": told.objects}
    )


def order_file(snapshot: Snapshot, key: str) -> str:
    """Have a worker write it, once for all who give the same key; return the file's name, 64 letters.

    Raises NotPossibleNow for a snapshot that isn't ready or is too large.
    """
    if snapshot.status != Snapshot.Status.READY:
        raise NotPossibleNow(f"Snapshot {snapshot.pk} is not imported yet.")
    if (size := snapshot.pods_and_nodes) > MOST:
        raise NotPossibleNow(
            f"The snapshot has {size:,} pods and nodes. Names are changed of up to {MOST:,}."
        )
    secret = secret_of(key).hex()
    decides = [Question.OTHER_NAMES, engine_version(), snapshot.pk, secret]
    name = hashlib.sha256(msgspec.json.encode(decides)).hexdigest()
    Question.objects.filter(key=name, status=Question.Status.ANSWERED, answer=None).delete()
    now = timezone.now()
    first = {
        "snapshot": snapshot,
        "kind": Question.OTHER_NAMES,
        "asked": {"secret": secret},
        "asked_at": now,
        "used_at": now,
        "engine": engine_version(),
    }
    question, _ = Question.objects.get_or_create(key=name, defaults=first)
    remind(question)
    return name


def file_of(snapshot: Snapshot, name: str, wait: float = 0.0) -> Told[Written] | None:
    """Return what is known of a file by now, waiting so many seconds for it; None if it is not kept."""
    wait_for(name, wait)
    question = _file(snapshot, name).first()
    if question is None:
        return None
    remind(question)
    written = None
    if question.answer is not None:
        Question.objects.filter(pk=question.pk).update(used_at=timezone.now())
        written = Written(question.asked["objects"], question.asked["left_out"], bytes(question.answer))
    return told_of(question, written)


def end_file(snapshot: Snapshot, name: str) -> None:
    """Let a file be that is being written."""
    found = _file(snapshot, name)
    found.filter(status=Question.Status.ASKED).update(status=Question.Status.ANSWERED, ended=True, **FREE)
    keep_no_secret(found)


def _file(snapshot: Snapshot, name: str) -> QuerySet[Question]:
    return Question.objects.filter(snapshot=snapshot, kind=Question.OTHER_NAMES, key=name)
