"""What takes part in a run besides schedulers: their own controllers, and what hears of all changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from scheduler_core.events.changes import Change
from scheduler_core.events.decisions import Decision
from scheduler_core.schedulers.actor import Stamp
from scheduler_core.schedulers.unclocked import Annotated, Basis

Object = dict[str, Any]
Tables = dict[str, dict[str, dict[str, Any]]]
"""Rows by key, by the table's name in the log."""
Clock = Callable[[], int]
"""The run's moment, in nanoseconds since 1970."""


class Part(Protocol):
    """Takes part in a run without deciding: it hears of every decision's changes."""

    def hear(self) -> None:
        """Hear of what has changed since the journal was forgotten."""

    def tables(self) -> Tables:
        """Return the tables that the log shows of it."""

    def basis(self, objects: Sequence[Object]) -> Basis:
        """Return what answers about these objects rest on."""

    def annotated(self) -> Annotated:
        """Return what it has written to annotations of pods and the state leaves out, by row."""

    def dump(self) -> dict[str, Any]:
        """Return as plain data what it remembers."""

    def load(self, data: Mapping[str, Any]) -> None:
        """Restore what `dump` returned; the state is restored by then."""


class Parts:
    """The parts of a run, by the name of the kind that each belongs to."""

    def __init__(self, parts: Mapping[str, Part]) -> None:
        self._parts = dict(parts)

    def __iter__(self) -> Iterator[Part]:
        return iter(self._parts.values())

    def hear(self) -> None:
        """Let all hear of what has changed since the journal was forgotten."""
        for part in self._parts.values():
            part.hear()

    def dump(self) -> dict[str, Any]:
        """Return as plain data what each remembers; a kind's own controllers may stand under its name."""
        return {f"part {name}": part.dump() for name, part in self._parts.items()}

    def load(self, data: Mapping[str, Any]) -> None:
        """Restore what `dump` returned, among other things."""
        for name, part in self._parts.items():
            part.load(data[f"part {name}"])


class OwnObjects(Protocol):
    """Objects of kinds that a scheduler brings, as edits let them come, change and go at an instant.

    Both return what this did to queues (kube/queueing/report.py).
    """

    def put(self, document: Mapping[str, Any]) -> Any:
        """Let an object come or change."""

    def drop(self, document: Mapping[str, Any]) -> Any | None:
        """Let an object go, and what it owns with it; None if it isn't there."""


class RunPods(Protocol):
    """What a run does with pods that a scheduler's own controllers make, change and delete."""

    def admitted(self, pod: Object) -> Object:
        """Return a new pod as an API server stores it. Raises NotAdmitted."""

    def create(self, pod: Object, replaces: str | None = None) -> None:
        """Let a pod come into being; `replaces` is the uid of the one in whose place it is."""

    def change(self, pod: Object) -> None:
        """Give a pod other labels and annotations."""

    def delete(self, uid: str) -> bool:
        """Ask a pod to go, and return whether it stays for a while."""

    def create_claim(self, claim: Object) -> None:
        """Let a claim come into being."""

    def original(self, row: int) -> Object:
        """Return a pod as it came into being."""

    def seen(self, pod: Object, row: int) -> Object | None:
        """Return a pod as it is in the run now; None if it is gone."""


class TimedRunPods(RunPods, Protocol):
    """The same where a clock moves."""

    def take_report(self) -> Any:
        """Return what was done to queues since it was asked last."""


class NotAdmitted(Exception):
    """An API server would not store this object."""


class RunControllers(Protocol):
    """A scheduler's own controllers: they act when something has changed, one piece of work at a time.

    kind: the name of the kind that they belong to.
    """

    kind: str
    name: str

    def expect(self, decision: int, now: int) -> None:
        """Hear which decision comes next, and when (nanoseconds since 1970)."""

    def look(self) -> Any | None:
        """Return the next piece of work and change nothing; None where there is nothing to do."""

    def apply(self, look: Any) -> None:
        """Carry a piece of work out."""

    def tell(self, look: Any, stamp: Stamp, changes: list[Change]) -> Decision:
        """Return the decision for the log."""

    def due(self) -> int | None:
        """Return when the next thing that waits is due, in nanoseconds since 1970."""

    def note_changes(self) -> None:
        """Hear what the decision that is being made has changed."""

    def replaces(self, pod: Object) -> bool:
        """Return whether the pod is made anew by these controllers."""

    def objects(self, pods: TimedRunPods) -> OwnObjects:
        """Return the objects that these controllers care for, where a clock moves."""

    def tables(self) -> Tables:
        """Return the tables that the log shows of the controllers."""

    def dump(self) -> dict[str, Any]:
        """Return as plain data what the controllers remember."""

    def load(self, data: Mapping[str, Any]) -> None:
        """Restore what `dump` returned; the state is restored by then."""
