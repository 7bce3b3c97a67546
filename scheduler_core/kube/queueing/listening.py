"""Which plugins of which profile listen to which cluster events.

Source: kubernetes v1.36 pkg/scheduler/scheduler.go buildQueueingHintMap, unionedGVKs;
framework/runtime fillEnqueueExtensions, defaultEnqueueExtension; framework UnrollWildCardResource.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from scheduler_core.kube.extenders.extender import EXTENDER
from scheduler_core.kube.profile import Profile
from scheduler_core.kube.queueing.cluster_event import (
    CAPACITY,
    CLAIM,
    CSI_DRIVER,
    CSI_NODE,
    DEVICE_CLASS,
    NODE,
    POD,
    RESOURCE_CLAIM,
    STORAGE_CLASS,
    VOLUME,
    Action,
    ClusterEvent,
)
from scheduler_core.kube.queueing.hint import Hint, Interest, Listener

Interests = dict[str, list[Interest]]
"""By the plugin's name."""
Registered = Callable[[str, Sequence[Interest]], list[Interest]]
"""What a release's queue makes of what a plugin listens to."""
_ANYTHING = [
    Interest(ClusterEvent(resource, Action.ALL))
    for resource in (
        POD,
        NODE,
        VOLUME,
        CLAIM,
        CSI_NODE,
        CSI_DRIVER,
        CAPACITY,
        STORAGE_CLASS,
        RESOURCE_CLAIM,
        DEVICE_CLASS,
    )
]
"""What may help a pod that extenders refused: nobody knows, so that every change is worth another attempt."""


class Listeners:
    """Made from the profiles alone. A plugin that a profile has at no extension point listens to nothing."""

    def __init__(self, profiles: Mapping[str, Interests]) -> None:
        self._profiles = profiles
        self._hints: dict[tuple[str, ClusterEvent], dict[str, Hint | None]] = {}

    def __contains__(self, scheduler: str) -> bool:
        return scheduler in self._profiles

    def plugins(self, event: ClusterEvent) -> set[str]:
        """Return the plugins that listen to the event, in whatever profile."""
        return {plugin for scheduler in self._profiles for plugin in self.hints(scheduler, event)}

    def watch(self, resource: str, action: Action) -> bool:
        """Return whether the scheduler hears of this kind's changes at all."""
        return any(
            item.event.resource == resource and bool(item.event.action & action)
            for interests in self._profiles.values()
            for item in _all(interests)
        )

    def interests(self, scheduler: str) -> Interests:
        """Return what each plugin of a profile listens to."""
        return self._profiles.get(scheduler, {})

    def hints(self, scheduler: str, event: ClusterEvent) -> dict[str, Hint | None]:
        """Return the plugins of a profile that listen to an event, with their hints, by name."""
        known = self._hints.get((scheduler, event))
        if known is None:
            known = self._hints[scheduler, event] = {
                plugin: item.hint
                for plugin, items in sorted(self._profiles.get(scheduler, {}).items())
                for item in items
                if item.event.covers(event)
            }
        return known


def listeners_of(profiles: Mapping[str, Profile], registered: Registered) -> Listeners:
    """Return who listens in these profiles, given by scheduler name."""
    return Listeners({name: _interests(profile, registered) for name, profile in profiles.items()})


def _interests(profile: Profile, registered: Registered) -> Interests:
    extenders: Interests = {EXTENDER: _ANYTHING} if profile.extenders else {}
    return extenders | {
        plugin.name: registered(plugin.name, plugin.listens_to())
        for plugin in profile.in_use
        if isinstance(plugin, Listener)
    }


def with_taints(interests: Sequence[Interest]) -> list[Interest]:
    """Add every change of taints for who hears of new nodes and not of taints, without a hint.

    A new node often comes tainted, and the taint goes later.
    """
    heard = Action(0)
    for item in interests:
        if item.event.resource == NODE:
            heard |= item.event.action
    if Action.ADD in heard and Action.UPDATE_NODE_TAINT not in heard:
        return [*interests, Interest(ClusterEvent(NODE, Action.UPDATE_NODE_TAINT))]
    return list(interests)


def _all(interests: Interests) -> Iterator[Interest]:
    for items in interests.values():
        yield from items
