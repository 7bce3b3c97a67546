"""How many more fit, as data: by pool, in all, and by evicting; and what stops the next one."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from scheduler_core.schedulers.card_lacks import CardLack
from scheduler_core.schedulers.cause import Cause
from scheduler_core.world.trials.rests_on import RestsOn

Edit = dict[str, Any]


class PoolRoom(msgspec.Struct, frozen=True):
    """A pool of nodes: `fit` more go there, each of `nodes` with the pods that it takes.

    pool: as the nodes' labels name it, empty for nodes of none. closed: something else than want of room
    keeps the next one from all of them, so that 0 doesn't mean that they are full. taking: by node how many.
    """

    pool: str
    nodes: int
    fit: int
    closed: bool
    taking: dict[str, int]


class Stopping(msgspec.Struct, frozen=True):
    """What stops the next one on so many `nodes`, before all else that may stand against it there.

    reason: one of those of the plugin that is a want of its own, or empty. resource: what is short. lack:
    what the cards of these nodes lack.
    """

    plugin: str
    reason: str
    resource: str
    nodes: int
    lack: CardLack | None = None


class Room(msgspec.Struct, frozen=True):
    """How many more of a shape fit: `fit` in free room, and `evicting` more for which others have to go.

    edits: those that add all that fit in free room, and one more. evicted, violated: by workload, how many
    pods go for `evicting`, and how many by violating a budget. cause: why the next one waits, None where all
    that may be tried fit. ended_by: `first` that does not fit, `most` where so many as may be tried all fit,
    `stopped` where somebody ended it: then there may be more. stopped: of nodes that take any, the place in
    `stops` of what stops the next one there. size: how many pods one more has, which pools and nodes count.
    devices: what claims of the first of them ask for, in words. held_up: with all that fit, also by evicting,
    so many pods keep waiting that are there already and would have a node without them.
    """

    shape: str
    fit: int
    evicting: int
    evicted: dict[str, int]
    violated: dict[str, int]
    pools: list[PoolRoom]
    stops: list[Stopping]
    cause: Cause | None
    edits: list[Edit]
    ended_by: Literal["first", "most", "stopped"]
    stopped: dict[str, int] = {}
    size: int = 1
    devices: list[str] = []
    held_up: int = 0


class Headroom(msgspec.Struct, frozen=True):
    """The room for each shape, each asked alone; untried: shapes that nobody got to.

    Of the pods that wait those take no part whose scheduler has a queue (`in_queues`), and those do that are
    decided about in sessions (`in_sessions`).
    """

    rooms: list[Room]
    untried: list[str]
    rests_on: RestsOn | None = None
    in_queues: bool = True
    in_sessions: bool = False
