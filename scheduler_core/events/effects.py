"""What a decision's changes mean for pods, for those who sum a run up.

The log's verbs know tables and fields only; who counts evictions or follows a pod's life asks here.
`static/js/effects.js` says the same in the browser.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import msgspec

from scheduler_core.events.changes import Appear, Change, Join, Leave, Set, Vanish
from scheduler_core.events.state import PODS, QUEUE, PodRow


class Arrived(NamedTuple):
    """A pod came into being."""

    row: PodRow


class Placed(NamedTuple):
    """The pod was put on a node, which has `start_time` as its start."""

    pod: str
    node: str
    start_time: str | None


class Unplaced(NamedTuple):
    """The pod lost its node again before it was bound: an extender refused to bind it."""

    pod: str
    node: str


class Evicted(NamedTuple):
    """The pod was asked to go. `was_terminating` says that it was on its way out before."""

    pod: str
    was_terminating: bool


class Left(NamedTuple):
    """The pod ceased to be; `row` is what it was at the end."""

    pod: str
    row: PodRow


class Nominated(NamedTuple):
    """The pod's nominated node changed; the empty string is none."""

    pod: str
    old: str
    new: str


class Entered(NamedTuple):
    """The pod came into a part of a queue."""

    pod: str
    part: str


class Dequeued(NamedTuple):
    """The pod left a part of a queue."""

    pod: str
    part: str


Effect = Arrived | Placed | Unplaced | Evicted | Left | Nominated | Entered | Dequeued


def effects(changes: Iterable[Change]) -> Iterator[Effect]:
    """Yield what the changes mean, in their order.

    A wake-up of a whole part of a queue is left out: who follows single pods has to keep the queue's lists.
    """
    for change in changes:
        if isinstance(change, Set):
            if change.table == PODS:
                yield from _of_fields(change)
        elif isinstance(change, Join):
            if change.list.startswith(QUEUE):
                yield Entered(change.id, change.of)
        elif isinstance(change, Leave):
            if change.list.startswith(QUEUE):
                yield Dequeued(change.id, change.of)
        elif isinstance(change, Appear):
            if change.table == PODS:
                yield Arrived(msgspec.convert(change.row, PodRow))
        elif isinstance(change, Vanish) and change.table == PODS:
            yield Left(change.id, msgspec.convert(change.row, PodRow))


def _of_fields(change: Set) -> Iterator[Effect]:
    pod, old, new = change.id, change.old, change.new
    if "nominated" in new:
        yield Nominated(pod, old["nominated"], new["nominated"])
    if new.get("node"):
        yield Placed(pod, new["node"], new.get("start_time"))
    elif old.get("node"):
        yield Unplaced(pod, old["node"])
    if new.get("evicted") and not old["evicted"]:
        yield Evicted(pod, bool(old.get("terminating", False)))
