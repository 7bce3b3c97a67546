"""The run without the edits, against which a run with edits is held: one for each question, shared by all.

It is played in the background, stands in no list of runs, and goes once no run needs it any more. So are
other runs that nobody asked for by a scenario (`changes_alone.py`, `sweeps/`).
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
    run.baseline = unlisted_run(run.snapshot_id, asked_of(run) | {"until": _until(run)}, background=True)
    run.save(update_fields=["baseline"])


def unused_baselines() -> QuerySet[Run]:
    """Return the runs of this kind that no run is held against, and no comparison or sweep needs."""
    unlisted = Run.objects.exclude(NOT_BASELINE)
    return unlisted.filter(held_against__isnull=True, alone_for__isnull=True, sweep_points__isnull=True)


def asked_of(run: Run) -> dict[str, Any]:
    """Return everything that a run was asked but its snapshot, edits and schedule."""
    return {name: getattr(run, name) for name in (*_ASKED, "until")}


def unlisted_run(snapshot: int, asked: dict[str, Any], *, background: bool) -> Run | None:
    """Return the run that stands in no list and is asked this, made if nobody has; in a transaction.

    Without edits and an order of its pods it is the run without the edits, if there is one. It is None only
    where somebody else made it meanwhile and took it away again.
    """
    nothing: dict[str, Any] = {"edits": [], "schedule": None}
    asked = {name: value for name, value in asked.items() if name not in nothing or value != nothing[name]}
    key = sha256(msgspec.json.encode(asked, order="sorted")).hexdigest()
    found = _found(snapshot, key)
    if found is not None:
        return found
    fields = asked | {"snapshot_id": snapshot, "baseline_key": key, "background": background}
    try:
        with transaction.atomic():
            return Run.objects.create(**fields)
    except IntegrityError:  # somebody else was quicker
        return _found(snapshot, key)


def _found(snapshot: int, key: str) -> Run | None:
    alike = Run.objects.filter(snapshot_id=snapshot, baseline_key=key)
    return alike.exclude(status__in=GIVEN_UP).select_for_update().first()


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
