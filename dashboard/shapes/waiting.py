"""Why a pod waits: `dashboard/queries/waiting.py`."""

import msgspec

from scheduler_core.events.state import WaitingRow
from scheduler_core.world.reporting.waiting import Heard, WouldWake


class Place(msgspec.Struct):
    """Where a pod waits, its row of the table of those who wait, and what would have it tried again."""

    actor: str
    part: str
    waiting: WaitingRow
    would_wake: list[WouldWake]


class Answer(msgspec.Struct):
    """Where a pod waits after a decision, and which events it heard since.

    `unasked` says why no scheduler looks at it, empty where one does.
    """

    at: int
    time: int
    pod: str
    attempt: int | None
    since: int
    place: Place | None
    heard: Heard
    unasked: str
