"""kube-scheduler 1.33, by what it does otherwise than 1.34.

Source: kubernetes v1.33 plugins/noderesources fit.go fitsRequest; plugins/tainttoleration Filter;
plugins/volumerestrictions; apis/config/v1 default_plugins.go; pkg/features PodLevelResources,
DynamicResourceAllocation; backend/queue backoff_queue.go calculateBackoffDuration; framework/events.go
PodSchedulingPropertiesChange; eventhandlers.go addAllEventHandlers.
"""

from dataclasses import replace
from hashlib import blake2b
from typing import Any

import numpy as np

from scheduler_core.events.decisions import Status
from scheduler_core.kube.dropped_fields import POD_RESOURCES
from scheduler_core.kube.framework import UNRESOLVABLE, UNSCHEDULABLE, View
from scheduler_core.kube.framework_releases.v1_34 import V1_34, HandlersOfTwoQueues
from scheduler_core.kube.framework_releases.v1_35 import FitWithoutDevices
from scheduler_core.kube.gates import DEFAULT_GATES, Gates
from scheduler_core.kube.plugins.dynamic_resources import DynamicResources
from scheduler_core.kube.plugins.node_resources_fit import NodeResourcesFit
from scheduler_core.kube.plugins.taint_toleration import TaintToleration
from scheduler_core.kube.plugins.volume_restrictions import CLAIM_IN_USE, VolumeRestrictions
from scheduler_core.kube.queueing.cluster_event import Action
from scheduler_core.kube.queueing.watched import RESOURCES
from scheduler_core.kube.release import Difference
from scheduler_core.predicates.filter_state import FilterState
from scheduler_core.predicates.tolerations import first_untolerated
from scheduler_core.state.nodes import IntArray, TaintKey

_CODE_BYTES = 7
_DEVICES = "resource.k8s.io/"


class FitCuredByPreemption(FitWithoutDevices):
    """Thinks that evictions may help on any node, also on one that is smaller than the request."""

    def status(self, state: FilterState | None, code: int) -> Status:
        return Status(self.name, UNSCHEDULABLE, super().status(state, code).reasons)


class TaintTolerationByTaint(TaintToleration):
    """Names the first taint of a node that the pod doesn't tolerate. A code is a digest of its words."""

    def __init__(self, args: dict[str, Any] | None = None, gates: Gates = DEFAULT_GATES) -> None:
        super().__init__(args, gates)
        self._words: dict[int, str] = {}

    def filter(self, view: View, nodes: IntArray) -> IntArray:
        tolerations, table = view.cycle.pod.pod.spec.tolerations or (), view.cluster.nodes
        codes = [self._code_of(first_untolerated(tolerations, taints)) for taints in table.taint_sets]
        return np.array(codes, dtype=np.int64)[table.taint_set[nodes]]

    def _code_of(self, taint: TaintKey | None) -> int:
        if taint is None:
            return 0
        words = f"{{{taint[0]}: {taint[1]}}}"
        code = 1 + int.from_bytes(blake2b(words.encode(), digest_size=_CODE_BYTES).digest())
        self._words[code] = words
        return code

    def status(self, state: FilterState | None, code: int) -> Status:
        return Status(self.name, UNRESOLVABLE, [f"node(s) had untolerated taint {self._words[code]}"])


class VolumeRestrictionsBySameName(VolumeRestrictions):
    """Words a claim in use as a claim of the same name."""

    reasons = dict(VolumeRestrictions.reasons) | {
        CLAIM_IN_USE: "node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod "
        "access mode"
    }


class HandlersWithoutDevices(HandlersOfTwoQueues):
    """Hears of no claims, slices and classes of devices, whoever would listen."""

    resources = {view: name for view, name in RESOURCES.items() if not name.startswith(_DEVICES)}


V1_33 = V1_34.but(
    "1.33",
    registry=V1_34.registry.changed(
        FitCuredByPreemption, TaintTolerationByTaint, VolumeRestrictionsBySameName
    ).without(DynamicResources.name),
    handlers=HandlersWithoutDevices,
    queueing=replace(
        V1_34.queueing,
        counts_attempts=True,
        unheard=V1_34.queueing.unheard | Action.UPDATE_POD_GENERATED_RESOURCE_CLAIM,
    ),
    drops=(*V1_34.drops, POD_RESOURCES),
    differences=(
        Difference(
            "queue",
            "",
            "The back-off grows with every attempt.",
            "The back-off grows with rejections, or else with the errors in a row.",
        ),
        Difference(
            "preemption",
            NodeResourcesFit.name,
            "A preemption also tries nodes that are smaller than the request.",
            "A node that is smaller than the request is not tried by a preemption.",
        ),
        Difference(
            "messages",
            TaintToleration.name,
            "The reason names the first taint that is not tolerated.",
            "The reason names no taint.",
        ),
        Difference(
            "messages",
            VolumeRestrictions.name,
            "A ReadWriteOncePod claim in use is worded as one with the same name.",
            "A ReadWriteOncePod claim in use is worded as one that another pod uses.",
        ),
        Difference(
            "filters",
            DynamicResources.name,
            "Pods' ResourceClaims are not looked at.",
            "Devices are allocated for pods' ResourceClaims.",
        ),
        Difference(
            "pods",
            "",
            "Resources of a pod as a whole are dropped.",
            "Resources of a pod as a whole count.",
        ),
    ),
)
