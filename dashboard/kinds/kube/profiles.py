"""A kube-scheduler's profiles in words: its filters and scores in their order."""

from collections.abc import Mapping
from typing import Any

from dashboard.kinds.kube.plugin_words import SUCCESSORS, preferred
from dashboard.kinds.kube.waiting_words import listeners_in_words
from dashboard.kinds.words import FilterWords, ProfileWords, ScoreWords
from scheduler_core.kube.framework import MAX_NODE_SCORE, FilterPlugin
from scheduler_core.kube.profile import Profile
from scheduler_core.kube.release import Release
from scheduler_core.kube.releases.predicates.predicate import Conjunction
from scheduler_core.kube.releases.priorities.resource_priorities import MAX_PRIORITY
from scheduler_core.kube.releases.profile import ReleaseProfile


def kube_profiles(built: Any) -> list[Profile]:
    """Return the profiles of a kube-scheduler; none of what another scheduler is built as."""
    return list(built.values()) if isinstance(built, Mapping) else []


def profile_in_words(profile: Profile, release: Release) -> ProfileWords:
    most = MAX_PRIORITY if isinstance(profile, ReleaseProfile) else MAX_NODE_SCORE
    return ProfileWords(
        name=profile.scheduler_name,
        filters=[
            FilterWords(name, [leaf.name for leaf in leaves] if len(leaves) > 1 else [])
            for name, leaves in asked(profile)
        ],
        scores=[
            ScoreWords(plugin.name, weight, most, preferred(plugin), SUCCESSORS.get(plugin.name, ""))
            for plugin, weight in profile.scores
        ],
        listeners=listeners_in_words(profile, release),
    )


def asked(profile: Profile) -> list[tuple[str, list[FilterPlugin]]]:
    """Return a profile's filters in order: how a rejection names each, and those that answer one by one."""
    found: dict[str, list[FilterPlugin]] = {}
    for plugin in profile.filters:
        for name, leaf in _named(plugin):
            found.setdefault(name, []).append(leaf)
    return list(found.items())


def _named(plugin: FilterPlugin) -> list[tuple[str, FilterPlugin]]:
    if isinstance(plugin, Conjunction):
        return list(zip(plugin.names, plugin.parts, strict=True))
    return [(plugin.name, plugin)]
