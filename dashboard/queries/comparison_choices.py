"""With which runs a run may be compared: of its scenario first, then of its cluster, then others."""

from typing import NamedTuple

from django.db.models import Q, QuerySet

from dashboard.models import Run

MOST = 25


class Choices(NamedTuple):
    """Runs of a kind, the newest first and at most MOST of the `total` that there are."""

    heading: str
    runs: list[Run]
    total: int


def newest(heading: str, runs: QuerySet[Run]) -> Choices:
    """Return the newest of some runs."""
    found = list(runs[:MOST])
    return Choices(heading, found, len(found) if len(found) < MOST else runs.count())


def choices(run: Run, among: QuerySet[Run]) -> list[Choices]:
    """Return the runs of each kind that there is.

    A cluster that was imported again with the same content is the same cluster.
    """
    others = among.exclude(pk=run.pk).filter(base__isnull=False)
    same_scenario = Q(scenario=run.scenario_id) if run.scenario_id else Q(pk__in=[])
    same_cluster = Q(snapshot__content_hash=run.snapshot.content_hash)
    kinds = [
        ("Of the same scenario", others.filter(same_scenario)),
        ("Of the same cluster", others.filter(same_cluster).exclude(same_scenario)),
        ("Of other clusters", others.exclude(same_cluster).exclude(same_scenario)),
    ]
    found = [newest(heading, runs) for heading, runs in kinds]
    return [one for one in found if one.runs]
