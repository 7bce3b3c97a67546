"""Which gangs two runs start whole: whether as many pods of a pod group have nodes as it needs at once.

A gang is a pod group that needs more than one pod, as the log of a run of Volcano knows it. A run of another
scheduler on the same pods is held to it as well: there a gang may end half placed, holding room that it can
do nothing with.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec

from dashboard.queries.comparison_pods import Ledger, Life

STATES = ("whole", "half placed", "waiting", "gone")
"""Enough pods on nodes; some, but not enough; none of those that are there; no pod there any more."""


class GangEnd(msgspec.Struct, frozen=True):
    """How a gang ends in one run: one of STATES, and how many of its pods are there and on nodes."""

    state: str
    pods: int
    running: int


class GangDifference(msgspec.Struct, frozen=True):
    """A pod group that ends differently; a side is null where no pod of that run ever named it."""

    group: str
    queue: str
    min_member: int
    a: GangEnd | None
    b: GangEnd | None

    @property
    def order(self) -> list[str | int]:
        """By queue and name."""
        return [self.queue, self.group]


class Gangs(msgspec.Struct, frozen=True):
    """All gangs of two runs: how many each has in each state, and the rows of those that end differently."""

    number: int
    a: dict[str, int]
    b: dict[str, int]
    rows: list[GangDifference]

    @property
    def differ(self) -> bool:
        """Whether one run has more whole or half placed gangs than the other."""
        return any(self.a[state] != self.b[state] for state in STATES[:2])


def gangs_of(a: Ledger, b: Ledger) -> Gangs:
    """Compare how the gangs end that either log knows."""
    rows = sorted(_rows(a, b), key=lambda row: row.order)
    return Gangs(
        number=len(rows),
        a=_by_state(row.a for row in rows),
        b=_by_state(row.b for row in rows),
        rows=[row for row in rows if row.a != row.b],
    )


def _by_state(ends: Iterable[GangEnd | None]) -> dict[str, int]:
    states = Counter(end.state for end in ends if end is not None)
    return {state: states[state] for state in STATES}


def _rows(a: Ledger, b: Ledger) -> Iterator[GangDifference]:
    groups = {key: row for key, row in {**b.groups, **a.groups}.items() if row["min_member"] > 1}
    members = [_members(ledger) if groups else {} for ledger in (a, b)]
    for key, row in groups.items():
        least = row["min_member"]
        one, other = (_end(side.get(key), least) for side in members)
        yield GangDifference(key, row["queue"], least, one, other)


def _members(ledger: Ledger) -> dict[str, list[Life]]:
    lives: dict[str, list[Life]] = {}
    for life in ledger.lives.values():
        if life.last.group:
            lives.setdefault(life.last.group, []).append(life)
    return lives


def _end(lives: list[Life] | None, least: int) -> GangEnd | None:
    if lives is None:
        return None
    present = sum(life.present for life in lives)
    running = sum(life.place == "node" for life in lives)
    return GangEnd(_state(present, running, least), present, running)


def _state(present: int, running: int, least: int) -> str:
    if not present:
        return "gone"
    if running >= least:
        return "whole"
    return "half placed" if running else "waiting"
