"""The reaper: brings back work whose worker is gone or whose message was lost.

Call `reap` when the program starts and every few seconds, and `send_due_runs` more often; any number of
processes may do so at once, since a message that comes twice does no harm.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from dashboard.database_faults import is_passing
from dashboard.models import Question, Run, Snapshot
from dashboard.services.background import dispatch
from dashboard.services.background.attendance import places_for_runs
from dashboard.services.background.lost_work import (
    UNFINISHED,
    release_imports,
    release_questions,
    release_runs,
)
from dashboard.services.background.putting_away import remove_rows_of_put_away
from dashboard.services.background.recording import waiting_runs
from dashboard.services.background.retention import prune_runs
from dashboard.services.workspace.clusters import begin_due_readings
from dashboard.services.workspace.put_away import ask_back_used

UNDER_WAY_SECONDS = 5
"""How long a message may be between the broker's queue and the worker's claim."""


def reap(*, at_start: bool = False) -> int:
    """Send abandoned runs, imports and questions to the workers again, and prune what is not needed.

    Returns how many were sent.

    at_start: also send what has been sent already, since the broker may have come up empty.
    """
    prune_runs()
    begin_due_readings(timezone.now())
    release_runs(Run.objects.all())
    release_imports(Snapshot.objects.all())
    release_questions(Question.objects.all())
    ask_back_used()
    importing = Snapshot.objects.filter(status__in=UNFINISHED, owner="")
    questions = Question.objects.filter(status=Question.Status.ASKED, owner="")
    runs = waiting_runs().exclude(background=True, dispatched_at=None)
    sent = (
        _send(runs, dispatch.RUNS, dispatch.send_run, at_start)
        + _send(importing, dispatch.IMPORTS, dispatch.send_import, at_start)
        + _send(questions, dispatch.ANSWERS, dispatch.send_question, at_start)
    )
    remove_rows_of_put_away()
    return sent


def send_due_runs() -> int:
    """Send the runs that had given their workers back and are due, or else some in the background."""
    waiting = waiting_runs().filter(dispatched_at=None)
    if not waiting.exists():  # as mostly, and this is asked often
        return 0
    return _send_rows(waiting.filter(background=False), dispatch.send_run) or _send_rows(
        waiting.filter(background=True), dispatch.send_run, most=_room_in_background()
    )


def send_next() -> None:
    """Send what a worker may take that has just ended a run; the reaper does it where the database can't."""
    try:
        send_due_runs()
    except Exception as error:
        if not is_passing(error):
            raise


def _room_in_background() -> int:
    """Return how many runs may be sent in the background, where none waits that somebody has started.

    One at a time, as nobody is in a hurry; of a sweep one for each place that workers have on all machines,
    since it gives way at once.
    """
    if waiting_runs().exclude(background=True, dispatched_at=None).exists():
        return 0
    under_way = Run.objects.filter(background=True).exclude(owner="").count()
    of_sweeps = waiting_runs().filter(background=True, sweep_points__isnull=False)
    places = places_for_runs() or settings.WORKERS
    return max(0, (places if of_sweeps.exists() else 1) - under_way)


def _send(waiting: QuerySet[Any], queue: str, send: Callable[[int], bool], at_start: bool) -> int:
    if at_start or _messages_are_missing(waiting, queue):
        return _send_rows(waiting, send)
    return _send_rows(waiting.filter(dispatched_at=None), send)


def _send_rows(waiting: QuerySet[Any], send: Callable[[int], bool], most: int | None = None) -> int:
    """Send rows, the oldest first, until the broker takes no more."""
    sent = 0
    for pk in list(waiting.order_by("pk").values_list("pk", flat=True)[:most]):
        if not send(pk):
            break
        sent += 1
    return sent


def _messages_are_missing(waiting: QuerySet[Any], queue: str) -> bool:
    """Tell whether fewer messages wait than rows: a broker that was started again has forgotten them."""
    sent = waiting.filter(dispatched_at__lt=Now() - timedelta(seconds=UNDER_WAY_SECONDS)).count()
    if not sent:
        return False
    messages = dispatch.queue_length(queue)
    return messages is not None and messages < sent
