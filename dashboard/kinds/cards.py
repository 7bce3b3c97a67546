"""What schedulers that share cards say of runs and snapshots; of others there is nothing to say."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import copy
from typing import Any, Final, Protocol, TypeVar

from django.db.models import QuerySet

from dashboard.kinds import all_kinds
from dashboard.models import Run, Snapshot
from dashboard.shapes.counted import Counted, CountedAs
from dashboard.shapes.over_time import Cards
from scheduler_core.events.decisions import Decision
from scheduler_core.events.effects import Effect
from scheduler_core.events.state import RunState

Counts = Mapping[str, CountedAs]
"""By resource what its amounts count: SLOTS of shared cards, or what a container asks of ONE_CARD."""
SLOTS: Final = "slots"
ONE_CARD: Final = "one card"
Row = TypeVar("Row", bound=Counted)
Pods = Callable[[], list[dict[str, Any]]]


class CardSeries(Protocol):
    """The cards of a run while its decisions go by."""

    def take(self, decision: Decision, happened: Iterable[Effect]) -> None:
        """Carry out a decision, of which `happened` are the effects."""

    def document(self) -> Cards | None:
        """Return the series, once; None where there are no cards."""


class Room(Protocol):
    """What is left of the nodes of a run while its decisions go by."""

    def left(self, name: str, resource: str) -> int:
        """Return how much of a resource a node has left; 0 of a node that isn't there."""


MakeSeries = Callable[[RunState, int, Room], CardSeries]
"""Of a run's start, its last decision, and the room on its nodes."""


class CardSharing(Protocol):
    """A kind of scheduler that shares cards. definition: what of a card's room counts as lost.

    counts_slots: whether nodes register slots of its cards, by a resource that reads like cards.
    """

    title: str
    definition: str
    counts_slots: bool
    profiles: Collection[str]

    def takes_part(self, run: Run) -> bool:
        """Return whether it takes part in a run."""

    def policies_of(self, run: Run) -> str:
        """Return in words by which policies it chooses nodes and cards; empty where it takes no part."""

    def policy_runs(self, snapshot: int, among: QuerySet[Run]) -> list[Run]:
        """Return finished runs on a snapshot that differ in its settings alone."""

    def counts_of_run(self, run: Run) -> Counts:
        """Return what resources count in a run; empty where it takes no part."""

    def counts_of_snapshot(self, snapshot: Snapshot) -> Counts:
        """Return what resources count by which it shares the cards of a snapshot's nodes."""

    def series_of(self, run: Run, pods: Pods | None) -> MakeSeries | None:
        """Return what makes the series of a run; None where it takes no part. `pods`: see `sums_of_run`."""


def sharer() -> str:
    """Return how the scheduler that counts slots of cards is called in sentences."""
    return next((one.title for one in _all() if one.counts_slots), "")


def definition() -> str:
    """Return what of a card's room counts as lost."""
    return next((one.definition for one in _all()), "")


def card_profiles() -> list[str]:
    """Return the profiles under which cards are shared."""
    return [profile for one in _all() for profile in one.profiles]


def shares_cards(run: Run) -> bool:
    """Return whether a scheduler that shares cards takes part in a run."""
    return any(one.takes_part(run) for one in _all())


def policies_of(run: Run) -> str:
    """Return in words by which policies nodes and cards are chosen in a run; empty where none are shared."""
    return next(filter(None, (one.policies_of(run) for one in _all())), "")


def policy_runs(snapshot: int, among: QuerySet[Run]) -> list[Run]:
    """Return finished runs on a snapshot that differ in the settings of one scheduler of cards alone."""
    return next(filter(None, (one.policy_runs(snapshot, among) for one in _all())), [])


def series_of(run: Run, pods: Pods | None) -> MakeSeries | None:
    """Return what makes the series of a run's cards; None where none are shared."""
    return next(filter(None, (one.series_of(run, pods) for one in _all())), None)


def slots_of_snapshot(snapshot: Snapshot) -> frozenset[str]:
    """Return the resources of a snapshot that count slots of shared cards, not the cards themselves."""
    return _slots(counts_of_snapshot(snapshot))


def slot_resources(run: Run) -> frozenset[str]:
    """Return the same of a run."""
    return _slots(counts_of_run(run))


def counts_of_snapshot(snapshot: Snapshot) -> Counts:
    """Return what the resources count by which the cards of a snapshot's nodes are shared."""
    return ChainMap(*(dict(one.counts_of_snapshot(snapshot)) for one in _all()))


def counts_of_run(run: Run) -> Counts:
    """Return what the resources count by which cards are shared in a run."""
    return ChainMap(*(dict(one.counts_of_run(run)) for one in _all()))


def with_counts(rows: Sequence[Row], *counted: Counts) -> list[Row]:
    """Return rows of resources, each with what it `counts` where cards are shared by it."""
    found = ChainMap(*map(dict, counted))
    return [_with_count(row, found.get(row["resource"])) for row in rows]


def _with_count(row: Row, counts: CountedAs | None) -> Row:
    if counts is None:
        return row
    counted = copy(row)
    counted["counts"] = counts
    return counted


def _slots(counts: Counts) -> frozenset[str]:
    return frozenset(name for name, counted in counts.items() if counted == SLOTS)


def _all() -> Iterable[CardSharing]:
    return (kind.cards for kind in all_kinds() if kind.cards is not None)
