"""Sweeps: a run for each point of the grid, which stands in no list and is shared by who asks the same.

They are played in the background: as many at once as there are workers, and each gives way to a run that
somebody has started. What a worker leaves behind is brought back as any run is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import product
from typing import Any

import msgspec
from django.db import transaction

from dashboard.errors import NotPossibleNow, problem_documents
from dashboard.models import Run, Scenario, Sweep, SweepPoint
from dashboard.models.runs import GIVEN_UP
from dashboard.services.workspace.audit import note
from dashboard.services.workspace.baselines import unlisted_run
from dashboard.services.workspace.run_checks import check_run
from dashboard.services.workspace.runs import cancel_run, frozen
from dashboard.services.workspace.sweeps.choices import choices_of
from dashboard.services.workspace.sweeps.dimensions import (
    checked_values,
    fields_of,
    original_of,
    read_dimensions,
    scenario_at,
)
from dashboard.shapes.swept import Dimension
from scheduler_core.objects.problems import BadInput, Problem

MOST_DIMENSIONS = 3
MOST_POINTS = 200
Places = tuple[int | None, ...]


def start_sweep(user: Any, scenario: Scenario, dimensions: Any) -> Sweep:
    """Store a sweep over a scenario as it is now, and have its points played.

    dimensions: documents, as `dimensions.py` says. Raises BadInput with the dimension and field of each
    fault, and NotPossibleNow.
    """
    if scenario.snapshot.status != "ready":
        raise NotPossibleNow("The scenario's snapshot is not imported yet.")
    check_run(scenario, None)
    original, read, points = planned_sweep(scenario, dimensions)
    with transaction.atomic():
        sweep = Sweep.objects.create(
            scenario=scenario,
            original=fields_of(scenario),
            dimensions=msgspec.to_builtins(read),
            created_by=user if user is not None and user.is_authenticated else None,
        )
        _add_points(sweep, original, read, points)
        note("sweep begun", f"sweep {sweep.pk}", scenario=scenario.pk)
    return sweep


def planned_sweep(
    scenario: Scenario, dimensions: Any
) -> tuple[Scenario, list[Dimension], list[tuple[Places, bool]]]:
    """Return the scenario as it is now, the dimensions that are read, and all points of their grid.

    Of a point it is told whether it has the scenario's own settings. Raises BadInput with the dimension and
    field of each fault.
    """
    if not isinstance(dimensions, list) or not 1 <= len(dimensions) <= MOST_DIMENSIONS:
        raise _refusal(f"must be a list of 1 to {MOST_DIMENSIONS}")
    known = {choice.key: choice.dimension for choice in choices_of(scenario)}
    read = read_dimensions(scenario, dimensions, known)
    points = list(_grid(read))
    if len(points) > MOST_POINTS:
        raise _refusal(f"make {len(points):,} runs with the scenario as it is: at most {MOST_POINTS}")
    original = original_of(scenario, fields_of(scenario))
    problems = checked_values(original, read)
    if problems:
        raise BadInput(problems)
    return original, read, points


def _refusal(message: str) -> BadInput:
    return BadInput([Problem("sweep", "dimensions", message)])


def dimensions_of(sweep: Sweep) -> list[Dimension]:
    """Return a sweep's dimensions."""
    return msgspec.convert(sweep.dimensions, list[Dimension])


def _grid(dimensions: Sequence[Dimension]) -> Iterator[tuple[Places, bool]]:
    """Yield every point, and whether it is the scenario's own settings, under whatever seed.

    Where no point is, the scenario as it is follows, under each seed.
    """
    places: list[Sequence[int | None]] = [range(len(one.values)) for one in dimensions]
    has_today = False
    for point in product(*places):
        is_today = all(map(_is_today, dimensions, point))
        has_today = has_today or is_today
        yield point, is_today
    if not has_today:
        seeds = [range(len(one.values)) if one.field == "seed" else [None] for one in dimensions]
        yield from ((point, True) for point in product(*seeds))


def _is_today(dimension: Dimension, place: int | None) -> bool:
    return dimension.field == "seed" or place is None or dimension.values[place].name == dimension.today


def _add_points(
    sweep: Sweep, original: Scenario, dimensions: list[Dimension], points: list[tuple[Places, bool]]
) -> None:
    for number, (places, is_today) in enumerate(points):
        run, problems = _played(original, dimensions, places)
        SweepPoint.objects.create(
            sweep=sweep, place=number, values=list(places), is_today=is_today, run=run, problems=problems
        )


def _played(
    original: Scenario, dimensions: list[Dimension], places: Sequence[int | None]
) -> tuple[Run | None, list[Any]]:
    """Return a point's run, made if nobody has asked the same; or what is wrong with its settings."""
    try:
        asked = frozen(scenario_at(original, dimensions, places))
    except BadInput as error:
        return None, problem_documents(error.problems)
    return unlisted_run(original.snapshot_id, asked, background=True), []


def play_again(sweep: Sweep) -> None:
    """Have those points played that have no run, or whose run was ended; all others stay.

    A run whose input is wrong would fail again.
    """
    dimensions = dimensions_of(sweep)
    original = original_of(sweep.scenario, sweep.original)
    with transaction.atomic():
        for point in sweep.points.select_related("run"):
            run = point.run
            if not point.problems and (run is None or (run.status in GIVEN_UP and not run.problems)):
                point.run, point.problems = _played(original, dimensions, point.values)
                point.save(update_fields=["run", "problems"])


def cancel_sweep(sweep: Sweep) -> None:
    """Cancel the runs of a sweep that have not ended and that nobody else needs."""
    note("sweep cancelled", f"sweep {sweep.pk}")
    _cancel_runs(sweep)


def _cancel_runs(sweep: Sweep) -> None:
    for run in Run.objects.filter(sweep_points__sweep=sweep, finished_at__isnull=True).distinct():
        if not _is_needed(run, sweep):
            with suppress(NotPossibleNow):  # it has ended meanwhile
                cancel_run(run)


def _is_needed(run: Run, sweep: Sweep) -> bool:
    of_others = run.sweep_points.exclude(sweep=sweep).exists()
    return of_others or run.held_against.exists() or run.alone_for.exists()


def delete_sweep(sweep: Sweep) -> None:
    """Delete a sweep, cancelling what goes on; its runs go with the next round of the reaper."""
    note("sweep deleted", f"sweep {sweep.pk}")
    _cancel_runs(sweep)
    sweep.delete()
