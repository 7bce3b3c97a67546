"""kube-scheduler 1.37, by what it does otherwise than 1.36.

Source: kubernetes v1.37 plugins/volumebinding volume_binding.go, scorer.go; plugins/nodename;
plugins/imagelocality; plugins/nodevolumelimits csi.go checkCSIDriverOnNode; plugins/dynamicresources
PostFilter; framework/preemption Preempt; apis/config/v1 default_plugins.go, defaults.go
SetDefaults_VolumeBindingArgs.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from scheduler_core.events.decisions import Status
from scheduler_core.kube import wording
from scheduler_core.kube.framework import (
    UNSCHEDULABLE,
    Cycle,
    NodeNames,
    PreFilterAnswer,
    View,
)
from scheduler_core.kube.framework_releases.v1_36 import V1_36
from scheduler_core.kube.gates import Gates
from scheduler_core.kube.plugins.default_preemption import DefaultPreemption
from scheduler_core.kube.plugins.dynamic_resources import DynamicResources
from scheduler_core.kube.plugins.image_locality import ImageLocality, images_of_containers, images_of_volumes
from scheduler_core.kube.plugins.node_name import NodeName
from scheduler_core.kube.plugins.node_unschedulable import NodeUnschedulable
from scheduler_core.kube.plugins.node_volume_limits import NodeVolumeLimits
from scheduler_core.kube.plugins.volume_binding import VolumeBinding
from scheduler_core.kube.post_filter import Failure, PostFilterAnswer
from scheduler_core.objects.types import Pod
from scheduler_core.predicates.filter_state import FilterState
from scheduler_core.predicates.ratio_shape import ratio_of
from scheduler_core.state.nodes import IntArray

_SHAPE: list[dict[str, Any]] = [{"utilization": 0, "score": 10}, {"utilization": 100, "score": 0}]


class VolumeBindingByRoom(VolumeBinding):
    """Scores nodes by the storage that is left where volumes would be bound or made; `args` has the shape."""

    def pre_score(self, cycle: Cycle, nodes: IntArray) -> Any:
        return None

    def score(self, cycle: Cycle, prepared: Any, nodes: IntArray) -> IntArray:
        score_of = ratio_of(self.args.get("shape") or _SHAPE)
        return np.array(
            [
                _mean([_one(score_of, *pair) for pair in self.storage_on(cycle, node)])
                for node in nodes.tolist()
            ],
            dtype=np.int64,
        )


class NodeNameBeforeFilters(NodeName):
    """PreFilter leaves only the node that the pod names."""

    def pre_filter(self, cycle: Cycle) -> PreFilterAnswer:
        wanted = cycle.pod.pod.spec.node_name
        return NodeNames(FilterState(), frozenset((wanted,))) if wanted else FilterState()


class ImageLocalityOfAllImages(ImageLocality):
    """Image volumes count towards the highest score."""

    def image_count(self, pod: Pod) -> int:
        return len(images_of_containers(pod)) + len(images_of_volumes(pod))


class NodeVolumeLimitsOfInstalledDrivers(NodeVolumeLimits):
    """Rejects nodes without a driver that must be there. A code below 0 is the driver's place, from -1 on."""

    def filter(self, view: View, nodes: IntArray) -> IntArray:
        codes = super().filter(view, nodes)
        if self.has_fault(view):
            return codes
        for place, driver in reversed(list(enumerate(self.wanted_drivers(view.states[self.name])))):
            codes[~_installed(view, driver, nodes)] = -1 - place
        return codes

    def status(self, state: FilterState | None, code: int) -> Status:
        if code >= 0:
            return super().status(state, code)
        driver = self.wanted_drivers(state)[-1 - code]
        return wording.rejection(
            self.name, UNSCHEDULABLE, f"{driver} CSI driver is not installed on the node"
        )


class DynamicResourcesInSilence(DynamicResources):
    """Says nothing of pods without claims."""

    def post_filter(self, failure: Failure) -> PostFilterAnswer:
        answer = super().post_filter(failure)
        return replace(answer, reason="") if answer.code == UNSCHEDULABLE else answer


class DefaultPreemptionInWords(DefaultPreemption):
    """Says in the message which node was found."""

    def success(self, node: str, victims: int) -> str:
        return f"found a potential placement for pod on node {node}, preempting {victims} victims"


def _installed(view: View, driver: str, nodes: IntArray) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Return on which nodes a driver is installed, or need not be."""
    volumes, names = view.cluster.volumes, view.cluster.nodes.names
    wanted = volumes.csi_drivers.get(driver)
    if wanted is None or not wanted.spec.prevent_pod_scheduling_if_missing:
        return np.ones(len(nodes), dtype=np.bool_)
    csi_nodes = (volumes.csi_nodes.get(names[node]) for node in nodes.tolist())
    return np.array(
        [
            any(one.name == driver for one in (found.spec.drivers if found else None) or ())
            for found in csi_nodes
        ],
        dtype=np.bool_,
    )


def _one(score_of: Any, requested: int, capacity: int) -> int:
    """Return the score of one class of storage: bytes requested of bytes that there are."""
    if capacity == 0:
        requested, capacity = 1, 1
    return int(score_of(np.array([requested]), np.array([capacity]))[0])


def _mean(scores: list[int]) -> int:
    """Return the mean, rounded half away from zero; 0 of none."""
    return int(np.floor(sum(scores) / len(scores) + 0.5)) if scores else 0


V1_37 = V1_36.but(
    "1.37",
    registry=V1_36.registry.changed(
        VolumeBindingByRoom,
        NodeNameBeforeFilters,
        ImageLocalityOfAllImages,
        NodeVolumeLimitsOfInstalledDrivers,
        DynamicResourcesInSilence,
        DefaultPreemptionInWords,
    )
    .implementing(NodeName.name, "preFilter", "filter")
    .moved(NodeName.name, before=NodeUnschedulable.name),
    gates=Gates(scores_storage_capacity=True),
)
