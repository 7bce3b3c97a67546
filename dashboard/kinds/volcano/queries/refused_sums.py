"""How often jobs asked to enter their queue in a run, and what kept them out each time."""

from collections.abc import Collection
from typing import NamedTuple

import msgspec

from dashboard.models import DecisionIndex, Run
from dashboard.queries.log import decisions_at
from scheduler_core.events.decisions import decision_decoder
from scheduler_core.events.sessions import Enqueueing, SessionClosed, SessionsIdle
from scheduler_core.events.sums import Sum

_decoder = msgspec.json.Decoder(Enqueueing)


class EnqueueAttempt(NamedTuple):
    """A pod group that asked to enter its queue in a session; no `time` (milliseconds) without a clock.

    sums: what the first plugin that refused it added up, in the log's units; empty where it entered, or where
    that plugin adds up nothing of a queue.
    """

    session: int
    seq: int
    time: int | None
    entered: bool
    plugin: str
    sums: list[Sum]


class Moment(NamedTuple):
    """The last session, and its instant in milliseconds where a clock moves."""

    session: int
    time: int | None


def asked_by(run: Run, groups: Collection[str]) -> list[EnqueueAttempt]:
    """Return every time that one of these pod groups (`namespace/name`) asked, in order."""
    lines = decisions_at(run, _numbers(run, "enqueue"))
    marks = [f'"{group}"'.encode() for group in groups]
    found = (_decoder.decode(line) for line in lines if any(mark in line for mark in marks))
    return [
        EnqueueAttempt(
            one.session, one.seq, one.time, one.outcome == "entered", (one.lacking or [""])[0], one.sums
        )
        for one in found
        if one.job in groups
    ]


def last_session(run: Run) -> Moment | None:
    """Return when the last session closed; None where there was none."""
    for line in decisions_at(run, _numbers(run, "close", "idle")[-1:]):
        match decision_decoder.decode(line):
            case SessionClosed(session=session, time=time) | SessionsIdle(last=session, time=time):
                return Moment(session, time)
    return None


def _numbers(run: Run, *kinds: str) -> list[int]:
    rows = DecisionIndex.objects.filter(run=run, kind__in=kinds).order_by("seq")
    return list(rows.values_list("seq", flat=True))
