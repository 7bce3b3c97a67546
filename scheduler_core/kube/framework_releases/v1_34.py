"""kube-scheduler 1.34, by what it does otherwise than 1.35.

Source: kubernetes v1.34 apis/config/v1 default_plugins.go applyDynamicResources.
"""

from scheduler_core.kube.framework_releases.v1_35 import V1_35
from scheduler_core.kube.plugins.dynamic_resources import DynamicResources
from scheduler_core.kube.release import Difference

V1_34 = V1_35.but(
    "1.34",
    registry=V1_35.registry.implementing(
        DynamicResources.name, "preFilter", "filter", "postFilter", "reserve"
    ),
    differences=(
        Difference(
            "scores",
            DynamicResources.name,
            "Devices are not scored.",
            "Nodes are scored by their devices, with a weight of 2.",
        ),
    ),
)
