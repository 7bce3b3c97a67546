"""Which plugins of which profile listen to which cluster events.

Source: kubernetes v1.36 pkg/scheduler/scheduler.go buildQueueingHintMap, unionedGVKs;
framework/runtime fillEnqueueExtensions.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from scheduler_core.kube.hints.hint import Hint, Interest, Listener
from scheduler_core.kube.profile import Profile
from scheduler_core.kube.queueing.cluster_event import NODE, Action, ClusterEvent

Interests = dict[str, list[Interest]]
"""By the plugin's name."""


class Listeners:
    """Made from the profiles alone. A plugin that a profile has at no extension point listens to nothing."""

    def __init__(self, profiles: Mapping[str, Interests]) -> None:
        self._profiles = profiles
        self._hints: dict[tuple[str, ClusterEvent], dict[str, Hint | None]] = {}

    def __contains__(self, scheduler: str) -> bool:
        return scheduler in self._profiles

    def hear(self, event: ClusterEvent) -> bool:
        """Return whether the event exists for the queue: somebody listens, or it is for all pods."""
        return event.is_for_all or any(self.hints(scheduler, event) for scheduler in self._profiles)

    def watch(self, resource: str, action: Action) -> bool:
        """Return whether the scheduler hears of this kind's changes at all."""
        return any(
            item.event.resource == resource and bool(item.event.action & action)
            for interests in self._profiles.values()
            for item in _all(interests)
        )

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

    def hears(self, plugin: str, event: ClusterEvent) -> bool:
        """Return whether a plugin listens to an event, in whatever profile."""
        return any(plugin in self.hints(scheduler, event) for scheduler in self._profiles)


def listeners_of(profiles: Mapping[str, Profile]) -> Listeners:
    """Return who listens in these profiles, given by scheduler name."""
    return Listeners({name: _interests(profile) for name, profile in profiles.items()})


def _interests(profile: Profile) -> Interests:
    points: list[Iterable[object]] = [
        profile.pre_enqueue,
        profile.pre_filters,
        profile.filters,
        (plugin for plugin, _ in profile.scores),
        profile.post_filters,
    ]
    plugins = [plugin for point in points for plugin in point if isinstance(plugin, Listener)]
    return {plugin.name: _with_taints(plugin.listens_to()) for plugin in plugins}


def _with_taints(interests: Sequence[Interest]) -> list[Interest]:
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
