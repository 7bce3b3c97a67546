"""With which runs a run may be compared: of its scenario first, then of its cluster, then others."""

from django.db.models import Q, QuerySet

from dashboard.models import Run

MOST = 25


def choices(run: Run, among: QuerySet[Run]) -> list[tuple[str, list[Run]]]:
    """Return (heading, runs) for each kind that there is, the newest runs first and at most MOST of a kind.

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
    found = [(heading, list(runs[:MOST])) for heading, runs in kinds]
    return [(heading, runs) for heading, runs in found if runs]
