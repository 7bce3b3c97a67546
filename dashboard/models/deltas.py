"""Readings that were put away: how each is made again of the next newer reading of its cluster."""

import hashlib
from collections.abc import Sequence
from typing import Any

import msgspec
from django.db import models

from dashboard.models.lists import apply, join, split
from dashboard.models.packing import unpack

ATTEMPTS = 5


class NotRestored(Exception):
    """What is stored of a reading does not make the List that it had."""


class Delta(models.Model):
    """What a reading that was put away differs by from a newer one, in place of its content and its rows.

    newer: the reading that it is told from. base: instead of that, where it was deleted, its content.
    differences: packed, of `lists.difference`; the first one leads from there to an older reading, each other
    one to one that is older still, and the last to this one. size: bytes of both.
    put_away_at: when; has_rows: its rows are not removed yet, or those of a return that was cancelled.
    """

    snapshot = models.OneToOneField("dashboard.Snapshot", on_delete=models.CASCADE, related_name="delta")
    newer = models.ForeignKey(
        "dashboard.Snapshot", null=True, blank=True, on_delete=models.RESTRICT, related_name="told_from_it"
    )
    base = models.BinaryField(default=b"")
    differences = models.BinaryField()
    size = models.PositiveBigIntegerField()
    put_away_at = models.DateTimeField()
    has_rows = models.BooleanField(default=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="delta_begins_somewhere",
                condition=models.Q(newer__isnull=False, base=b"")
                | models.Q(newer=None) & ~models.Q(base=b""),
            ),
        ]

    def __str__(self) -> str:
        return f"delta of snapshot {self.snapshot_id}"

    def tell(self, differences: Sequence[bytes], newer_id: int | None, base: bytes = b"") -> None:
        """Take what this reading is told from, and by which differences; nothing is saved."""
        self.newer_id, self.base = newer_id, base
        self.differences = msgspec.msgpack.encode(differences)
        self.size = len(self.differences) + len(base)


def restored_list(snapshots: models.QuerySet[Any], pk: int, content_hash: str) -> bytes:
    """Return the List of one of the snapshots, as JSON. Raises NotRestored if it is another one.

    Readings may be put away, brought back and deleted meanwhile: then it is begun again.
    """
    for _ in range(ATTEMPTS):
        text = _restored(snapshots, pk)
        if text is not None and hashlib.sha256(text).hexdigest() == content_hash:
            return text
    raise NotRestored(f"what is stored of snapshot {pk} does not make the List that it had")


def _restored(snapshots: models.QuerySet[Any], pk: int) -> bytes | None:
    """Return a List by what is stored now; None if that changed while it was read."""
    steps: list[bytes] = []
    content: Any = b""
    number: Any = pk
    while not content:
        found = snapshots.filter(pk=number).values_list("content", *_TOLD_FROM).first()
        content, newer, base, differences = found or (b"", None, None, None)
        if not content:
            if differences is None:
                return None
            steps = [*steps_of(differences), *steps]
            content, number = base, newer
    texts = split(unpack(content))
    for step in steps:
        texts = apply(step, texts)
    return join(texts)


_TOLD_FROM = ("delta__newer", "delta__base", "delta__differences")


def steps_of(differences: bytes | memoryview) -> list[bytes]:
    """Return the differences of a delta, each by itself."""
    return msgspec.msgpack.decode(bytes(differences), type=list[bytes])
