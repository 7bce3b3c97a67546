"""A sweep that is played in this process, point by point: nothing of it is stored."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from dashboard.answers.rests_on import Played
from dashboard.engine import items_of, run_input_of
from dashboard.models import Scenario
from dashboard.services.results.counted import count
from dashboard.services.results.sweeps import figures_of, played_point, swept_of
from dashboard.services.workspace.sweeps.dimensions import scenario_at
from dashboard.services.workspace.sweeps.playing import Places, planned_sweep
from dashboard.shapes.swept import Dimension, Point, Swept
from scheduler_core.objects.problems import BadInput
from scheduler_core.world.simulation import Simulation


def swept_here(scenario: Scenario, dimensions: Any, tell: Callable[[int, int], None]) -> Swept:
    """Play every point of a sweep over a scenario; `tell` is told how many of how many are done.

    Raises BadInput as `planned_sweep`.
    """
    original, read, planned = planned_sweep(scenario, dimensions)
    points = list(_played(original, read, planned, tell))
    return swept_of(0, 0, scenario.name, read, points)


def _played(
    original: Scenario,
    dimensions: Sequence[Dimension],
    planned: Sequence[tuple[Places, bool]],
    tell: Callable[[int, int], None],
) -> Iterator[Point]:
    objects = items_of(original.snapshot)
    for place, (values, is_today) in enumerate(planned):
        tell(place, len(planned))
        yield _point(original, dimensions, objects, place, values, is_today)


def _point(
    original: Scenario,
    dimensions: Sequence[Dimension],
    objects: list[dict[str, Any]],
    place: int,
    values: Places,
    is_today: bool,
) -> Point:
    try:
        run_input = run_input_of(scenario_at(original, dimensions, values), objects)
        counted = count(Simulation(run_input), run_input.edits, known=None)
    except BadInput as error:
        why = "; ".join(dict.fromkeys(problem.message for problem in error.problems))
        return Point(place, values, is_today, None, "refused", why)
    played = Played(None, run_input.profile, counted.trust)
    return played_point(place, values, is_today, played, figures_of(counted.figures))
