"""kube-scheduler 1.37, by what it does otherwise than 1.36.

Source: kubernetes v1.37 plugins/volumebinding volume_binding.go, scorer.go; plugins/nodename;
plugins/imagelocality; plugins/nodevolumelimits csi.go checkCSIDriverOnNode; plugins/dynamicresources
PostFilter; framework/preemption Preempt; apis/config/v1 default_plugins.go, defaults.go
SetDefaults_VolumeBindingArgs; backend/queue scheduling_queue.go addPod,
moveEntitiesToActiveOrBackoffQueue, flushUnschedulableEntitiesLeftover; framework/events.go
PodSchedulingPropertiesChange; plugins' EventsToRegister.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from msgspec.structs import replace as replaced

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
from scheduler_core.kube.plugins import inter_pod_affinity
from scheduler_core.kube.plugins.default_preemption import DefaultPreemption
from scheduler_core.kube.plugins.dynamic_resources import DynamicResources
from scheduler_core.kube.plugins.image_locality import ImageLocality, images_of_containers, images_of_volumes
from scheduler_core.kube.plugins.inter_pod_affinity import InterPodAffinity
from scheduler_core.kube.plugins.node_name import NodeName
from scheduler_core.kube.plugins.node_unschedulable import NodeUnschedulable
from scheduler_core.kube.plugins.node_volume_limits import NodeVolumeLimits
from scheduler_core.kube.plugins.volume_binding import VolumeBinding
from scheduler_core.kube.post_filter import Failure, PostFilterAnswer
from scheduler_core.kube.preemption.dry_run import DryRuns
from scheduler_core.kube.profile import Profile
from scheduler_core.kube.queueing import cluster_event
from scheduler_core.kube.queueing.behaviour import Queueing
from scheduler_core.kube.queueing.cluster_event import (
    ASSIGNED_POD,
    POD,
    RESOURCE_CLAIM,
    TARGET_POD,
    Action,
    ClusterEvent,
)
from scheduler_core.kube.queueing.hint import ClusterView, Hint, Interest
from scheduler_core.kube.queueing.pod_facts import uid_of
from scheduler_core.kube.queueing.queued_pod import QueuedPod
from scheduler_core.kube.queueing.report import Report
from scheduler_core.kube.queueing.scheduling_queue import SchedulingQueue
from scheduler_core.objects.dynamic_resources import ResourceClaim
from scheduler_core.objects.types import Pod
from scheduler_core.predicates.filter_state import FilterState
from scheduler_core.predicates.ratio_shape import ratio_of
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.nodes import IntArray
from scheduler_core.state.pods import NO_START_TIME

_SHAPE: list[dict[str, Any]] = [{"utilization": 0, "score": 10}, {"utilization": 100, "score": 0}]


class VolumeBindingByRoom(VolumeBinding):
    """Scores nodes by the storage that is left where volumes would be bound or made; `args` has the shape."""

    def pre_score(self, cycle: Cycle, nodes: IntArray) -> Any:
        return None

    def scores_alike(self, cycle: Cycle) -> bool:
        return not self.has_volumes(cycle)

    def score(self, cycle: Cycle, prepared: Any, nodes: IntArray) -> IntArray:
        if self.scores_alike(cycle):
            return np.zeros(len(nodes), dtype=np.int64)
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
    """Says nothing of pods without claims, and hears of claims that go."""

    def listens_to(self) -> list[Interest]:
        gone = Interest(
            ClusterEvent(RESOURCE_CLAIM, Action.DELETE),
            _after_claim_went,
            yes="its devices are free",
            no="it had no devices",
        )
        return [*super().listens_to(), gone]

    def post_filter(self, failure: Failure) -> PostFilterAnswer:
        answer = super().post_filter(failure)
        return replace(answer, reason="") if answer.code == UNSCHEDULABLE else answer


def _after_claim_went(pod: Pod, old: ResourceClaim, new: None, view: ClusterView) -> bool:
    return old.status.allocation is not None


def by_arrival(state: ClusterState) -> Callable[[int, int], bool]:
    """Return the order of pods: higher priority, earlier start, place on the node where none has started.

    A pod without a start time counts as started when it is looked at, and here each is looked at once.
    """
    priority, start = state.pods.priority, state.pods.start_time

    def place(pod: int) -> int:
        return state.node_pods[int(state.pod_node[pod])].index(pod)

    def less(left: int, right: int) -> bool:
        if priority[left] != priority[right]:
            return bool(priority[left] > priority[right])
        if start[left] == NO_START_TIME and start[right] == NO_START_TIME:
            return place(left) < place(right)
        return bool(start[left] < start[right])

    return less


class VictimsByArrival(DryRuns):
    """Pods that have not started keep their order on the node."""

    @staticmethod
    def importance(state: ClusterState) -> Callable[[int, int], bool]:
        return by_arrival(state)


class ProfileOfArrivals(Profile):
    """Looks at the start of each pod once when it looks for victims."""

    dry_runs = VictimsByArrival


class DefaultPreemptionInWords(DefaultPreemption):
    """Says in the message which node was found."""

    def success(self, node: str, victims: int) -> str:
        return f"found a potential placement for pod on node {node}, preempting {victims} victims"


class InterPodAffinityByAnyTerm(InterPodAffinity):
    """One term of anti-affinity is enough to have kept a pod away."""

    def listens_to(self) -> list[Interest]:
        hint = partial(inter_pod_affinity.after_pod_change, forbids=inter_pod_affinity.any_matches)
        return inter_pod_affinity.interests_of(hint)


_OF_ASSIGNED_PODS = Action.ADD | Action.DELETE | Action.UPDATE_POD_LABEL | Action.UPDATE_POD_SCALE_DOWN


class QueueOfEntities(SchedulingQueue):
    """Tells a waiting pod's own changes from those of pods on nodes; nominates new pods, gated or not."""

    @classmethod
    def registered(cls, queueing: Queueing, plugin: str, interests: Sequence[Interest]) -> list[Interest]:
        return [split for interest in interests for split in _by_kind_of_pod(interest)]

    def _enter(self, pod: Pod, event: ClusterEvent, now: int) -> Report:
        self.nominator.add(pod)
        return super()._enter(pod, cluster_event.UNSCHEDULED_POD_ADD, now)

    def _nominate(self, queued: QueuedPod, label: str) -> None:
        """Do nothing: it was nominated when it came."""

    def _is_gated_against(self, queued: QueuedPod, event: ClusterEvent) -> bool:
        return not event.is_for_all and super()._is_gated_against(queued, event)


