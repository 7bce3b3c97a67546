"""The world: the cluster, who acts in it, and one decision after another.

The earliest actor that has something to do acts once; among several of the same rank they take turns. What
follows from a decision without anybody's deciding (controllers replace evicted pods, victims are let go)
belongs to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from scheduler_core.actor import Actor, EndedBy, Stamp
from scheduler_core.events.decisions import Decision
from scheduler_core.hami.run import HamiInRun
from scheduler_core.kube.extenders.exchanges import Exchanges
from scheduler_core.kube.look import Looked
from scheduler_core.kube.queueing.parts import ACTIVE, UNSCHEDULABLE
from scheduler_core.kube.scheduler import KubeScheduler
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.register import Register
from scheduler_core.volcano.controllers.actor import VolcanoControllers
from scheduler_core.volcano.scheduler import VolcanoScheduler
from scheduler_core.world.api_server import GraceApiServer, InstantApiServer
from scheduler_core.world.controllers import Controllers
from scheduler_core.world.evictions import Evictions
from scheduler_core.world.within_sessions import WithinSessions

Scheduler = KubeScheduler | VolcanoScheduler


class Turn(NamedTuple):
    """What an actor is going to do; nothing has been changed yet."""

    actor: Actor
    look: Any


class World(WithinSessions):
    """A cluster with its actors. `seq` is the last decision's number."""

    def __init__(
        self,
        state: ClusterState,
        api: InstantApiServer,
        schedulers: Sequence[Scheduler],
        controllers: Controllers | None = None,
        evictions: Evictions | None = None,
        volcano: VolcanoControllers | None = None,
        exchanges: Exchanges | None = None,
        hami: HamiInRun | None = None,
    ) -> None:
        self.exchanges = exchanges or Exchanges()
        """Those with extenders."""
        self.state = state
        self.api = api
        self.schedulers = list(schedulers)
        self.seq = 0
        self.time = self.until = None
        """No clock moves here."""
        self._last: Turn | None = None
        self._controllers = controllers
        self._evictions = evictions
        self._volcano = volcano
        self.hami = hami
        self._turns: Register[str, int] = Register(
            state.journal, ((scheduler.name, 0) for scheduler in self.schedulers)
        )

    @property
    def has_volcano_controllers(self) -> bool:
        """Whether Volcano's controllers act."""
        return self._volcano is not None

    @property
    def kube_schedulers(self) -> list[KubeScheduler]:
        """Those of the schedulers that are kube-schedulers."""
        return [one for one in self.schedulers if isinstance(one, KubeScheduler)]

    def tables(self) -> dict[str, dict[str, dict[str, Any]]]:
        """Return the tables that the log shows beside those of pods and nodes."""
        more = [one for one in (self._volcano, self.hami) if one is not None]
        return {name: rows for one in (*self.schedulers, *more) for name, rows in one.tables().items()}

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
        if self._volcano is not None:
            self._volcano.expect(self.seq + 1, self.api.epoch)
            if not self._in_session and (plan := self._volcano.look()) is not None:
                return Turn(self._volcano, plan)
        for scheduler in self._in_turn():
            look = scheduler.look()
            if look is not None:
                return Turn(scheduler, look)
        return None

    def _in_turn(self) -> list[Scheduler]:
        """Return who may act: who is in a session, else all, who acted last at the end."""
        if len(self.schedulers) == 1:
            return self.schedulers
        for scheduler in self.schedulers:
            if isinstance(scheduler, VolcanoScheduler) and scheduler.in_session:
                return [scheduler]
        return sorted(self.schedulers, key=lambda actor: self._turns.values[actor.name])

    def apply(self, turn: Turn) -> Decision:
        """Carry out what was looked at, and return the decision."""
        self._note_session(turn.actor)
        self.seq += 1
        self._last = turn
        self.api.asked_to_go.clear()
        if isinstance(turn.actor, Scheduler):
            self.api.count_cycle()
            if len(self.schedulers) > 1:
                self._turns.put(turn.actor.name, self.seq)
        before = len(self.state.pods)
        turn.actor.apply(turn.look)
        if turn.actor is self._volcano:
            self._hear_of_pods(before)
        self._replace(self.api.asked_to_go)
        self._settle()
        if self._volcano is not None:
            self._volcano.note_changes()
        if self.hami is not None:
            self.hami.hear()
        changes = self.state.journal.told()
        self._tell_others(turn.actor, bool(changes))
        return turn.actor.tell(turn.look, Stamp(self.seq, None, None), changes)

    def _note_session(self, actor: Actor) -> None:
        if not isinstance(actor, VolcanoScheduler):
            self._session = None
        elif not actor.in_session:
            self._begin_session()
        if self._session is not None:
            self._session.steps += 1

    def _tell_others(self, actor: Actor, changed: bool) -> None:
        """Let schedulers of sessions know that somebody else has changed something."""
        for scheduler in self.schedulers if changed else ():
            if isinstance(scheduler, VolcanoScheduler) and scheduler is not actor:
                scheduler.notice()

    def in_full(self, turn: Turn) -> Turn:
        """Return a turn with all that the plugins say, where it came of kept answers. Raises KeptDiffers."""
        if isinstance(turn.actor, KubeScheduler) and isinstance(turn.look, Looked):
            return Turn(turn.actor, turn.actor.in_full(turn.look))
        return turn

    def step(self) -> Decision | None:
        """Take the next decision and return it; None at the end."""
        turn = self.look()
        return None if turn is None else self.apply(turn)

    def explained(self, watch: Callable[[Any, Any], None]) -> Decision | None:
        """Take the next decision; `watch` sees an attempt and whose it is before anything follows from it.

        A session's step is seen after it was taken.
        """
        turn = self.look()
        if turn is not None and isinstance(turn.actor, VolcanoScheduler):
            decision, step = turn.actor.explained(lambda: self.apply(turn))
            watch(step, turn.actor)
            return decision
        if turn is None:
            return None
        in_full = self.in_full(turn)
        if isinstance(turn.actor, KubeScheduler):
            watch(in_full.look, turn.actor)
        return self.apply(in_full)

    @contextmanager
    def before(self) -> Iterator[None]:
        """Go back to the moment before the last decision for as long as the block runs."""
        assert self._last is not None
        self.state.undo_to(0)
        self.seq -= 1
        try:
            yield
        finally:
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
        """Tell kube-schedulers which pods Volcano's controllers have made and deleted."""
        gone = self.state.gone.values
        deleted = [pod for pod in self.state.journal.touched(self.state.pod_changes) if pod in gone]
        for scheduler in self.kube_schedulers:
            for pod in range(before, len(self.state.pods)):
                scheduler.notice_pod(pod)
            for pod in deleted:
                scheduler.forget_pod(pod)
            if any(self.state.node_of(pod) for pod in deleted) and scheduler.queue.get(UNSCHEDULABLE):
                scheduler.queue.move_members(UNSCHEDULABLE, ACTIVE)

    def _settle(self) -> None:
        """Let victims go if nothing else can be tried and somebody waits for it, pod or controller."""
        api = self.api
        if not isinstance(api, GraceApiServer) or not api.leaving.values or self._is_busy():
            return
        queues = [one.queue for one in self.kube_schedulers]
        waiting = any(queue.get(UNSCHEDULABLE) for queue in queues)
        if waiting or any(map(self._waits_for_name, api.leaving.values)):
            gone = api.let_go()
            for queue in queues:
                queue.move_members(UNSCHEDULABLE, ACTIVE)
            self._replace([pod for pod in gone if self._waits_for_name(pod)], gone=True)

    def _is_busy(self) -> bool:
        if self._evictions is not None and self._evictions.look() is not None:
            return True
        return any(scheduler.has_work() or scheduler.limit_reached for scheduler in self.schedulers)

    def _waits_for_name(self, pod: int) -> bool:
        return self._controllers is not None and self._controllers.waits_for_name(pod)

    # -- checkpoints ---------------------------------------------------------------------------------

    @property
    def _in_session(self) -> bool:
        return any(isinstance(one, VolcanoScheduler) and one.in_session for one in self.schedulers)

    def _dump(self) -> dict[str, Any]:
        return {
            "seq": self.seq,
            "state": self.state.dump(),
            "api": self.api.dump(),
            "turns": self._turns.dump(),
            "schedulers": {scheduler.name: scheduler.dump() for scheduler in self.schedulers},
            "controllers": self._controllers.dump() if self._controllers is not None else None,
            "evictions": self._evictions.dump() if self._evictions is not None else None,
            "volcano": self._volcano.dump() if self._volcano is not None else None,
            "hami": self.hami.dump() if self.hami is not None else None,
        }

    def _load(self, data: Mapping[str, Any]) -> None:
        self.seq = data["seq"]
        self.state.load(data["state"])
        self.api.load(data["api"])
        self._turns.load(data["turns"])
        for scheduler in self.schedulers:
            scheduler.load(data["schedulers"][scheduler.name])
        if self._controllers is not None:
            self._controllers.load(data["controllers"])
        if self._evictions is not None:
            self._evictions.load(data["evictions"])
        if self._volcano is not None:
            self._volcano.load(data["volcano"])
        if self.hami is not None:
            self.hami.load(data["hami"])
