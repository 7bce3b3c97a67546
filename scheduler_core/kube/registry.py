"""The in-tree plugins of the default scheduler, in the order in which MultiPoint enables them.

Source: kubernetes v1.36 pkg/scheduler/apis/config/v1/default_plugins.go, plugins/registry.go.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from scheduler_core.kube.framework import Plugin
from scheduler_core.kube.plugins.default_preemption import DefaultPreemption
from scheduler_core.kube.plugins.dynamic_resources import DynamicResources
from scheduler_core.kube.plugins.image_locality import ImageLocality
from scheduler_core.kube.plugins.inter_pod_affinity import InterPodAffinity
from scheduler_core.kube.plugins.node_affinity import NodeAffinity
from scheduler_core.kube.plugins.node_declared_features import NodeDeclaredFeatures
from scheduler_core.kube.plugins.node_name import NodeName
from scheduler_core.kube.plugins.node_ports import NodePorts
from scheduler_core.kube.plugins.node_resources_balanced_allocation import NodeResourcesBalancedAllocation
from scheduler_core.kube.plugins.node_resources_fit import NodeResourcesFit
from scheduler_core.kube.plugins.node_unschedulable import NodeUnschedulable
from scheduler_core.kube.plugins.node_volume_limits import NodeVolumeLimits
from scheduler_core.kube.plugins.pod_topology_spread import PodTopologySpread
from scheduler_core.kube.plugins.scheduling_gates import SchedulingGates
from scheduler_core.kube.plugins.taint_toleration import TaintToleration
from scheduler_core.kube.plugins.volume_binding import VolumeBinding
from scheduler_core.kube.plugins.volume_restrictions import VolumeRestrictions
from scheduler_core.kube.plugins.volume_zone import VolumeZone

Point = Literal[
    "preEnqueue",
    "preFilter",
    "filter",
    "postFilter",
    "preScore",
    "score",
    "reserve",
    "preBind",
    "placementGenerate",
    "placementScore",
]
"""The extension points at which plugins decide something here (`configuration/points.py` has a profile's)."""


@dataclass(frozen=True)
class Registered:
    """A plugin's name, the extension points that it implements, its default weight and its code.

    `plugin` is null where the points it implements decide nothing here (queue sort, bind).
    """

    name: str
    points: frozenset[Point]
    weight: int = 0
    plugin: type[Plugin] | None = None

    def extends(self, point: str) -> bool:
        """Return whether the real plugin implements a point, also one that decides nothing here."""
        return point in self.points or self.name in _UNDECIDING.get(point, ())


_UNDECIDING: dict[str, tuple[str, ...]] = {
    "queueSort": ("PrioritySort",),
    "preEnqueue": ("DynamicResources", "DefaultPreemption"),
    "preBind": ("VolumeBinding", "DynamicResources"),
    "bind": ("DefaultBinder",),
    "permit": ("GangScheduling",),
    "placementScore": ("NodeResourcesFit",),
}
"""Who implements the points, and parts of points, that decide nothing here."""


def entry_of(plugin: type[Plugin], *points: Point, weight: int = 0) -> Registered:
    """Return the entry of a plugin that is at these points."""
    return Registered(plugin.name, frozenset(points), weight, plugin)


class Registry:
    """The in-tree plugins of a release, in the order in which MultiPoint enables them."""

    def __init__(self, *entries: Registered) -> None:
        self.entries = entries
        self.by_name: Mapping[str, Registered] = {entry.name: entry for entry in entries}

    def changed(self, *plugins: type[Plugin]) -> Registry:
        """Return these plugins with other code for those of the same names."""
        other = {plugin.name: plugin for plugin in plugins}
        assert other.keys() <= self.by_name.keys()
        return Registry(*(replace(each, plugin=other.get(each.name, each.plugin)) for each in self.entries))

    def implementing(self, name: str, *points: Point, weight: int = 0) -> Registry:
        """Return these plugins with other extension points, and another weight, for one of them."""
        at = frozenset(points)
        return Registry(
            *(replace(each, points=at, weight=weight) if each.name == name else each for each in self.entries)
        )

    def without(self, *names: str) -> Registry:
        """Return these plugins without some."""
        assert all(name in self.by_name for name in names)
        return Registry(*(each for each in self.entries if each.name not in names))

    def inserted(self, entry: Registered, *, before: str = "") -> Registry:
        """Return these plugins and one more, before another one or at the end."""
        at = [each.name for each in self.entries].index(before) if before else len(self.entries)
        return Registry(*self.entries[:at], entry, *self.entries[at:])

    def moved(self, name: str, *, before: str = "") -> Registry:
        """Return these plugins with one of them at another place."""
        return self.without(name).inserted(self.by_name[name], before=before)


DEFAULT_PLUGINS = Registry(
    entry_of(SchedulingGates, "preEnqueue"),
    Registered("PrioritySort", frozenset()),
    entry_of(NodeUnschedulable, "filter"),
    entry_of(NodeName, "filter"),
    entry_of(TaintToleration, "filter", "preScore", "score", weight=3),
    entry_of(NodeAffinity, "preFilter", "filter", "preScore", "score", weight=2),
    entry_of(NodePorts, "preFilter", "filter"),
    entry_of(NodeResourcesFit, "preFilter", "filter", "preScore", "score", weight=1),
    entry_of(VolumeRestrictions, "preFilter", "filter"),
    entry_of(NodeVolumeLimits, "preFilter", "filter"),
    entry_of(VolumeBinding, "preFilter", "filter", "preScore", "score", "reserve", weight=1),
    entry_of(VolumeZone, "preFilter", "filter"),
    entry_of(PodTopologySpread, "preFilter", "filter", "preScore", "score", weight=2),
    entry_of(InterPodAffinity, "preFilter", "filter", "preScore", "score", weight=2),
    entry_of(
        DynamicResources,
        *("preEnqueue", "preFilter", "filter", "postFilter", "score", "reserve", "preBind"),
        weight=2,
    ),
    entry_of(NodeDeclaredFeatures, "preFilter", "filter"),
    entry_of(DefaultPreemption, "postFilter"),
    entry_of(NodeResourcesBalancedAllocation, "preScore", "score", weight=1),
    entry_of(ImageLocality, "score", weight=1),
    Registered("DefaultBinder", frozenset()),
)
"""Those of 1.36, as the plugins are written; `kube/framework_releases/` has what others do otherwise."""
