"""kube-scheduler 1.30, by what it does otherwise than 1.31.

Source: kubernetes v1.30 framework/runtime RunPreFilterPlugins; pkg/features MatchLabelKeysInPodAffinity.
"""

from scheduler_core.events.decisions import Status
from scheduler_core.kube.dropped_fields import AFFINITY_LABEL_KEYS, dropped
from scheduler_core.kube.framework import UNRESOLVABLE
from scheduler_core.kube.framework_releases.v1_31 import V1_31, ProfileOfVisitedNodes
from scheduler_core.kube.profile import unsatisfied_together
from scheduler_core.kube.release import Difference


class ProfileInPluginOrder(ProfileOfVisitedNodes):
    """Names plugins whose PreFilters leave no node together in their own order."""

    def nodes_exclude_each_other(self, plugins: list[str]) -> Status:
        return Status("", UNRESOLVABLE, [unsatisfied_together(plugins)])


V1_30 = V1_31.but(
    "1.30",
    profile=ProfileInPluginOrder,
    drops=(*V1_31.drops, dropped("matchLabelKeys of pod affinity", *AFFINITY_LABEL_KEYS)),
    differences=(
        Difference(
            "pods",
            "",
            "matchLabelKeys of pod affinity are dropped.",
            "matchLabelKeys of pod affinity count.",
        ),
    ),
)
