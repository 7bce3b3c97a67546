"""What a release of kube-scheduler is made of, since there is the scheduling framework.

The plugins are written as they are in the newest release. An older one has other code for what it decides
otherwise: each is a module of `kube/framework_releases/`, with its differences from the release after it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from scheduler_core.kube.dropped_fields import DroppedField
from scheduler_core.kube.gates import DEFAULT_GATES, Gates
from scheduler_core.kube.profile import Profile
from scheduler_core.kube.queueing.behaviour import DEFAULT_QUEUEING, Queueing
from scheduler_core.kube.queueing.event_handlers import EventHandlers
from scheduler_core.kube.queueing.listening import Listeners
from scheduler_core.kube.queueing.scheduling_queue import SchedulingQueue
from scheduler_core.kube.registry import Registry
from scheduler_core.state.pods import DEFAULT_ACCOUNTING, Accounting

Area = Literal["scores", "filters", "preemption", "queue", "messages", "configuration", "pods"]


@dataclass(frozen=True)
class Difference:
    """What a release does otherwise than the one after it.

    plugin: whose decisions it concerns, empty for those of the framework. then: what this release does.
    next: what the one after it does. Both are whole sentences.
    """

    area: Area
    plugin: str
    then: str
    next: str


@dataclass(frozen=True)
class Release:
    """A minor release.

    profile: how its profiles run their plugins. accounting: what pods count for. drops: the fields of pods
    that its API server drops. queue, handlers: who waits where, and what it makes of the cluster's news.
    differences: those from the release after it, in words.
    """

    minor: str
    registry: Registry
    profile: type[Profile] = Profile
    accounting: Accounting = DEFAULT_ACCOUNTING
    gates: Gates = DEFAULT_GATES
    queueing: Queueing = DEFAULT_QUEUEING
    queue: type[SchedulingQueue] = SchedulingQueue
    handlers: type[EventHandlers] = EventHandlers
    configuration_versions: tuple[str, ...] = ("kubescheduler.config.k8s.io/v1",)
    drops: tuple[DroppedField, ...] = ()
    differences: tuple[Difference, ...] = ()

    def listeners(self, profiles: Mapping[str, Profile]) -> Listeners:
        """Return who listens to which events in these profiles, given by scheduler name."""
        return self.queue.listeners_in(profiles, self.queueing)

    def but(self, minor: str, **differences: Any) -> Release:
        """Return the release before this one: like it but for these parts."""
        return replace(self, minor=minor, **({"differences": ()} | differences))
