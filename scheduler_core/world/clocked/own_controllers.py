"""A scheduler's own controllers where a clock moves: they work until they are quiet, and wake in time."""

from __future__ import annotations

from typing import Any

from scheduler_core.schedulers.run_parts import RunControllers
from scheduler_core.world.clocked.actor import ClockedActor
from scheduler_core.world.clocked.happening import Happening, Work
from scheduler_core.world.clocked.hooks import Hooks
from scheduler_core.world.clocked.live_cluster import Cluster
from scheduler_core.world.clocked.run_pods import TimedPods


class OwnControllers(ClockedActor):
    """The controllers do their next piece of work at once."""

    urgent = True

    def __init__(self, cluster: Cluster, controllers: RunControllers, pods: TimedPods, hooks: Hooks) -> None:
        self._cluster = cluster
        self.controllers = controllers
        self._pods = pods
        self._hooks = hooks
        self._plan: Any | None = None

    def due(self) -> int | None:
        """Look for work, which `act` is to do at once: controllers look at each piece but once."""
        self.expect()
        self._plan = self.controllers.look()
        return None if self._plan is None else self._cluster.now

    @property
    def is_settled(self) -> bool:
        return True

    def act(self) -> Happening:
        plan, self._plan = self._plan, None
        self.controllers.apply(plan)
        return Happening("reconcile", self._pods.take_report(), work=Work(self.controllers, plan))

    def expect(self) -> None:
        """Tell the controllers the time, and which decision comes next."""
        self.controllers.expect(self._hooks.next_decision(), self._cluster.epoch + self._cluster.now)


class Wakening(ClockedActor):
    """The clock moves on to what the controllers do when its time has come."""

    begins = True

    def __init__(self, cluster: Cluster, controllers: RunControllers) -> None:
        self._cluster = cluster
        self._controllers = controllers

    def due(self) -> int | None:
        due = self._controllers.due()
        return None if due is None else max(due - self._cluster.epoch, self._cluster.now)

    def act(self) -> None:
        """They see what is due before anybody else acts."""
