"""Readings that were put away: asking one back, letting it be, and deleting what others are told from.

`dashboard.services.background.putting_away` puts them away, and an import brings them back.
"""

from collections.abc import Sequence

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from dashboard.models import Delta, Question, Run, Scenario, Snapshot
from dashboard.models.deltas import steps_of
from dashboard.services.background.dispatch import send_import
from dashboard.services.background.leases import FREE
from dashboard.shapes.problems import ProblemDocument

USED = (
    Exists(Scenario.objects.filter(snapshot=OuterRef("pk")))
    | Exists(Run.objects.filter(snapshot=OuterRef("pk")))
    | Exists(Question.objects.filter(snapshot=OuterRef("pk"), status=Question.Status.ASKED))
)
"""What holds of snapshots that something needs; sweeps and served clusters belong to a scenario."""
Status = Snapshot.Status


def ask_back(snapshot: Snapshot) -> None:
    """Let a worker bring a reading back, unless one is asked to already."""
    with transaction.atomic():
        row = Snapshot.objects.filter(pk=snapshot.pk, status=Status.AWAY)
        waiting = {"stage": "waiting for a worker", "done": 0, "total": 1}
        if row.update(
            status=Status.RETURNING, progress=waiting, problems=[], cancel_requested=False, losses=0
        ):
            transaction.on_commit(lambda: send_import(snapshot.pk))
    snapshot.refresh_from_db(fields=["status", "progress", "problems"])


def ask_back_used() -> int:
    """Ask back what something came to need while it was put away; return how many."""
    away = Snapshot.objects.filter(USED, status=Status.AWAY).only("pk", "problems")
    used = [snapshot for snapshot in away if not snapshot.problems]
    for snapshot in used:
        ask_back(snapshot)
    return len(used)


def leave_away(snapshot: int, *, problems: Sequence[ProblemDocument] = ()) -> bool:
    """End a return, whose worker stops when it next looks after its lease; return whether there was one."""
    with transaction.atomic():
        row = Snapshot.objects.filter(pk=snapshot, status=Status.RETURNING)
        ended = row.update(
            status=Status.AWAY, progress={}, problems=list(problems), cancel_requested=True, **FREE
        )
        if ended:
            Delta.objects.filter(snapshot=snapshot).update(has_rows=True, put_away_at=timezone.now())
    return bool(ended)


def hand_on(snapshot: Snapshot) -> None:
    """Tell readings that were told from one that is being deleted from what that has.

    Where it was put away, these are its own differences before theirs. Else it is its content, which they
    keep; they are brought back, since one of them may be the newest now.
    """
    told = Delta.objects.filter(newer=snapshot.pk)
    row = Snapshot.objects.filter(Q(pk=snapshot.pk) | Q(pk__in=told.values("snapshot")))
    locked = {one.pk: one for one in row.order_by("pk").select_for_update().only("status")}
    if snapshot.pk not in locked:
        return
    own = Delta.objects.filter(snapshot=snapshot.pk).first()
    for delta in told:
        steps = steps_of(delta.differences)
        if own is not None:
            delta.tell([*steps_of(own.differences), *steps], own.newer_id, bytes(own.base))
            delta.save()
        else:
            delta.tell(steps, None, bytes(locked[snapshot.pk].content))
            delta.save()
            ask_back(locked[delta.snapshot_id])
