"""Runs of the same question under another scheduler: what can be compared decision by decision.

A run with a clock decides in other steps than one without, so the two are never called the same question; nor
are runs whose clocks end elsewhere, or whose attempts take another time.
"""

from django.db.models import Q, QuerySet

from dashboard.models import Run
from dashboard.models.scenarios import Driver
from dashboard.queries.access import LARGE_OF_A_RUN

LOOKED_AT = 200


def counterparts(run: Run, among: QuerySet[Run]) -> list[Run]:
    """Return runs of the same snapshot, edits, controllers, seed, schedule and clock of another scheduler.

    For each profile, driver and configuration the newest that has not failed. First come the other versions,
    one run of each, with the driver of `run` if there is one; then what is left, the newest first.
    """
    alike = among.filter(
        snapshot_id=run.snapshot_id,
        controllers=run.controllers,
        seed=run.seed,
        until=run.until,
        attempt_seconds=run.attempt_seconds,
        ready_seconds=run.ready_seconds,
        attempt_limit=run.attempt_limit,
        status__in=_OF_USE,
    )
    with_a_clock = Q(driver=Driver.TIMED)
    alike = alike.filter(with_a_clock if run.driver == Driver.TIMED else ~with_a_clock)
    other = alike.exclude(Q(pk=run.pk) | Q(profile=run.profile, driver=run.driver))
    found: dict[tuple[str, str, str], Run] = {}
    with_edits = other.defer(None).defer(*(set(LARGE_OF_A_RUN) - {"edits"}))
    for candidate in with_edits.order_by("-pk")[:LOOKED_AT]:
        if candidate.edits == run.edits and candidate.schedule == run.schedule:
            found.setdefault((candidate.profile, candidate.driver, repr(candidate.config)), candidate)
    return _versions_first(run, list(found.values()))


def _versions_first(run: Run, found: list[Run]) -> list[Run]:
    same_driver_first = sorted(found, key=lambda other: other.driver != run.driver)
    of_version = {
        other.profile: other for other in reversed(same_driver_first) if other.profile != run.profile
    }
    first = sorted(of_version.values(), key=lambda other: -other.pk)
    return [*first, *(other for other in found if other not in first)]


_OF_USE = ["queued", "running", "paused", "finished"]
