"""A run of a cluster, decision by decision: what runs with and without a clock have in common."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from scheduler_core.events.decisions import Decision
from scheduler_core.kube.extenders.exchanges import Exchanges
from scheduler_core.schedulers.actor import EndedBy
from scheduler_core.schedulers.decision_explanation import Watch
from scheduler_core.schedulers.run_parts import Parts, RunControllers
from scheduler_core.schedulers.unclocked import Described
from scheduler_core.state.cluster import ClusterState
from scheduler_core.world.controllers.recreated_pods import Controllers
from scheduler_core.world.session_checkpoints import WithinSessions


class Run(WithinSessions):
    """One play. `seq` is the last decision's number.

    `controllers` make copies of evicted pods; `own` are schedulers' own controllers; `exchanges` those with
    extenders; `parts` hear of every decision's changes.
    """

    def __init__(
        self,
        state: ClusterState,
        controllers: Controllers | None,
        own: Sequence[RunControllers],
        exchanges: Exchanges | None,
        parts: Parts | None,
    ) -> None:
        self.state = state
        self.own = list(own)
        self.exchanges = exchanges or Exchanges()
        self.parts = parts or Parts({})
        self.seq = 0
        self._controllers = controllers

    @property
    @abstractmethod
    def schedulers(self) -> Sequence[Described]:
        """Who schedules."""

    @property
    @abstractmethod
    def time(self) -> int | None:
        """The clock, in milliseconds since the run's start; None where none moves."""

    @property
    @abstractmethod
    def until(self) -> int | None:
        """The clock after which nothing begins any more, in milliseconds; None where none moves."""

    @property
    @abstractmethod
    def limit_reached(self) -> bool:
        """Whether the run ended because it had as many attempts or decisions as the limit allows."""

    @property
    @abstractmethod
    def ended_by(self) -> EndedBy:
        """What ended the run, once it is at its end."""

    @abstractmethod
    def explained(self, watch: Watch) -> Decision | None:
        """Take the next decision; `watch` sees what a scheduler noted of it."""

    @abstractmethod
    def _repeat(self) -> None:
        """Take the last decision again, which has been taken back."""

    def tables(self) -> dict[str, dict[str, dict[str, Any]]]:
        """Return the tables that the log shows beside those of pods and nodes."""
        merged: dict[str, dict[str, dict[str, Any]]] = {}
        if self.state.device_claims is not None:
            merged |= self.state.device_claims.tables()
        for one in (*self.schedulers, *self.own, *self.parts):
            for name, rows in one.tables().items():
                merged.setdefault(name, {}).update(rows)
        return merged

    @contextmanager
    def before(self) -> Iterator[None]:
        """Go back to the moment before the last decision for as long as the block runs."""
        self.state.undo_to(0)
        self.seq -= 1
        if self._session is not None:
            self._session.steps -= 1
        try:
            yield
        finally:
            self._repeat()

    @property
    def _in_session(self) -> bool:
        return any(scheduler.in_session for scheduler in self.schedulers)

    def _let_hear(self) -> None:
        """Let schedulers' own controllers and the parts hear what the decision has changed."""
        for one in self.own:
            one.note_changes()
        self.parts.hear()

    # -- checkpoints ---------------------------------------------------------------------------------

    @abstractmethod
    def _dump_world(self) -> dict[str, Any]:
        """Return as plain data what the world and its actors remember."""

    @abstractmethod
    def _load_world(self, data: Mapping[str, Any]) -> None:
        """Restore what `_dump_world` returned, among other things."""

    def _dump(self) -> dict[str, Any]:
        return {
            "seq": self.seq,
            **self._dump_world(),
            "controllers": None if self._controllers is None else self._controllers.dump(),
            **{one.kind: one.dump() for one in self.own},
            **self.parts.dump(),
        }

    def _load(self, data: Mapping[str, Any]) -> None:
        self.seq = data["seq"]
        if self._controllers is not None:
            self._controllers.load(data["controllers"])
        self._load_world(data)
        for one in self.own:
            one.load(data[one.kind])
        self.parts.load(data)
