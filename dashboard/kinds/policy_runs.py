"""Runs that ask the same of a cluster under other settings of one scheduler."""

from collections.abc import Callable, Collection

from django.db.models import QuerySet, TextField
from django.db.models.functions import MD5, Cast

from dashboard.models import Run

MOST = 6
"""So many runs are shown beside each other at most."""
LOOKED_AT = 60


def policy_runs(
    snapshot: int, among: QuerySet[Run], profiles: Collection[str], takes_part: Callable[[Run], bool]
) -> list[Run]:
    """Return finished runs on a snapshot that differ in their scheduler's settings alone, at most MOST.

    Of each settings the newest run, in the order in which they were started; of several such sets of runs
    the largest, and of equally large ones the newest.
    """
    of_snapshot = among.filter(snapshot_id=snapshot, status=Run.Status.FINISHED, profile__in=profiles)
    digest = MD5(Cast("edits", TextField()))
    questions: dict[str, dict[str, Run]] = {}
    for run in of_snapshot.annotate(edits_digest=digest).order_by("-pk")[:LOOKED_AT]:
        if takes_part(run):
            questions.setdefault(_question(run), {}).setdefault(repr(run.config), run)
    # max takes the first of equals, which has the newest run.
    largest = max(questions.values(), key=len, default={})
    return sorted(list(largest.values())[:MOST], key=lambda run: run.pk)


def _question(run: Run) -> str:
    """Return all that decides a run but its scheduler's settings, as a text by which runs are told apart."""
    clock = run.driver, run.until, run.attempt_seconds, run.ready_seconds
    chosen = run.controllers, run.seed, run.attempt_limit, run.edits, run.schedule
    return repr((*clock, run.profile, run.beside, *chosen))
