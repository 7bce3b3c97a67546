"""The in-tree plugins of the default scheduler, in the order in which MultiPoint enables them.

Source: kubernetes v1.36 pkg/scheduler/apis/config/v1/default_plugins.go, plugins/registry.go.
"""

from dataclasses import dataclass
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

Point = Literal["preEnqueue", "preFilter", "filter", "postFilter", "preScore", "score", "reserve"]


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
    "placementScore": ("NodeResourcesFit",),
}
"""Who implements the points, and parts of points, that decide nothing here."""


def _entry(plugin: type[Plugin], *points: Point, weight: int = 0) -> Registered:
    return Registered(plugin.name, frozenset(points), weight, plugin)


DEFAULT_PLUGINS: list[Registered] = [
    _entry(SchedulingGates, "preEnqueue"),
    Registered("PrioritySort", frozenset()),
    _entry(NodeUnschedulable, "filter"),
    _entry(NodeName, "filter"),
    _entry(TaintToleration, "filter", "preScore", "score", weight=3),
    _entry(NodeAffinity, "preFilter", "filter", "preScore", "score", weight=2),
    _entry(NodePorts, "preFilter", "filter"),
    _entry(NodeResourcesFit, "preFilter", "filter", "preScore", "score", weight=1),
    _entry(VolumeRestrictions, "preFilter", "filter"),
    _entry(NodeVolumeLimits, "preFilter", "filter"),
    _entry(VolumeBinding, "preFilter", "filter", "preScore", "score", "reserve", weight=1),
    _entry(VolumeZone, "preFilter", "filter"),
    _entry(PodTopologySpread, "preFilter", "filter", "preScore", "score", weight=2),
    _entry(InterPodAffinity, "preFilter", "filter", "preScore", "score", weight=2),
    _entry(DynamicResources, "preFilter", "filter", "postFilter", "score", "reserve", weight=2),
    _entry(NodeDeclaredFeatures, "preFilter", "filter"),
    _entry(DefaultPreemption, "postFilter"),
    _entry(NodeResourcesBalancedAllocation, "preScore", "score", weight=1),
    _entry(ImageLocality, "score", weight=1),
    Registered("DefaultBinder", frozenset()),
]
BY_NAME = {entry.name: entry for entry in DEFAULT_PLUGINS}
