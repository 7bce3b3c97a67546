"""The plugins that feature gates add behind all others: for gangs, and for the placements of pod groups.

Source: kubernetes v1.36 pkg/scheduler/apis/config/v1/default_plugins.go applyGangScheduling,
applyTopologyAwareWorkloadScheduling; pkg/scheduler/framework/plugins/noderesources/fit.go New.
"""

from collections.abc import Mapping
from typing import Any

from scheduler_core.kube.configuration.points import enabled_at, merge_multi_point, weights_at
from scheduler_core.kube.gates import GroupGates
from scheduler_core.kube.placement_plugins import COUNT, FIT, GENERATOR, PlacementPlugins
from scheduler_core.kube.registry import Registered, Registry
from scheduler_core.predicates.resources import weighted_resources

GANGS = "GangScheduling"
_GANGS = (Registered(GANGS, frozenset(("preEnqueue",))),)
_PLACEMENTS = (
    Registered(GENERATOR, frozenset(("placementGenerate",))),
    Registered(COUNT, frozenset(("placementScore",)), 1),
)


def with_gated(registry: Registry, gates: GroupGates) -> Registry:
    """Return the plugins of a release with those that gates add."""
    gangs = _GANGS if gates.gangs else ()
    return Registry(*registry.entries, *gangs, *(_PLACEMENTS if gates.placements else ()))


def placement_plugins(
    registry: Registry, plugins: Mapping[str, Any], arguments: Mapping[str, dict[str, Any]]
) -> PlacementPlugins:
    """Return what a profile has for placements, if the gate is on."""
    registry = with_gated(registry, GroupGates(placements=True))
    multi_point = merge_multi_point(registry, plugins.get("multiPoint") or {})
    names = enabled_at(registry, "placementScore", plugins, multi_point)
    strategy = arguments.get(FIT, {}).get("scoringStrategy") or {}
    return PlacementPlugins(
        generates=GENERATOR in enabled_at(registry, "placementGenerate", plugins, multi_point),
        weights=weights_at(names, plugins.get("placementScore") or {}, multi_point),
        resources=weighted_resources(strategy.get("resources")),
    )
