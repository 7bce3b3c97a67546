"""Volcano in virtual time: a session each period, of which only those are told that do something.

A session is a function of what the cluster holds and of where the search for nodes begins (`next_node`),
which the last session has left. So after a session without effect the next ones are held in silence, until
the search begins where one of these has begun before: from then on the same sessions come round for ever,
and nobody needs to hold them until something else changes.

Source: volcano v1.16 pkg/scheduler/scheduler.go Run (wait.Until with the flag --schedule-period).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from scheduler_core.events.changes import Change
from scheduler_core.events.decisions import Decision
from scheduler_core.events.session_explanation import StepInFull
from scheduler_core.kube.queueing.report import Report
from scheduler_core.schedulers.actor import ApiServer, Stamp
from scheduler_core.schedulers.clocked import SessionScheduler
from scheduler_core.schedulers.decision_explanation import Watch
from scheduler_core.state.register import Register
from scheduler_core.volcano.cache.scheduler_cache import VolcanoCluster
from scheduler_core.volcano.configuration.scheduler_conf import Configuration
from scheduler_core.volcano.foreseeing import Idle, idle_session
from scheduler_core.volcano.reporting.step_explanation import NotedStep
from scheduler_core.volcano.scheduler import VolcanoScheduler

_NO_LIMIT = 2**63


class TimedApi(ApiServer, Protocol):
    """An API server whose news wake kube-schedulers' pods."""

    def take_report(self) -> Report:
        """Return what its news did to the queues since it was asked last."""


class TimedVolcano(VolcanoScheduler, SessionScheduler):
    """One Volcano. Instants are nanoseconds since the run's start; session n opens at (n - 1) periods.

    `number` is that of the session that was held last, told or not. With `skips` false every session is told.
    """

    remembered = {"told": "_told", "begun": "_begun"}

    skips = True

    def __init__(
        self, name: str, cluster: VolcanoCluster, configuration: Configuration, api: TimedApi
    ) -> None:
        super().__init__(name, cluster, configuration, api, _NO_LIMIT)
        self._reporting = api
        self._told: Register[str, int] = Register(
            cluster.state.journal, {"last": 0, "next": 1, "round": 0, "change": -1}.items()
        )
        """The last session that the log speaks of; whether the next is told; where the round begins in
        `_begun`; when time alone changes what sessions do next, -1 for never."""
        self._begun: Register[int, int] = Register(cluster.state.journal)
        """Where the search began in each session that was foreseen since anything changed."""

    @property
    def next_at(self) -> int | None:
        """When the next session opens that has to be held, None if time alone changes nothing."""
        period, change = self.configuration.period, self._told.values["change"]
        if self.is_settled:
            return None if change < 0 else -(-change // period) * period
        return self.number * period

    @property
    def is_settled(self) -> bool:
        """Whether no session does anything until something else changes."""
        return bool(self._progress.values["settled"])

    def opens(self, now: int) -> bool:
        """Return whether a session opens now that is to be told; one that does nothing is only counted."""
        due = self.next_at
        if due is None or due > now:
            return False
        if self.is_settled:
            self.heed(now)
        if self._told.values["next"] or not self.skips:
            return True
        idle = idle_session(self.cluster, self.configuration, self._elapsed(self.number + 1))
        if idle is None:
            self._told.put("next", 1)
            return True
        self._count(idle)
        return False

    def _count(self, idle: Idle) -> None:
        """Note a session that did nothing."""
        end = idle.next_node
        self._progress.put("session", self.number + 1)
        self._begun.put(len(self._begun.values), self.cluster.memory.values["next_node"])
        self._search_from(end)
        places = list(self._begun.values.values())
        if end in places:
            self._told.put("round", places.index(end))
            self._told.put("change", -1 if idle.change is None else idle.change)
            self._progress.put("settled", 1)

    def heed(self, now: int, *, passed: bool = False) -> None:
        """Hear that something else has changed; `passed` says that a session of this very instant is over."""
        self.count_until(now, passed=passed)
        if self.is_settled:
            self._progress.put("settled", 0)
        for place in list(self._begun.values):
            self._begun.drop(place)

    def count_until(self, now: int, *, passed: bool) -> None:
        """Count the sessions before `now` that needed no holding, and that of `now` if it has `passed`."""
        period = self.configuration.period
        held = now // period + 1 if passed else -(-now // period)
        missed = held - self.number
        if not self.is_settled or missed <= 0:
            return
        self._progress.put("session", held)
        places = list(self._begun.values.values())[self._told.values["round"] :]
        there = places.index(self.cluster.memory.values["next_node"])
        self._search_from(places[(there + missed) % len(places)])

    def _search_from(self, node: int) -> None:
        if node != self.cluster.memory.values["next_node"]:
            self.cluster.memory.put("next_node", node)

    def pod_ended(self, pod: int, *, failed: bool) -> None:
        self.cluster.end(pod, failed=failed)

    def take_untold(self) -> tuple[int, int] | None:
        """Return the first and the last session that were held and not told, None if all were."""
        last = self._told.values["last"]
        if last >= self.number:
            return None
        self._told.put("last", self.number)
        return last + 1, self.number

    def step(self) -> Report:
        """Open a session or take its next step, and return what it did to others' queues."""
        self.apply(self)
        return self._reporting.take_report()

    def tell_step(self, stamp: Stamp, changes: list[Change]) -> Decision:
        return self.tell(self, stamp, changes)

    def explained_step(self, act: Callable[[], Decision], watch: Watch) -> Decision:
        return self.explained(self, lambda look: act(), watch)

    def noted_opening(self) -> NotedStep:
        return NotedStep(StepInFull())

    def _settle(self) -> None:
        self._told.put("last", self.number)
        self._told.put("next", int(any(self._effects.values())))
