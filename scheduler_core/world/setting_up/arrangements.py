"""The drivers: which actors, API server and clock a play is made of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scheduler_core.kube.profile import Profile
from scheduler_core.kube.schedule_one import Settings
from scheduler_core.kube.scheduler import KubeScheduler
from scheduler_core.objects.kinds import POD
from scheduler_core.schedulers.clocked import AttemptingScheduler
from scheduler_core.schedulers.kind import Play
from scheduler_core.schedulers.names import BASE
from scheduler_core.schedulers.registry import kinds
from scheduler_core.schedulers.run_parts import Clock, Parts, RunControllers
from scheduler_core.state.cluster import ClusterState
from scheduler_core.world.beginning import RECORDED_EPOCH
from scheduler_core.world.clocked.eviction_requests import EvictionRequests, RepeatedEvictions
from scheduler_core.world.clocked.live_cluster import Cluster
from scheduler_core.world.clocked.run_pods import InstantPods, TimedPods, admission_of
from scheduler_core.world.clocked.session_api import SessionApi
from scheduler_core.world.clocked.timed_run import TimedRun
from scheduler_core.world.clocked.timed_world import TimedWorld
from scheduler_core.world.controllers.controller import Around, ClusterController
from scheduler_core.world.controllers.evictions import Evictions
from scheduler_core.world.controllers.live_admission import LiveAdmission
from scheduler_core.world.controllers.readiness import ready_after
from scheduler_core.world.controllers.recreated_pods import Controllers
from scheduler_core.world.controllers.registry import begun
from scheduler_core.world.controllers.scale_down import surplus
from scheduler_core.world.controllers.workload_pods import WorkloadPods
from scheduler_core.world.edits.results import EvictionRequest
from scheduler_core.world.edits.timing import nanoseconds
from scheduler_core.world.run_input import AFTER_THE_LAST, LATEST, RunInput
from scheduler_core.world.setting_up.preparation import Prepared
from scheduler_core.world.timeline_entry import Entry
from scheduler_core.world.unclocked.api_server import GraceApiServer, InstantApiServer
from scheduler_core.world.unclocked.world import World

_SECOND = 10**9

API_SERVERS: dict[str, type[InstantApiServer]] = {
    "instant": InstantApiServer,
    "fifo": InstantApiServer,
    "grace": GraceApiServer,
}
"""What the drivers without a clock make of an eviction."""


@dataclass(frozen=True)
class Arrangement:
    """What all drivers are given: the schedulers' play, and what the world itself needs."""

    run_input: RunInput
    prepared: Prepared
    play: Play
    controllers: Controllers


def bare_world(
    state: ClusterState,
    profiles: Mapping[str, Profile],
    driver: str = "instant",
    settings: Settings | None = None,
) -> World:
    """Return a world with one kube-scheduler, in which nobody replaces what is evicted."""
    api, settings = API_SERVERS[driver](state, RECORDED_EPOCH), settings or Settings()
    scheduler = KubeScheduler(BASE, state, profiles, api, settings)
    return World(state, api, [scheduler], exchanges=settings.exchanges)


def instant_world(given: Arrangement) -> World:
    """Return a world without a clock, its pods in the queue."""
    play, prepared, state = given.play, given.prepared, given.play.state
    api = API_SERVERS[given.run_input.driver or "instant"](state, prepared.epoch)
    parts = _parts(play, lambda: api.now)
    schedulers = [made.kind.make(play, name, made, api) for name, made in play.made.items()]
    nominated = _nominated(play)
    for pod, node in nominated.items():
        if node != state.nominated[pod] and not any(one.is_ours(pod) for one in schedulers):
            state.note_nomination(pod, node)
    entering = [state.pods.by_uid[uid] for uid in prepared.entering]
    for scheduler in schedulers:
        scheduler.admit(list(nominated), entering)
    evictions = Evictions(state, api, prepared.evictions)
    pods = InstantPods(state, given.controllers, admission_of(prepared.others))
    own = _own(given, schedulers, pods)
    return World(state, api, schedulers, given.controllers, evictions, own, play.exchanges, parts)


def _nominated(play: Play) -> dict[int, str]:
    """Return where the snapshot nominates pods; empty where the state alone does, and others are left out."""
    infos, already, nomination_of = play.state.pods.infos, play.state.nominated, play.version.nomination_of
    told = ((pod, nomination_of(infos[pod].pod)) for pod in play.pending)
    return {pod: node for pod, node in told if node or already[pod]}


def _parts(play: Play, clock: Clock) -> Parts:
    """Make what takes part besides schedulers; a scheduler finds its own there when it is made."""
    for kind in dict.fromkeys(made.kind for made in play.made.values()):
        part = kind.part(play, clock)
        if part is not None:
            play.parts[kind.name] = part
    return Parts(play.parts)