def _by_kind_of_pod(interest: Interest) -> list[Interest]:
    """Return what a plugin that listens to pods hears of those on nodes, and of the waiting pod itself."""
    resource, actions, _ = interest.event
    if resource != POD:
        return [interest]
    own, of_others = actions & Action.UPDATE, actions & _OF_ASSIGNED_PODS
    told = interest._replace(event=ClusterEvent(TARGET_POD, own), hint=_as_its_own(interest.hint))
    if actions == Action.UPDATE:
        return [told]
    heard = interest._replace(event=ClusterEvent(ASSIGNED_POD, of_others))
    return [item for item in (heard, told) if item.event.action]


def _as_its_own(hint: Hint | None) -> Hint | None:
    """Return a hint that takes whatever pod it is told of for the one that is asked.

    Such events are put to all pods in flight when they come back, and the plugins don't look whose they are.
    """
    if hint is None:
        return None

    def as_its_own(pod: Pod, old: Any, new: Any, view: ClusterView) -> bool:
        if uid_of(new) != uid_of(pod):
            pod = replaced(pod, metadata=replaced(pod.metadata, uid=uid_of(new)))
        return hint(pod, old, new, view)

    return as_its_own


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
        InterPodAffinityByAnyTerm,
    )
    .implementing(NodeName.name, "preFilter", "filter")
    .moved(NodeName.name, before=NodeUnschedulable.name),
    profile=ProfileOfArrivals,
    gates=Gates(scores_storage_capacity=True),
    queue=QueueOfEntities,
    queueing=replace(V1_36.queueing, unheard=Action(0), own_changes=TARGET_POD),
)
