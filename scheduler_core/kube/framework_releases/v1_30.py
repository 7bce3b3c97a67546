"""kube-scheduler 1.30, by what it does otherwise than 1.31.

Source: kubernetes v1.30 framework/runtime RunPreFilterPlugins; apis/config/v1 default_plugins.go;
pkg/features MatchLabelKeysInPodAffinity.
"""

from scheduler_core.events.decisions import Status
from scheduler_core.kube.dropped_fields import AFFINITY_LABEL_KEYS
from scheduler_core.kube.framework import UNRESOLVABLE
from scheduler_core.kube.framework_releases.v1_31 import V1_31, ProfileOfVisitedNodes
from scheduler_core.kube.plugins.node_volume_limits import NodeVolumeLimits
from scheduler_core.kube.plugins.non_csi_limits import AzureDiskLimits, EBSLimits, GCEPDLimits
from scheduler_core.kube.plugins.volume_binding import VolumeBinding
from scheduler_core.kube.profile import unsatisfied_together
from scheduler_core.kube.registry import Registry, entry_of
from scheduler_core.kube.release import Difference


class ProfileInPluginOrder(ProfileOfVisitedNodes):
    """Names plugins whose PreFilters leave no node together in their own order."""

    def nodes_exclude_each_other(self, plugins: list[str]) -> Status:
        return Status("", UNRESOLVABLE, [unsatisfied_together(plugins)])


def _with_in_tree_limits(registry: Registry) -> Registry:
    """Return the plugins with those that count in-tree disks, around NodeVolumeLimits."""
    for plugin in (EBSLimits, GCEPDLimits):
        registry = registry.inserted(entry_of(plugin, "preFilter", "filter"), before=NodeVolumeLimits.name)
    return registry.inserted(entry_of(AzureDiskLimits, "preFilter", "filter"), before=VolumeBinding.name)


V1_30 = V1_31.but(
    "1.30",
    registry=_with_in_tree_limits(V1_31.registry),
    profile=ProfileInPluginOrder,
    drops=(*V1_31.drops, AFFINITY_LABEL_KEYS),
    differences=(
        Difference(
            "filters",
            "EBSLimits, GCEPDLimits, AzureDiskLimits",
            "In-tree disks count where the node's CSINode does not announce them as migrated.",
            "In-tree disks count as volumes of their CSI driver only.",
        ),
        Difference(
            "pods",
            "",
            "matchLabelKeys of pod affinity are dropped.",
            "matchLabelKeys of pod affinity count.",
        ),
    ),
)
