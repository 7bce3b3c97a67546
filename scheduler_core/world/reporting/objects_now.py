"""The cluster's objects after a run's last decision, from the run's parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scheduler_core.kube.plugins.volume_binding import VolumeBinding
from scheduler_core.kube.schedule_one import Attempts
from scheduler_core.state.volumes import BinderView
from scheduler_core.world.clocked.timed_run import TimedRun
from scheduler_core.world.reporting.cluster_objects import Moment
from scheduler_core.world.unclocked.world import World

Document = dict[str, Any]


def objects_now(
    world: World | TimedRun, start: Sequence[Document], pods: Mapping[str, Document]
) -> list[Document]:
    """Return the objects as they are now, to be read only.

    start: the objects of the run's start. pods: all pods that came into being, by uid.
    """
    binders = _binders(world)
    annotated = [each.annotated() for each in (*world.schedulers, *world.parts)]
    if isinstance(world, TimedRun):
        cluster, happened = world.world.cluster, world.world.happened
        now = cluster.epoch + cluster.now
        acting = world.world.controllers
        moment = Moment(world.state, start, pods, happened, now, cluster, acting, binders, annotated)
    else:
        moment = Moment(world.state, start, pods, (), world.api.now, None, (), binders, annotated)
    return moment.objects()


def _binders(world: World | TimedRun) -> list[BinderView]:
    """Return what the volume binders of all schedulers have decided."""
    attempting = (each for each in world.schedulers if isinstance(each, Attempts))
    return [
        plugin.binder
        for scheduler in attempting
        for profile in scheduler.profiles.values()
        for plugin in profile.reserves
        if isinstance(plugin, VolumeBinding)
    ]
