"""The world whose clock moves: what happens next, one thing at a time.

At one instant, things happen in this order: schedulers' own controllers work until they are quiet; evictions
that were asked for; the timeline's entries, in its order; drains that come to their next nodes, and rolling
drains also to nodes that come back; the
cluster's controllers; evictions that are asked for again; pods whose grace is over, in the order of their
deletions; the queue's flushes; attempts that end; then every scheduler that is idle, in their order.
Schedulers are at work at the same time, each at one attempt. A session takes no time: from its opening to its
close nobody else acts.

Source: the family `timed` of the recorded cases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from scheduler_core.schedulers.clocked import AttemptingScheduler, ClockedScheduler, SessionScheduler
from scheduler_core.schedulers.run_parts import RunControllers
from scheduler_core.state.checkpoint import ByName, Checkpointed
from scheduler_core.world.clocked.actor import ClockedActor
from scheduler_core.world.clocked.controllers import Controlling
from scheduler_core.world.clocked.drains import Drains
from scheduler_core.world.clocked.eviction_requests import EvictionRequests, RepeatedEvictions
from scheduler_core.world.clocked.happening import Happening
from scheduler_core.world.clocked.hooks import Hooks
from scheduler_core.world.clocked.kubelets import LeavingPods
from scheduler_core.world.clocked.live_cluster import Cluster
from scheduler_core.world.clocked.own_controllers import OwnControllers, Wakening
from scheduler_core.world.clocked.rolling_drains import RollingDrains
from scheduler_core.world.clocked.run_pods import TimedPods
from scheduler_core.world.clocked.schedulers import AttemptEnds, Attempting, Flushes, OpenSession, Sessions
from scheduler_core.world.clocked.timeline import OverQuota, Surplus, Timeline
from scheduler_core.world.controllers.controller import ClusterController
from scheduler_core.world.timeline_entry import Entry


class TimedWorld(Checkpointed):
    """A cluster, its schedulers and a timeline. `attempt` is how long an attempt takes, in nanoseconds.

    `evictions` grant what the timeline asks for, `repeated` what a budget has refused; `own` are schedulers'
    own controllers, which make and delete `pods`; `controllers` are the cluster's. `document` returns a pod
    as an object.
    """

    remembered = {
        "state": "state",
        "cluster": "cluster",
        "timeline": "_timeline",
        "drains": "_drains",
        "rolling": "_rolling",
        "flushes": "_flushes",
        "ends": "_ends",
        "schedulers": "_schedulers_by_name",
        "controllers": "_controllers_by_name",
    }

    def __init__(
        self,
        cluster: Cluster,
        schedulers: Sequence[ClockedScheduler],
        timeline: Sequence[Entry],
        attempt: int,
        until: int,
        *,
        surplus: Surplus = lambda entry: [],
        over_quota: OverQuota = lambda pod: "",
        evictions: EvictionRequests | None = None,
        repeated: RepeatedEvictions | None = None,
        own: Sequence[RunControllers] = (),
        pods: TimedPods | None = None,
        controllers: Sequence[ClusterController] = (),
        document: Callable[[int], dict[str, Any]] = lambda pod: {},
    ) -> None:
        self.cluster = cluster
        self.state = cluster.state
        self.schedulers = list(schedulers)
        self.own = list(own)
        self.controllers = list(controllers)
        self.until = until
        self.hooks = Hooks()
        self.attempting = [one for one in schedulers if isinstance(one, AttemptingScheduler)]
        self.holders = [one for one in schedulers if isinstance(one, SessionScheduler)]
        """Schedulers that work in sessions."""
        cluster.schedulers = self.attempting
        self._timeline = Timeline(cluster, timeline, surplus, over_quota)
        self._drains = Drains(cluster, timeline)
        self._rolling = RollingDrains(cluster, timeline, document)
        self._flushes = Flushes(cluster, self.attempting)
        self._ends = AttemptEnds(cluster, self.attempting)
        self._schedulers_by_name = ByName(lambda: ((one.name, one) for one in self.schedulers))
        self._controllers_by_name = ByName(lambda: ((one.name, one) for one in self.controllers))
        self._own = [OwnControllers(cluster, one, pods, self.hooks) for one in self.own if pods is not None]
        self.actors: list[ClockedActor] = [
            *(OpenSession(cluster, holder) for holder in self.holders),
            *self._own,
            *(Controlling(one) for one in self.controllers if one.urgent),
            *([] if evictions is None else [evictions]),
            self._timeline,
            self._drains,
            self._rolling,
            *(Controlling(one) for one in self.controllers if not one.urgent),
            *([] if repeated is None else [repeated]),
            LeavingPods(cluster),
            self._flushes,
            self._ends,
            *self._beginnings(attempt),
            *(Wakening(cluster, one) for one in self.own),
        ]
        """Who acts, in the order of their turns at one instant."""

    def _beginnings(self, attempt: int) -> Iterator[ClockedActor]:
        for scheduler in self.schedulers:
            if isinstance(scheduler, SessionScheduler):
                yield Sessions(self.cluster, scheduler, self.schedulers, self.hooks)
            elif isinstance(scheduler, AttemptingScheduler):
                yield Attempting(self.cluster, scheduler, self._ends, attempt, self.hooks)

    @property
    def happened(self) -> Sequence[Entry]:
        """What the timeline has let happen so far."""
        return self._timeline.happened

    @property
    def is_quiet(self) -> bool:
        """Whether nothing is due any more and nobody can be tried: time alone would change nothing."""
        return all(actor.is_settled for actor in self.actors)

    def step(self) -> Happening | None:
        """Let the next thing happen and return it; None at the end. What was done so far becomes final."""
        self.state.forget_journal()
        self.cluster.asked_to_go.clear()
        self.cluster.gone_now.clear()
        self.state.forget_claim_writes()
        happening = self._next()
        if happening is not None:
            for actor in self.actors:
                actor.heed(happening)
        return happening

    def _next(self) -> Happening | None:
        while (found := self._first()) is not None:
            instant, actor = found
            self.cluster.move_to(instant)
            self.expect()
            if (happening := actor.act()) is not None:
                return happening
            self.hear(self.hooks.next_decision())
            self.hooks.untold(self.cluster.now)
        quiet = self.is_quiet
        closed = (actor.close(self.until, quiet=quiet) for actor in self.actors)
        return next((happening for happening in closed if happening is not None), None)

    def _first(self) -> tuple[int, ClockedActor] | None:
        """Return who acts next, and when; None at the end."""
        now, first = self.cluster.now, None
        last = max(self.until, now, self._ends.last)
        for actor in self.actors:
            due = actor.due()
            if due is None or due > (self.until if actor.begins else last):
                continue
            if actor.urgent and due <= now:
                return now, actor
            if first is None or due < first[0]:
                first = due, actor
        return first

    def expect(self) -> None:
        """Tell schedulers' own controllers the time, and which decision comes next."""
        for one in self._own:
            one.expect()

    def hear(self, decision: int) -> None:
        """Let the cluster's controllers hear what this decision has changed so far."""
        for controller in self.controllers:
            controller.hear(decision)
