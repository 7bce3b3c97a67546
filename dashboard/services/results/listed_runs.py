"""Runs for a list: of what each came to, only the figures that lists show are read.

An outcome may be megabytes of JSON. The database takes the figures out of it, and nothing else is decoded.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import QuerySet
from django.db.models.fields.json import KeyTransform

from dashboard.models import Run
from dashboard.services.results.outcome import sum_of
from dashboard.services.results.run_sums import settled_outcome

_SHOWN = ("placed", "evicted", "deleted", "pending", "left_alone")
_IN_TABLES = (
    "status",
    "decisions",
    "profile",
    "driver",
    "pinned",
    "created_at",
    "scenario__name",
    "snapshot__name",
    "created_by__username",
)
_IN_NO_LIST = ("outcome", "trust", "answer", "problems", "schedule")


def without_outcomes(runs: QuerySet[Run]) -> QuerySet[Run]:
    """Return the runs without what no list shows."""
    return runs.defer(*_IN_NO_LIST)


def listed(runs: QuerySet[Run]) -> QuerySet[Run]:
    """Return the runs with what a table of them shows, and the figures of each for `listed_figure`."""
    figures: dict[str, Any] = {f"listed_{name}": KeyTransform(name, "outcome") for name in _SHOWN}
    return runs.only(*_IN_TABLES).annotate(**figures)


def listed_figure(run: Run, name: str) -> int | None:
    """Return a figure of a run out of `listed`; None where the run has none. `unserved` is one, too."""
    if name == "unserved":
        left_alone = run.listed_left_alone  # type: ignore[attr-defined]
        return sum_of(left_alone) if left_alone is not None else None
    found: int | None = getattr(run, f"listed_{name}")
    return found


def settle_listed(runs: Iterable[Run]) -> None:
    """Sum up those of the runs out of `listed` that have ended and that nobody has summed up yet."""
    for run in runs:
        if run.has_ended and run.listed_placed is None:  # type: ignore[attr-defined]
            figures: Mapping[str, Any] = settled_outcome(Run.objects.get(pk=run.pk)) or {}
            for name in _SHOWN:
                setattr(run, f"listed_{name}", figures.get(name))
