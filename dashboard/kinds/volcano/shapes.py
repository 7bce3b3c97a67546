"""What reads answer about pod groups, Jobs and queues in a run, field by field."""

from typing import TypedDict

from scheduler_core.events.sessions import Figures


class GroupEvent(TypedDict):
    """Something that happened to a pod group or a Job, null where nothing applies. what: the decision's kind.

    A close is told only where it leaves another phase, reason or message than the one before; its `outcome`
    is the phase.
    """

    seq: int
    session: int | None
    what: str
    outcome: str
    action: str | None
    pod: str | None
    uid: str | None
    node: str | None
    message: str | None


class QueueSession(TypedDict):
    """What a session left a queue with, or several that are alike, up to `until`.

    seq: of the close, or of the last decision of a session that is still open. deserved, allocated: figures
    by resource in the log's units, null before there were any. entered, rejected: how many jobs were let into
    the queue or not; committed, kept, discarded: how many statements of jobs; bound: how many pods. overused:
    passed over at least once. gave, took: how many pods had to go, by their pod group, from this queue and
    for this queue.
    """

    session: int
    until: int
    seq: int
    overused: bool
    gave: dict[str, int]
    took: dict[str, int]
    entered: int
    rejected: int
    committed: int
    kept: int
    discarded: int
    bound: int
    deserved: Figures | None
    allocated: Figures | None
    share: float | None
