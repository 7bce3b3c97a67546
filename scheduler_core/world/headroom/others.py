"""Who waits beside what is counted: other pods, which take part or don't, and jobs that have no pods yet."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from scheduler_core.objects.identity import spec_of
from scheduler_core.objects.kinds import kind_of
from scheduler_core.schedulers.cause import Answered, Cause
from scheduler_core.schedulers.registry import kinds
from scheduler_core.schedulers.unasked import TEXTS
from scheduler_core.world.setting_up.companions import build_all
from scheduler_core.world.simulation import Simulation
from scheduler_core.world.trials.playing import Stop, never
from scheduler_core.world.trials.trial_result import TrialResult
from scheduler_core.world.trials.warm_world import WarmWorld


def ways_of(world: WarmWorld) -> set[bool]:
    """Return how the schedulers of a world decide: in sessions (true), or with a queue (false)."""
    return {kinds()[one.kind.name].in_sessions for one in build_all(world.run_input).values()}


def why_no_pods(simulation: Simulation, jobs: str, job: dict[str, Any]) -> Answered:
    """Return why the first waits of those that are made like a job; their keys begin with `jobs`.

    Its controller makes its pods once it may enter its queue. Nobody does where the job's scheduler, which
    brings the controller, is none of the run's. jobs: `Kind/namespace/name-`.
    """
    begins = jobs.partition("/")[2]
    kept_out = (job for scheduler in simulation.schedulers for job in scheduler.jobs_kept_out())
    waiting = sorted(job for job in kept_out if job.startswith(begins))
    found = next((answered for _, answered in simulation.whys_of_jobs(waiting[:1])), None)
    if found is not None:
        return found
    kind = next(one for one in kinds().values() if kind_of(job) in one.pod_makers)
    name = spec_of(job).get("schedulerName") or kind.names_in(None)[0]
    if name in simulation.profiles:
        return Answered(Cause("refused"))
    reason = TEXTS.scheduler.format(scheduler=name)
    return Answered(Cause("unserved", nodes=len(simulation.cluster.nodes), reason=reason))


class Others:
    """The pods that wait in a world whose schedulers look at all of them together."""

    def __init__(self, world: WarmWorld, stop: Stop = never) -> None:
        """Nothing is played yet. What was played until `stop` said so means nothing."""
        self._world, self._stop = world, stop

    @cached_property
    def waiting(self) -> frozenset[str]:
        """Those that have no node before anything is tried, by uid."""
        state = self._world.simulation.cluster
        return frozenset(uid for uid, row in state.pods.by_uid.items() if not state.node_of(row))

    @cached_property
    def _anyway(self) -> TrialResult:
        return self._world.trial([], pods=self.waiting, stop=self._stop, reasons=False, alone=True)

    @cached_property
    def evicted(self) -> frozenset[str]:
        """Who goes without any more, by uid."""
        return frozenset(one.pod.uid for one in self._anyway.evictions)

    def placed(self, result: TrialResult) -> frozenset[str]:
        """Return which of them have a node at the end of a trial, by uid."""
        return frozenset(
            one.pod.uid for one in result.pods if one.node and not one.gone and one.pod.uid in self.waiting
        )

    def held_up(self, placed: frozenset[str]) -> int:
        """Return how many have a node without any more that are not among those `placed` with them."""
        return len(self.placed(self._anyway) - placed) if self.waiting else 0
