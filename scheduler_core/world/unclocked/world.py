"""The world: the cluster, who acts in it, and one decision after another.

The earliest actor that has something to do acts once; among several of the same rank they take turns. What
follows from a decision without anybody's deciding (controllers replace evicted pods, victims are let go)
belongs to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from scheduler_core.events.decisions import Decision
from scheduler_core.kube.extenders.exchanges import Exchanges
from scheduler_core.schedulers.actor import Actor, EndedBy, Stamp
from scheduler_core.schedulers.decision_explanation import Watch
from scheduler_core.schedulers.run_parts import Parts, RunControllers
from scheduler_core.schedulers.unclocked import PodsHeard, Scheduler
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.register import Register
from scheduler_core.world.controllers.evictions import Evictions
from scheduler_core.world.controllers.recreated_pods import Controllers
from scheduler_core.world.run import Run
from scheduler_core.world.unclocked.api_server import GraceApiServer, InstantApiServer


class Turn(NamedTuple):
    """What an actor is going to do; nothing has been changed yet."""

    actor: Actor
    look: Any


class World(Run):
    """A cluster with its actors. `seq` is the last decision's number."""

    def __init__(
        self,
        state: ClusterState,
        api: InstantApiServer,
        schedulers: Sequence[Scheduler],
        controllers: Controllers | None = None,
        evictions: Evictions | None = None,
        own: Sequence[RunControllers] = (),
        exchanges: Exchanges | None = None,
        parts: Parts | None = None,
    ) -> None:
        super().__init__(state, controllers, own, exchanges, parts)
        self.api = api
        self._schedulers = list(schedulers)
        self._last: Turn | None = None
        self._evictions = evictions
        self._turns: Register[str, int] = Register(
            state.journal, ((scheduler.name, 0) for scheduler in self.schedulers)
        )

    @property
    def schedulers(self) -> Sequence[Scheduler]:
        """Who schedules."""
        return self._schedulers

    @property
    def time(self) -> None:
        """No clock moves here."""
        return None

    @property
    def until(self) -> None:
        """No clock moves here."""
        return None

    @property
    def limit_reached(self) -> bool:
        """Whether the play ended because a pod had as many attempts as the limit allows."""
        return any(scheduler.limit_reached for scheduler in self.schedulers)

    @property
    def ended_by(self) -> EndedBy:
        """What ended the play, once it is at its end."""
        return "limit" if self.limit_reached else "quiet"

    # -- one decision --------------------------------------------------------------------------------

    def look(self) -> Turn | None:
        """Say who does what next; None at the end. What was done so far becomes final."""
        self.state.forget_journal()
        self.exchanges.expect(self.seq + 1)
        if self._evictions is not None and (request := self._evictions.look()) is not None:
            return Turn(self._evictions, request)
        for one in self.own:
            one.expect(self.seq + 1, self.api.epoch)
            if not self._in_session and (plan := one.look()) is not None:
                return Turn(one, plan)
        for scheduler in self._in_turn():
            look = scheduler.look()
            if look is not None:
                return Turn(scheduler, look)
        return None

    def _in_turn(self) -> list[Scheduler]:
        """Return who may act: who is in a session, else all, who acted last at the end."""
        if len(self.schedulers) == 1:
            return self._schedulers
        for scheduler in self.schedulers:
            if scheduler.in_session:
                return [scheduler]
        return sorted(self.schedulers, key=lambda actor: self._turns.values[actor.name])

    def apply(self, turn: Turn) -> Decision:
        """Carry out what was looked at, and return the decision."""
        self._note_session(turn)
        self.seq += 1
        self._last = turn
        self.api.asked_to_go.clear()
        self.state.forget_claim_writes()
        if isinstance(turn.actor, Scheduler):
            self.api.count_cycle()
            if len(self.schedulers) > 1:
                self._turns.put(turn.actor.name, self.seq)
        before = len(self.state.pods)
        turn.actor.apply(turn.look)
        if turn.actor in self.own:
            self._hear_of_pods(before)
        self._replace(self.api.asked_to_go)
        self._settle()
        self._let_hear()
        changes = self.state.journal.told()
        self._tell_others(turn.actor, bool(changes))
        return turn.actor.tell(turn.look, Stamp(self.seq, None, None), changes)

    def _note_session(self, turn: Turn) -> None:
        actor = turn.actor
        if isinstance(actor, Scheduler) and not actor.in_session and actor.opens(turn.look):
            self._begin_session()
        elif not isinstance(actor, Scheduler) or not actor.in_session:
            self._session = None
        if self._session is not None:
            self._session.steps += 1

    def _tell_others(self, actor: Actor, changed: bool) -> None:
        """Let the others know that an actor has changed something."""
        for scheduler in self.schedulers if changed else ():
            if scheduler is not actor:
                scheduler.notice()

    def in_full(self, turn: Turn) -> Turn:
        """Return a turn with all that the plugins say, where it came of kept answers. Raises KeptDiffers."""
        if isinstance(turn.actor, Scheduler):
            return Turn(turn.actor, turn.actor.in_full(turn.look))
        return turn

    def step(self) -> Decision | None:
        """Take the next decision and return it; None at the end."""
        turn = self.look()
        return None if turn is None else self.apply(turn)

    def explained(self, watch: Watch) -> Decision | None:
        """Take the next decision; `watch` sees what a scheduler noted of it."""
        turn = self.look()
        if turn is None:
            return None
        actor = turn.actor
        if not isinstance(actor, Scheduler):
            return self.apply(turn)
        return actor.explained(turn.look, lambda look: self.apply(Turn(actor, look)), watch)

    def _repeat(self) -> None:
        assert self._last is not None
        self.apply(self._last)

    # -- what follows by itself ----------------------------------------------------------------------

    def _replace(self, pods: Sequence[int], *, gone: bool = False) -> None:
        for pod in pods:
            if gone or self.api.victims_vanish or not self._waits_for_name(pod):
                copy = self._controllers.replace(pod) if self._controllers is not None else None
                if copy is not None:
                    for scheduler in self.schedulers:
                        scheduler.notice_pod(copy)

    def _hear_of_pods(self, before: int) -> None:
        """Tell schedulers which pods controllers have made and deleted."""
        gone = self.state.gone.values
        deleted = [pod for pod in self.state.journal.touched(self.state.pod_changes) if pod in gone]
        freed = any(self.state.node_of(pod) for pod in deleted)
        pods = PodsHeard(range(before, len(self.state.pods)), deleted, freed)
        for scheduler in self.schedulers:
            scheduler.hear_of_pods(pods)

    def _settle(self) -> None:
        """Let victims go if nothing else can be tried and somebody waits for it, pod or controller."""
        api = self.api
        if not isinstance(api, GraceApiServer) or not api.leaving.values or self._is_busy():
            return
        waiting = any(scheduler.has_waiting() for scheduler in self.schedulers)
        if waiting or any(map(self._waits_for_name, api.leaving.values)):
            gone = api.let_go()
            for scheduler in self.schedulers:
                scheduler.retry_waiting()
            self._replace([pod for pod in gone if self._waits_for_name(pod)], gone=True)

    def _is_busy(self) -> bool:
        if self._evictions is not None and self._evictions.look() is not None:
            return True
        return any(scheduler.has_work() or scheduler.limit_reached for scheduler in self.schedulers)

    def _waits_for_name(self, pod: int) -> bool:
        return self._controllers is not None and self._controllers.waits_for_name(pod)

    # -- checkpoints ---------------------------------------------------------------------------------

    def _dump_world(self) -> dict[str, Any]:
        return {
            "state": self.state.dump(),
            "api": self.api.dump(),
            "turns": self._turns.dump(),
            "schedulers": {scheduler.name: scheduler.dump() for scheduler in self.schedulers},
            "evictions": self._evictions.dump() if self._evictions is not None else None,
        }

    def _load_world(self, data: Mapping[str, Any]) -> None:
        self.state.load(data["state"])
        self.api.load(data["api"])
        self._turns.load(data["turns"])
        for scheduler in self.schedulers:
            scheduler.load(data["schedulers"][scheduler.name])
        if self._evictions is not None:
            self._evictions.load(data["evictions"])
