"""Each change between two runs alone: a run of it is stored, stands in no list, and is shared by who asks.

They are played when somebody asks for it, and go with either of the two runs.
"""

from collections.abc import Sequence
from typing import Any

from django.db import transaction

from dashboard.errors import NotPossibleNow
from dashboard.models import ChangeAlone, Run
from dashboard.services.background.dispatch import send_run
from dashboard.services.results.changes import Change, Inseparable, changes_of
from dashboard.services.workspace.baselines import asked_of, unlisted_run
from dashboard.services.workspace.runs import request_cancel


def play_alone(a: Run, b: Run) -> list[ChangeAlone]:
    """Have a run played for each change between two runs that have ended; those that there are stay.

    Raises NotPossibleNow where the changes can't be taken apart, or are fewer than two.
    """
    try:
        changes = changes_of(a, b)
    except Inseparable as reason:
        raise NotPossibleNow(str(reason)) from None
    if len(changes) < 2:
        raise NotPossibleNow("One thing was asked differently: the two runs say what it does.")
    if not (a.has_ended and b.has_ended):
        raise NotPossibleNow("One of the runs still goes on.")
    with transaction.atomic():
        return [_play(a, b, place, change) for place, change in enumerate(changes)]


def _play(a: Run, b: Run, place: int, change: Change) -> ChangeAlone:
    asked: dict[str, Any] = asked_of(a) | {"edits": a.edits, "schedule": a.schedule} | dict(change.fields)
    run = unlisted_run(a.snapshot_id, asked, background=False)
    if run is None:
        raise NotPossibleNow("Somebody else takes these runs away: ask again.")
    if run.status == Run.Status.QUEUED:
        number = run.pk
        transaction.on_commit(lambda: send_run(number))
    row, _ = ChangeAlone.objects.update_or_create(a=a, b=b, place=place, defaults={"run": run})
    return row


def cancel_alone(a: Run, b: Run) -> None:
    """Cancel the runs of the changes between two runs that have not ended and that nobody else needs."""
    for row in rows_alone(a, b):
        of_others = row.run.alone_for.exclude(a=a, b=b).exists() or row.run.sweep_points.exists()
        needed = row.run.held_against.exists() or of_others
        if not row.run.has_ended and not needed:
            request_cancel(row.run)


def rows_alone(a: Run, b: Run) -> Sequence[ChangeAlone]:
    """Return the changes between two runs that were asked to be played alone, in their order."""
    return list(ChangeAlone.objects.filter(a=a, b=b).select_related("run__snapshot").order_by("place"))