def _own(
    given: Arrangement, schedulers: Iterable[Any], pods: InstantPods | TimedPods
) -> list[RunControllers]:
    """Return the controllers of schedulers that have their own, where controllers act."""
    if given.run_input.controllers == "none":
        return []
    found = (
        made.kind.controllers(given.play, scheduler, pods)
        for made, scheduler in zip(given.play.made.values(), schedulers, strict=True)
    )
    own = [controllers for controllers in found if controllers is not None]
    _let_replace(given, own)
    return own


def _let_replace(given: Arrangement, controllers: Sequence[RunControllers | ClusterController]) -> None:
    """Let controllers make the pods anew that are theirs to replace, instead of copies."""
    given.controllers.others = lambda pod: any(one.replaces(pod) for one in controllers)


def timed_run(given: Arrangement) -> TimedRun:
    """Return a world whose clock moves. The pods of the snapshot enter the queue before it starts."""
    play, prepared, state = given.play, given.prepared, given.play.state
    cluster = Cluster(state, prepared.epoch, prepared.others)
    cluster.durations.by_uid = prepared.durations
    usual = nanoseconds(given.run_input.ready_seconds)
    cluster.ready_after = lambda pod: ready_after(given.controllers.document(pod), usual)
    parts = _parts(play, lambda: cluster.epoch + cluster.now)
    schedulers = [
        made.kind.make_clocked(play, name, made, SessionApi(cluster)) for name, made in play.made.items()
    ]
    cluster.schedulers = [one for one in schedulers if isinstance(one, AttemptingScheduler)]
    for pod in play.pending:
        state.note_nomination(pod, play.version.nomination_of(state.pods.infos[pod].pod))
    for uid in prepared.entering:
        for scheduler in cluster.schedulers:
            scheduler.hear(None, state.pods.infos[state.pods.by_uid[uid]].pod, 0)
    cluster.start()
    pods = TimedPods(cluster, given.controllers, admission_of(prepared.others))
    own = _own(given, schedulers, pods)
    for made, clocked in zip(play.made.values(), schedulers, strict=True):
        cluster.own_objects.update(made.kind.own_objects(clocked))
    for one in own:
        cluster.own_objects.update(dict.fromkeys(kinds()[one.kind].own_kinds, one.objects(pods)))
    acting = given.run_input.controllers == "recreate"
    around = _around(given, cluster, pods) if acting else None
    controllers = [] if around is None else begun(around)
    _let_replace(given, [*own, *controllers])
    timeline = [*prepared.timeline, *_evictions_at_the_start(prepared)]
    timeline.sort(key=lambda entry: (entry.at, -1 if entry.edit is None else entry.edit))
    world = TimedWorld(
        cluster,
        schedulers,
        timeline,
        nanoseconds(given.run_input.attempt_seconds),
        _end(given, timeline),
        surplus=lambda entry: surplus(entry, cluster, given.controllers),
        over_quota=(lambda pod: "") if around is None else around.owned.over_quota,
        evictions=EvictionRequests(cluster, given.controllers.document),
        repeated=RepeatedEvictions(cluster, given.controllers.document),
        own=own,
        pods=pods,
        controllers=controllers,
        document=given.controllers.document,
    )
    state.forget_journal()
    return TimedRun(world, given.controllers, play.exchanges, parts)


def _around(given: Arrangement, cluster: Cluster, pods: TimedPods) -> Around:
    """Return what the cluster's controllers are given; copies of pods pass the quotas of then, too."""
    controllers, prepared = given.controllers, given.prepared
    admission = LiveAdmission(
        cluster.state, cluster.objects, controllers.document, prepared.others, prepared.webhook
    )
    owned = WorkloadPods(cluster, pods, admission, controllers.document, controllers.has_name)
    controllers.is_admitted = lambda copy: not owned.over_quota(copy)
    return Around(cluster, pods, owned, prepared.deleted_nodes)


def _end(given: Arrangement, timeline: Sequence[Entry]) -> int:
    """Return when the clock ends, in nanoseconds since the run's start."""
    if given.run_input.until is not None:
        return nanoseconds(given.run_input.until)
    after = nanoseconds(AFTER_THE_LAST)
    return max(
        (entry.at + (after + _turn(entry)) * (1 + len(entry.then)) for entry in timeline), default=after
    )


def _turn(entry: Entry) -> int:
    """Return how long a node of a rolling drain holds up the next one at the most, as far as known."""
    if entry.rolls is None:
        return 0
    patience = entry.until - entry.at
    return (patience if patience < nanoseconds(LATEST) else 0) + (entry.rolls[1] or 0)


def _evictions_at_the_start(prepared: Prepared) -> list[Entry]:
    return [
        Entry(0, "evict", POD, request.uid, edit=request.edit, until=_until(request))
        for request in prepared.evictions
        if request.skipped is None and not request.in_turn
    ]


def _until(request: EvictionRequest) -> int:
    return -1 if request.patience is None else nanoseconds(request.patience)
