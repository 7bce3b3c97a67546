"""The drivers: which actors and which API server a play is made of."""

from __future__ import annotations

from collections.abc import Mapping

from scheduler_core.kube.profile import Profile
from scheduler_core.kube.scheduler import KubeScheduler, Settings
from scheduler_core.state.cluster import ClusterState
from scheduler_core.world.api_server import RECORDED_EPOCH, GraceApiServer, InstantApiServer
from scheduler_core.world.world import World

KUBE_SCHEDULER = "kube-scheduler"
"""The name of the scheduler that a run is about."""

API_SERVERS: dict[str, type[InstantApiServer]] = {
    "instant": InstantApiServer,
    "fifo": InstantApiServer,
    "grace": GraceApiServer,
}
"""What the drivers without a clock make of an eviction."""


def bare_world(
    state: ClusterState,
    profiles: Mapping[str, Profile],
    driver: str = "instant",
    settings: Settings | None = None,
) -> World:
    """Return a world with one kube-scheduler, in which nobody replaces what is evicted."""
    api = API_SERVERS[driver](state, RECORDED_EPOCH)
    return World(state, api, [KubeScheduler(KUBE_SCHEDULER, state, profiles, api, settings)])
