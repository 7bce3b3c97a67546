"""What something did to the queues of schedulers, as decisions tell it."""

from __future__ import annotations

from collections.abc import Iterator

from scheduler_core.events.decisions import Heard, Wake
from scheduler_core.kube.queueing.report import Report


def wakes_of(report: Report | None) -> list[Wake]:
    """Return who moved between the parts of a queue, and why; pops and ends of attempts are left out."""
    return list(_wakes(report)) if report is not None else []


def _wakes(report: Report) -> Iterator[Wake]:
    for move in report.moves:
        if not move.is_of_attempt:
            during = [wake.event for wake in move.during]
            yield Wake(move.uid, move.source, move.target, move.event, dict(move.hints), during)


def heard_of(report: Report | None) -> list[Heard]:
    """Return the cluster events that the queues heard, and how many pods' plugins were asked."""
    if report is None:
        return []
    return [Heard(event.event, event.ignored, len(event.hints)) for event in report.events]
