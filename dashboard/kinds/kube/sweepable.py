"""What of a KubeSchedulerConfiguration a sweep may vary: of its default profile, or its first one."""

from collections.abc import Sequence
from typing import Any

from dashboard.kinds.kube.profiles import kube_profiles, profile_in_words
from dashboard.kinds.sweepable import Setting
from dashboard.kinds.words import ScoreWords
from scheduler_core.kube.configuration.shape import API_VERSION
from scheduler_core.kube.kind import release_of
from scheduler_core.schedulers.kind import Version

FIRST = {"apiVersion": API_VERSION, "kind": "KubeSchedulerConfiguration"}
FIT = "NodeResourcesFit"
BEGUN: dict[str, list[Any]] = {
    "profiles": [],
    "pluginConfig": [],
    "enabled": [],
    "disabled": [],
    "resources": [{"name": "cpu", "weight": 1}, {"name": "memory", "weight": 1}],
}
"""Lists of named items, with the default of the resources that NodeResourcesFit weighs.

Source: kubernetes v1.37 pkg/scheduler/apis/config/v1/defaults.go defaultResourceSpec.
"""
LEAST_ALLOCATED = {"type": "LeastAllocated"}
_RATIO = [{"utilization": 0, "score": 0}, {"utilization": 100, "score": 10}]
STRATEGIES: tuple[tuple[str, Any], ...] = (
    ("LeastAllocated", LEAST_ALLOCATED),
    ("MostAllocated", {"type": "MostAllocated"}),
    (
        "RequestedToCapacityRatio 0 → 0, 100 → 10",
        {"type": "RequestedToCapacityRatio", "requestedToCapacityRatio": {"shape": _RATIO}},
    ),
)


def sweepable(built: Any, version: Version, within: Sequence[str] = ()) -> list[Setting]:
    """Return the settings of what a configuration is built as; it stands `within` another one, by key."""
    profiles = kube_profiles(built)
    if version.release or not profiles:
        return []
    words = profile_in_words(profiles[0], release_of(version))
    profile = (*within, "profiles", words.name)
    strategy = (*profile, "pluginConfig", FIT, "args", "scoringStrategy")
    weighs = ((*strategy, "resources", name, "weight") for name in ("cpu", "memory"))
    return [
        Setting(f"{FIT} scoring", strategy, STRATEGIES, LEAST_ALLOCATED),
        *(Setting(f"{FIT} weight of {path[-2]}", path, default=1, least=1) for path in weighs),
        *(_weight(profile, score) for score in words.scores),
        Setting("percentageOfNodesToScore", (*within, "percentageOfNodesToScore")),
    ]


def _weight(profile: tuple[str, ...], score: ScoreWords) -> Setting:
    path = (*profile, "plugins", "score", "enabled", score.name, "weight")
    return Setting(f"{score.name} weight", path, default=score.weight, least=1)
