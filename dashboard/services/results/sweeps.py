"""A sweep as it stands: what each of its points came to, out of the outcomes of their runs.

Of an outcome, which may be megabytes, the database takes the few figures that a sweep compares.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from django.db.models.fields.json import KeyTransform

from dashboard.answers.rests_on import Played
from dashboard.models import Run, Sweep, SweepPoint
from dashboard.services.results.outcome import sum_of
from dashboard.services.results.run_sums import settled_outcome
from dashboard.shapes.swept import Dimension, Point, PointFigures, Setting, State, Swept

_READ = (
    "pending", "left_alone", "left_out", "placed", "evicted", "budgets_violated", "incomplete", "packing",
    "utilisation", "by_queue", "limit_reached",
)  # fmt: skip
_UNDER_WAY: dict[str, State] = {"queued": "waiting", "running": "playing", "paused": "playing"}


def swept(sweep: Sweep) -> Swept:
    """Return a sweep and what its points came to by now."""
    dimensions = msgspec.convert(sweep.dimensions, list[Dimension])
    rows = list(sweep.points.order_by("place"))
    runs = _runs(rows)
    points = [_point(row, runs.get(row.run_id or 0)) for row in rows]
    return swept_of(sweep.pk, sweep.scenario_id, sweep.scenario.name, dimensions, points)


def swept_of(
    pk: int, scenario: int, name: str, dimensions: Sequence[Dimension], points: Iterable[Point]
) -> Swept:
    """Return a sweep with these points, in the order of the grid."""
    settings = list(_settings(dimensions, points))
    return Swept(pk, scenario, name, dimensions, settings, frozenset(_framed(settings)))


def _runs(rows: Iterable[SweepPoint]) -> dict[int, Run]:
    read: dict[str, Any] = {f"swept_{name}": KeyTransform(name, "outcome") for name in _READ}
    runs = Run.objects.filter(pk__in=[row.run_id for row in rows if row.run_id])
    return {
        run.pk: run for run in runs.only("status", "error", "problems", "profile", "trust").annotate(**read)
    }


def _point(row: SweepPoint, run: Run | None) -> Point:
    values = tuple(row.values)
    if run is None:
        state: State = "refused" if row.problems else "gone"
        why = "; ".join(dict.fromkeys(problem["message"] for problem in row.problems))
        return Point(row.place, values, row.is_today, None, state, why)
    if run.status in _UNDER_WAY:
        return Point(row.place, values, row.is_today, run.pk, _UNDER_WAY[run.status])
    if run.status != Run.Status.FINISHED:
        return Point(row.place, values, row.is_today, run.pk, _ended(run), run.error)
    figures = figures_of(_read(run))
    return played_point(row.place, values, row.is_today, Played(run.pk, run.profile, run.trust), figures)


def _ended(run: Run) -> State:
    """Return what became of a run that came to no end: one whose input is wrong would fail again."""
    if run.status != Run.Status.FAILED:
        return "ended"
    return "refused" if run.problems else "failed"


def played_point(
    place: int, values: tuple[int | None, ...], is_today: bool, played: Played, figures: PointFigures
) -> Point:
    """Return a point whose run was played to its end."""
    why = "it stopped at the limit of attempts" if figures.at_limit else ""
    return Point(place, values, is_today, played.run, "played", why, figures, played.profile, played.trust)


def _read(run: Run) -> Mapping[str, Any]:
    found = {name: getattr(run, f"swept_{name}") for name in _READ}
    if found["pending"] is None:
        return settled_outcome(Run.objects.get(pk=run.pk)) or {}
    return found


def figures_of(read: Mapping[str, Any]) -> PointFigures:
    """Return the few figures of an outcome that a sweep compares."""
    used = {row["resource"]: row for row in read.get("utilisation") or ()}
    packing = read.get("packing") or {}
    unserved = sum_of(read.get("left_alone") or ()) + (read.get("left_out") or 0)
    return PointFigures(
        without_node=read["pending"] + unserved,
        unserved=unserved,
        placed=read["placed"],
        evicted=read["evicted"],
        against_budgets=len(read.get("budgets_violated") or ()),
        not_done=len(read.get("incomplete") or ()),
        nodes=packing.get("nodes", 0),
        nearly_empty=(packing.get("by_cpu") or [0])[0],
        cpu=_share(used.get("cpu")),
        memory=_share(used.get("memory")),
        stranded=packing.get("stranded", {}).get("cpu", 0),
        queues={row["queue"]: row["pending"] for row in read.get("by_queue") or ()},
        at_limit=bool(read.get("limit_reached")),
    )


def _share(row: Mapping[str, Any] | None) -> float | None:
    whole = 0 if row is None else row.get("allocatable_after", row["allocatable"])
    return row["after"] / whole if row is not None and whole else None


# -- settings --------------------------------------------------------------------------------------------


def _settings(dimensions: Sequence[Dimension], points: Iterable[Point]) -> Iterable[Setting]:
    varied = [number for number, one in enumerate(dimensions) if one.field != "seed"]
    alike: dict[tuple[int | None, ...], list[Point]] = {}
    for point in points:
        alike.setdefault(tuple(point.values[number] for number in varied), []).append(point)
    for values, some in alike.items():
        chosen = [(dimensions[number], place) for number, place in zip(varied, values, strict=True)]
        yield Setting(
            tuple(_name(one, place) for one, place in chosen),
            values,
            some[0].is_today,
            some,
            all(_name(one, place) == _name(one, None) for one, place in chosen if one.asks),
        )


def _name(dimension: Dimension, place: int | None) -> str:
    return (dimension.today or "as it is") if place is None else dimension.values[place].name


def _framed(settings: Sequence[Setting]) -> Iterable[int]:
    """Yield places of settings than which no other one is as good in all respects, and better in one."""
    ranked = [(place, one.rank) for place, one in enumerate(settings) if one.is_ranked]
    for place, own in ranked:
        others = (other for _, other in ranked if other != own)
        if not any(all(map(int.__le__, other, own)) for other in others):
            yield place
