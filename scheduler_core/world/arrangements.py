"""The drivers: which actors, API server and clock a play is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scheduler_core.hami.kube_scheduler import URL_PREFIX, KubeWithHami, kube_part
from scheduler_core.hami.run import HamiExtender, HamiInRun
from scheduler_core.hami.times import SECOND, Clock
from scheduler_core.kube.attempts import Settings, over_http
from scheduler_core.kube.extenders.exchanges import Exchanges
from scheduler_core.kube.extenders.extender import Extender
from scheduler_core.kube.extenders.settings import ExtenderSettings
from scheduler_core.kube.profile import Profile
from scheduler_core.kube.queueing.backoff import backoff_of
from scheduler_core.kube.scheduler import KubeScheduler
from scheduler_core.kube.timed_scheduler import TimedScheduler
from scheduler_core.objects.kinds import POD, PRIORITY_CLASS, RESOURCE_QUOTA, kind_of
from scheduler_core.state.build import Built
from scheduler_core.state.cluster import ClusterState
from scheduler_core.volcano.cluster import VolcanoCluster
from scheduler_core.volcano.configuration import Configuration
from scheduler_core.volcano.controllers.actor import VolcanoControllers
from scheduler_core.volcano.scheduler import VolcanoScheduler
from scheduler_core.volcano.timed_scheduler import TimedVolcano
from scheduler_core.world.api_server import RECORDED_EPOCH, GraceApiServer, InstantApiServer
from scheduler_core.world.cluster import Cluster
from scheduler_core.world.companions import KUBE_SCHEDULER, MIXABLE, configurations_of
from scheduler_core.world.controllers import Controllers
from scheduler_core.world.edits.timing import nanoseconds
from scheduler_core.world.evictions import Evictions
from scheduler_core.world.preparation import Prepared
from scheduler_core.world.run_input import KINDS, RunInput
from scheduler_core.world.run_pods import InstantPods, RunObjects, TimedPods, admission_of
from scheduler_core.world.schedulers import SCHEDULERS
from scheduler_core.world.schedulers import Built as Made
from scheduler_core.world.session_api import SessionApi
from scheduler_core.world.timed import TimedWorld
from scheduler_core.world.timed_run import TimedRun
from scheduler_core.world.timeline import Entry
from scheduler_core.world.world import Scheduler, World

HAMI = "hami-2.10"
SESSION_LIMIT = 100
"""After so many sessions a run ends, whatever is left to do."""
AFTER_THE_LAST = 600.0
"""A timed run that says no end goes on for so many seconds after its last entry."""

API_SERVERS: dict[str, type[InstantApiServer]] = {
    "instant": InstantApiServer,
    "fifo": InstantApiServer,
    "grace": GraceApiServer,
}
"""What the drivers without a clock make of an eviction."""


@dataclass(frozen=True)
class Play:
    """What all drivers are given."""

    run_input: RunInput
    prepared: Prepared
    built: Built
    schedulers: Mapping[str, Made]
    settings: Settings
    controllers: Controllers

    def hami(self, clock: Clock) -> HamiInRun | None:
        """Return the run's HAMi, None where it takes no part."""
        made = next((one for one in self.schedulers.values() if isinstance(one, KubeWithHami)), None)
        documents = self.settings.exchanges.documents
        if made is None or documents is None:
            return None
        quotas = [item for item in self.prepared.objects if kind_of(item) == RESOURCE_QUOTA]
        return HamiInRun(self.built.state, made.hami, documents, quotas, clock)

    @property
    def _about_kube(self) -> bool:
        """Whether the run is about a kube-scheduler, so that those beside it are of its release."""
        return SCHEDULERS[self.run_input.profile].kind == KINDS[0]

    def settings_of(self, made: Made, hami: HamiInRun | None) -> Settings:
        """Return a kube-scheduler's settings; HAMi answers the one that is installed with it."""
        if hami is None or not isinstance(made, KubeWithHami):
            return self.settings if self._about_kube else replace(self.settings, engine=MIXABLE)

        def extender_of(extender: ExtenderSettings, exchanges: Exchanges) -> Extender:
            if extender.url_prefix == URL_PREFIX:
                return HamiExtender(extender, hami)
            return over_http(extender, exchanges)

        return replace(self.settings, engine=HAMI, extender_of=extender_of)


def bare_world(
    state: ClusterState,
    profiles: Mapping[str, Profile],
    driver: str = "instant",
    settings: Settings | None = None,
) -> World:
    """Return a world with one kube-scheduler, in which nobody replaces what is evicted."""
    api, settings = API_SERVERS[driver](state, RECORDED_EPOCH), settings or Settings()
    scheduler = KubeScheduler(KUBE_SCHEDULER, state, profiles, api, settings)
    return World(state, api, [scheduler], exchanges=settings.exchanges)


