"""Runs: start one from a scenario, ask its worker to stop, pause or slow down, and delete it.

`start_run` freezes everything that decides. The requests here only note what a reader wants; the worker
acts at its next look. A run that no worker holds is changed at once.
"""

from datetime import timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from dashboard.engine import engine_version
from dashboard.errors import AlreadyDeleted, HasDependents, NotPossibleNow
from dashboard.kinds.settled import beside_of, config_of
from dashboard.models import Checkpoint, Chunk, DecisionIndex, Run, Scenario
from dashboard.services.background import bell
from dashboard.services.background.dispatch import send_run
from dashboard.services.background.leases import FREE
from dashboard.services.background.making_room import delete_making_room
from dashboard.services.background.recording import LONGEST_WAIT_SECONDS
from dashboard.services.workspace.audit import note
from dashboard.services.workspace.baselines import give_baseline
from dashboard.services.workspace.run_checks import check_run
from dashboard.services.workspace.schedulers import default_driver
from scheduler_core.events.decisions import SCHEMA_VERSION

ATTEMPT_LIMIT = 10
RATE_LIMIT = 100_000.0


def start_run(
    user: Any,
    scenario: Scenario,
    *,
    rate: float | None = None,
    schedule: list[str] | None = None,
    background: bool = False,
) -> Run:
    """Create a run of the scenario as it stands and send it to a worker once that is committed.

    schedule: the pending pods (`namespace/name`) in the order of entering the queue; None is by creation.
    background: play it when nobody else's run waits; the reaper sends it then.
    Raises BadInput for names that there cannot be.
    """
    if scenario.snapshot.status != "ready":
        raise NotPossibleNow("The scenario's snapshot is not imported yet.")
    check_run(scenario, schedule)
    with transaction.atomic():
        run = Run.objects.create(
            scenario=scenario,
            snapshot=scenario.snapshot,
            **frozen(scenario, schedule),
            rate=_checked_rate(rate),
            background=background,
            created_by=user if user is not None and user.is_authenticated else None,
        )
        if not background:
            transaction.on_commit(lambda: send_run(run.pk))
        give_baseline(run)
        note("run begun", f"run {run.pk}", scenario=scenario.pk)
    return run


def frozen(scenario: Scenario, schedule: list[str] | None = None) -> dict[str, Any]:
    """Return the fields of a run that decide, as a scenario has them now, but for its snapshot."""
    return {
        "profile": scenario.profile,
        "config": config_of(scenario),
        "driver": _driver(scenario, schedule),
        "controllers": scenario.controllers,
        "beside": beside_of(scenario),
        "edits": [edit for _, edit in scenario.active_edits()],
        "seed": scenario.seed,
        "schedule": schedule,
        "attempt_limit": ATTEMPT_LIMIT,
        "until": scenario.until,
        "attempt_seconds": scenario.attempt_seconds,
        "ready_seconds": scenario.ready_seconds,
        "engine_version": engine_version(),
        "schema_version": SCHEMA_VERSION,
    }


def _driver(scenario: Scenario, schedule: list[str] | None) -> str:
    """Return the run's driver. Where none is chosen, an order of entering the queue has no clock."""
    if schedule is None or scenario.driver_chosen:
        return scenario.driver
    return default_driver(scenario.profile) or scenario.driver


def request_cancel(run: Run) -> Run:
    """As `cancel_run`, noted in the audit log."""
    with transaction.atomic():
        note("run cancelled", f"run {run.pk}")
        return cancel_run(run)


def cancel_run(run: Run) -> Run:
    """Cancel at once if no worker holds the run, else at the worker's next look."""
    row = Run.objects.filter(pk=run.pk)
    unheld = row.filter(finished_at__isnull=True, owner="")
    cancelled = unheld.update(status="cancelled", want="", due_at=None, finished_at=Now())
    if not cancelled and not row.filter(status="running").update(want="cancel"):
        raise NotPossibleNow(f"The run has ended: {_status(run)}.")
    return _changed(run)


def request_pause(run: Run) -> Run:
    """Pause at once if no worker holds the run, else at the worker's next look."""
    row = Run.objects.filter(pk=run.pk)
    paused = row.filter(status__in=["queued", "running"], owner="").update(status="paused", due_at=None)
    if not paused and not row.filter(status="running", want__in=["", "pause"]).update(want="pause"):
        raise NotPossibleNow(f"Only a running run can be paused; this one is {_status(run)}.")
    return _changed(run)


