"""The run without the edits, against which a run with edits is held: one for each question, shared by all.

It is played in the background, stands in no list of runs, and goes once no run needs it any more.
"""

from hashlib import sha256
from typing import Any

import msgspec
from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from dashboard.models import Run
from dashboard.models.runs import GIVEN_UP, NOT_BASELINE
from dashboard.models.scenarios import Driver
from scheduler_core.world.run_input import AFTER_THE_LAST

_ASKED = (
    "profile",
    "config",
    "driver",
    "controllers",
    "beside",
    "seed",
    "attempt_limit",
    "attempt_seconds",
    "ready_seconds",
    "engine_version",
    "schema_version",
)
"""The fields of a run that decide, but for its snapshot, edits and schedule, and the end of its clock."""


def give_baseline(run: Run) -> None:
    """Link a run with edits to the run without them, and make that one if nobody has; in a transaction.

    A run whose pods enter the queue in a given order has none, since the order may name pods of its edits.
    """
    if not run.edits or run.schedule is not None:
        return
    run.baseline = _found(run) or _made(run)
    run.save(update_fields=["baseline"])


def unused_baselines() -> QuerySet[Run]:
    """Return the runs without edits against which no run is held."""
    return Run.objects.exclude(NOT_BASELINE).filter(held_against__isnull=True)


def _found(run: Run) -> Run | None:
    alike = Run.objects.filter(snapshot_id=run.snapshot_id, baseline_key=_key(run))
    return alike.exclude(status__in=GIVEN_UP).select_for_update().first()


def _made(run: Run) -> Run | None:
    fields = _asked(run) | {"snapshot_id": run.snapshot_id, "baseline_key": _key(run), "background": True}
    try:
        with transaction.atomic():
            return Run.objects.create(**fields)
    except IntegrityError:  # somebody else was quicker
        return _found(run)


def _key(run: Run) -> str:
    """Return what stands for everything that the run was asked but its edits."""
    return sha256(msgspec.json.encode(_asked(run), order="sorted")).hexdigest()


def _asked(run: Run) -> dict[str, Any]:
    return {name: getattr(run, name) for name in _ASKED} | {"until": _until(run)}


def _until(run: Run) -> float | None:
    """Return when the clock ends, in seconds: without its edits a run would take an earlier end of itself."""
    if run.until is not None or run.driver != Driver.TIMED:
        until: float | None = run.until
        return until
    ends = ((edit.get("at") or 0) + AFTER_THE_LAST * _nodes_in_turn(run, edit) for edit in run.edits)
    return max(ends, default=AFTER_THE_LAST)


def _nodes_in_turn(run: Run, edit: dict[str, Any]) -> int:
    """Return how many nodes an edit comes to one after another, at most: a group may be the whole cluster."""
    if edit["op"] != "drain" or edit.get("node") is not None:
        return 1
    return len(edit["nodes"]) if edit.get("nodes") else max(1, run.snapshot.counts.get("Node", 1))