def instant_world(play: Play) -> World:
    """Return a world without a clock, its pods in the queue."""
    state, prepared = play.built.state, play.prepared
    api = API_SERVERS[play.run_input.driver or "instant"](state, prepared.epoch)
    hami = play.hami(lambda: api.epoch + api.cycles * SECOND)
    schedulers = [_made(play, name, built, api, hami) for name, built in play.schedulers.items()]
    for pod in play.built.pending:
        if not any(scheduler.is_ours(pod) for scheduler in schedulers):
            state.note_nomination(pod, play.settings.nomination_of(state.pods.infos[pod].pod))
    for scheduler in schedulers:
        if isinstance(scheduler, KubeScheduler):
            scheduler.admit(play.built.pending, [state.pods.by_uid[uid] for uid in prepared.entering])
    evictions = Evictions(state, api, prepared.evictions)
    pods = InstantPods(state, play.controllers, admission_of(prepared.objects))
    acting = _volcano_controllers(play, schedulers, pods)
    exchanges = play.settings.exchanges
    return World(state, api, schedulers, play.controllers, evictions, acting, exchanges, hami)


def _volcano_controllers(
    play: Play, schedulers: Sequence[Any], pods: InstantPods | TimedPods
) -> VolcanoControllers | None:
    """Return Volcano's controllers where its scheduler takes part and controllers act."""
    volcano = next((one for one in schedulers if isinstance(one, VolcanoScheduler)), None)
    if volcano is None or play.run_input.controllers == "none":
        return None
    acting = VolcanoControllers(volcano.cluster, pods, play.prepared.objects)
    play.controllers.others = acting.replaces
    return acting


def _made(play: Play, name: str, built: Made, api: InstantApiServer, hami: HamiInRun | None) -> Scheduler:
    state = play.built.state
    if isinstance(built, Configuration):
        cluster = VolcanoCluster(state, play.prepared.objects, api.epoch)
        return VolcanoScheduler(name, cluster, built, api, SESSION_LIMIT)
    return KubeScheduler(name, state, built, api, play.settings_of(built, hami))


def timed_run(play: Play) -> TimedRun:
    """Return a world whose clock moves. The pods of the snapshot enter the queue before it starts."""
    state, prepared, given = play.built.state, play.prepared, play.run_input
    cluster = Cluster(state, prepared.epoch)
    cluster.durations = prepared.durations
    hami = play.hami(lambda: cluster.epoch + cluster.now)
    configurations = configurations_of(given, play.schedulers)
    schedulers: list[TimedScheduler | TimedVolcano] = []
    for name, made in play.schedulers.items():
        if isinstance(made, Configuration):
            classes = [item for item in prepared.later if kind_of(item) == PRIORITY_CLASS]
            cluster.volcano = VolcanoCluster(state, [*prepared.objects, *classes], prepared.epoch)
            schedulers.append(TimedVolcano(name, cluster.volcano, made, SessionApi(cluster)))
        else:
            config = configurations[name]
            backoff = backoff_of(kube_part(config) if isinstance(made, KubeWithHami) else config)
            schedulers.append(TimedScheduler(name, state, made, play.settings_of(made, hami), backoff))
    timeline = [*_evictions_at_the_start(play), *prepared.timeline]
    last = max((entry.at for entry in timeline), default=0)
    until = last + nanoseconds(AFTER_THE_LAST) if given.until is None else nanoseconds(given.until)
    world = TimedWorld(cluster, schedulers, timeline, nanoseconds(given.attempt_seconds), until)
    for pod in play.built.pending:
        state.note_nomination(pod, play.settings.nomination_of(state.pods.infos[pod].pod))
    for uid in prepared.entering:
        for scheduler in world.kube_schedulers:
            scheduler.handlers.added(state.pods.infos[state.pods.by_uid[uid]].pod, 0)
    cluster.start(range(len(state.pods)))
    world.pods = TimedPods(cluster, play.controllers, admission_of(prepared.objects))
    world.controllers = _volcano_controllers(play, schedulers, world.pods)
    if world.controllers is not None:
        cluster.controlled = RunObjects(world.controllers.api, world.pods)
    state.forget_journal()
    return TimedRun(world, play.controllers, play.settings.exchanges, hami)


def _evictions_at_the_start(play: Play) -> list[Entry]:
    return [
        Entry(0, "evict", POD, request.uid, edit=request.edit)
        for request in play.prepared.evictions
        if request.skipped is None
    ]
