"""Putting away readings of clusters that nobody needs: each becomes what it differs by from the next.

A reading is put away once a newer one is there. Its status says so first. Its rows go a minute later, when
whoever had begun to read them has ended. An import brings it back (`importing.py`).
"""

import hashlib
import logging
from datetime import timedelta
from functools import partial

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Now

from dashboard.errors import LeaseLost
from dashboard.models import Delta, Question, Snapshot
from dashboard.models.lists import apply, difference, join, split
from dashboard.services.background.leases import FREE, new_owner
from dashboard.services.background.returning import returning_leases
from dashboard.services.imports.stored_rows import remove_rows
from dashboard.services.workspace.put_away import USED

logger = logging.getLogger(__name__)

STAYS_WHOLE = timedelta(minutes=15)
"""So long a reading stays whole after it was read, brought back or asked about."""
ROWS_STAY = timedelta(minutes=1)
"""So long requests may go on that had found a reading whole."""
Status = Snapshot.Status


def put_away_before(snapshot_id: int) -> int:
    """Put away the readings before a new one of the same cluster that nobody needs; return how many."""
    put_away = 0
    with returning_leases():
        newest = Snapshot.objects.filter(pk=snapshot_id, status=Status.READY).values("cluster")
        older = unneeded(Snapshot.objects.filter(cluster__in=newest, pk__lt=snapshot_id))
        for pk in list(older.order_by("pk").values_list("pk", flat=True)):
            put_away += _put_away(pk)
    return put_away


def unneeded(readings: QuerySet[Snapshot]) -> QuerySet[Snapshot]:
    """Return those of the readings that are whole and that nothing and nobody needs now."""
    lately = Now() - STAYS_WHOLE
    asked = Question.objects.filter(snapshot=OuterRef("pk"), used_at__gte=lately)
    return readings.filter(~USED, ~Exists(asked), status=Status.READY, created_at__lt=lately).exclude(
        needed_at__gte=lately
    )


def _put_away(pk: int) -> bool:
    """Put a reading away, if what is stored of it then makes the same List again."""
    reading = Snapshot.objects.filter(pk=pk).first()
    if reading is None or reading.cluster_id is None:
        return False
    of_cluster = Snapshot.objects.filter(cluster=reading.cluster_id, pk__gt=pk)
    kept = Q(status__in=[Status.READY, Status.AWAY, Status.RETURNING])
    newer = of_cluster.filter(kept).order_by("pk").first()
    if newer is None:
        return False
    text, base = reading.list_json(), split(newer.list_json())
    step = difference(split(text), base)
    restored = join(apply(step, base))
    if restored != text or hashlib.sha256(restored).hexdigest() != reading.content_hash:
        logger.warning("Snapshot %s stays whole: a delta does not make it again", pk)
        return False
    return _store(pk, newer.pk, step)


def _store(pk: int, newer: int, step: bytes) -> bool:
    with transaction.atomic():
        locked = Snapshot.objects.filter(pk__in=[pk, newer]).order_by("pk").select_for_update()
        row = unneeded(Snapshot.objects.filter(pk=pk))
        if len(locked.only("pk")) < 2 or not row.exists():
            return False
        delta = Delta(snapshot_id=pk, put_away_at=Now())
        delta.tell([step], newer)
        delta.save(force_insert=True)
        Snapshot.objects.filter(pk=pk).update(status=Status.AWAY, content=b"", problems=[], **FREE)
    return True


def remove_rows_of_put_away() -> bool:
    """Remove the rows that a reading had before it was put away; return whether there was one.

    One at a time, since the reaper has more to do.
    """
    since = Now() - ROWS_STAY
    waiting = Delta.objects.filter(
        has_rows=True, put_away_at__lt=since, snapshot__status=Status.AWAY, snapshot__owner=""
    )
    pk = waiting.order_by("snapshot").values_list("snapshot", flat=True).first()
    if pk is None:
        return False
    owner = new_owner()
    at_rest = Snapshot.objects.filter(pk=pk, status=Status.AWAY, owner="")
    if not at_rest.update(owner=owner, heartbeat_at=Now()):
        return False
    row = Snapshot.objects.filter(pk=pk, owner=owner)
    with returning_leases() as held:
        held.give_up = partial(_let_go, row)
        _remove_rows(pk, row)
    return True


def _remove_rows(pk: int, row: QuerySet[Snapshot]) -> None:
    """Remove a reading's rows under a lease: it may be asked back on the way, and waits then."""

    def hold() -> None:
        if not row.update(heartbeat_at=Now()):
            raise LeaseLost(f"snapshot {pk}")

    remove_rows(pk, hold)
    with transaction.atomic():
        hold()
        _let_go(row)
        Delta.objects.filter(snapshot=pk).update(has_rows=False)


def _let_go(row: QuerySet[Snapshot]) -> None:
    row.update(**FREE)