def request_resume(run: Run) -> Run:
    """Take back a pause that is not in force yet, or queue the paused run again."""
    row = Run.objects.filter(pk=run.pk)
    if not row.filter(status="running", want="pause").update(want=""):
        if not row.filter(status="paused").update(status="queued", want=""):
            raise NotPossibleNow(f"Only a paused run can be resumed; this one is {_status(run)}.")
        transaction.on_commit(lambda: send_run(run.pk))
    return _changed(run)


def set_rate(run: Run, rate: float | None) -> Run:
    """Set how many decisions a second the run takes from now on; None is as fast as possible."""
    checked = _checked_rate(rate)
    if not Run.objects.filter(pk=run.pk, finished_at__isnull=True).update(rate=checked):
        raise NotPossibleNow(f"The run has ended: {_status(run)}.")
    _bring_forward(run, 1 / checked if checked else 0.0)
    return _changed(run)


def _bring_forward(run: Run, seconds: float) -> None:
    """Let a run that has given its worker back wait no longer than that."""
    latest = Now() + timedelta(seconds=min(seconds, LONGEST_WAIT_SECONDS))
    Run.objects.filter(pk=run.pk, due_at__gt=latest).update(due_at=latest)


def pin_run(run: Run, pinned: bool) -> Run:
    """Keep the run from being pruned by age, or let it go."""
    Run.objects.filter(pk=run.pk).update(pinned=pinned)
    run.refresh_from_db(fields=["pinned"])
    return run


def delete_run(run: Run, *, cascade: bool = False) -> None:
    """Delete the run and its log; one that has not ended only with `cascade`, which cancels it first.

    Raises AlreadyDeleted where somebody else has just done it. A worker that is still at it finds its lease
    gone and stops.
    """
    if not cascade and Run.objects.filter(pk=run.pk, finished_at__isnull=True).exists():
        raise HasDependents("The run", ["a worker that is not done with it"])
    row = Run.objects.filter(pk=run.pk)
    delete_making_room(lambda: _delete_noted(run), lambda: bulk_of_runs(row))


def delete_runs(runs: QuerySet[Run]) -> None:
    """Delete runs and their logs, cancelling first those that have not ended.

    On a full disk they go bit by bit.
    """
    delete_making_room(lambda: delete_runs_at_once(runs), lambda: bulk_of_runs(runs))


def _delete_noted(run: Run) -> None:
    with transaction.atomic():
        note("run deleted", f"run {run.pk}")
        if not delete_runs_at_once(Run.objects.filter(pk=run.pk)):
            raise AlreadyDeleted(f"Run {run.pk}")


def delete_runs_at_once(runs: QuerySet[Run]) -> int:
    """Delete runs and their logs in one transaction; return how many runs were there.

    Cancelling takes the rows from their workers, which then add nothing to what is being deleted.
    """
    with transaction.atomic():
        numbers = list(runs.values_list("pk", flat=True))
        going = Run.objects.filter(pk__in=numbers, finished_at__isnull=True)
        going.update(status="cancelled", want="", due_at=None, finished_at=Now(), **FREE)
        _, deleted = Run.objects.filter(pk__in=numbers).delete()
    transaction.on_commit(partial(_ring_all, numbers))
    return deleted.get(Run._meta.label, 0)


def _ring_all(numbers: list[int]) -> None:
    for number in numbers:
        bell.ring(number)


def bulk_of_runs(runs: QuerySet[Run]) -> list[QuerySet[Any]]:
    """Return the rows that make runs large, and without which a run can still be deleted."""
    return [model.objects.filter(run__in=runs) for model in (Checkpoint, DecisionIndex, Chunk)]


def _changed(run: Run) -> Run:
    transaction.on_commit(lambda: bell.ring(run.pk))
    run.refresh_from_db(fields=["status", "want", "rate", "owner", "finished_at", "decisions", "progress"])
    return run


def _status(run: Run) -> str:
    return Run.objects.values_list("status", flat=True).get(pk=run.pk)


def _checked_rate(rate: float | None) -> float | None:
    if rate is None:
        return None
    if isinstance(rate, bool) or not isinstance(rate, int | float) or not 0 < rate <= RATE_LIMIT:
        raise ValueError(f"rate must be null or a number above 0 and at most {RATE_LIMIT:.0f}")
    return float(rate)
