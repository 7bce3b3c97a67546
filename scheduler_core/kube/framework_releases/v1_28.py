"""kube-scheduler 1.28, by what it does otherwise than 1.29.

Source: kubernetes v1.28 plugins/defaultpreemption SelectVictimsOnNode; framework/runtime
RunPreFilterExtensionRemovePod; plugins/volumebinding binder.go
GetEligibleNodes; pkg/volume/util GetLocalPersistentVolumeNodeNames; plugins/volumezone Filter;
framework/types.go FitError.Error; pkg/features SidecarContainers; internal/queue scheduling_queue.go
addUnschedulableWithoutQueueingHint; framework/runtime fillEnqueueExtensions.
"""

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from itertools import compress

import numpy as np

from scheduler_core.events.decisions import Status
from scheduler_core.kube.dropped_fields import SIDECARS
from scheduler_core.kube.framework import ERROR, Cycle, NodeNames, PreFilterAnswer, PreFiltered
from scheduler_core.kube.framework_releases.v1_29 import (
    V1_29,
    HandlersOfOneChange,
    ImageLocalityOfRunningContainers,
    ProfileOfFirstRejection,
    QueueThatHeedsAll,
    VolumeBindingOfAll,
)
from scheduler_core.kube.plugins.default_preemption import DefaultPreemption
from scheduler_core.kube.plugins.image_locality import Scale
from scheduler_core.kube.plugins.volume_binding import VolumeBinding
from scheduler_core.kube.plugins.volume_zone import VolumeZone
from scheduler_core.kube.post_filter import Failure, PostFilterAnswer
from scheduler_core.kube.preemption.costs import Costs
from scheduler_core.kube.preemption.dry_run import NO_VICTIMS, DryRuns, ReprieveStep
from scheduler_core.kube.queueing.cluster_event import (
    CAPACITY,
    CLAIM,
    CSI_DRIVER,
    CSI_NODE,
    STORAGE_CLASS,
    VOLUME,
    Action,
)
from scheduler_core.kube.release import Difference
from scheduler_core.objects.storage import PersistentVolume
from scheduler_core.predicates.filter_state import FilterState
from scheduler_core.state.nodes import ImageOnNodes, IntArray

_HOSTNAME = "kubernetes.io/hostname"
_UNPREPARED = {
    "PodTopologySpread": 'reading "PreFilterPodTopologySpread" from cycleState: not found',
    "InterPodAffinity": 'error reading "PreFilterInterPodAffinity" from cycleState: not found',
}
"""What plugins that follow the pods of nodes say where their PreFilter did not run."""
_STORAGE = (VOLUME, CLAIM, CSI_NODE, CSI_DRIVER, CAPACITY, STORAGE_CLASS)


class ViolatingFirst(DryRuns):
    """Victims that violate budgets come before the others; the first one counts as the most important."""

    def victims(self, run: int) -> list[int]:
        members = self.members(run)
        return list(compress(self.pods[members].tolist(), self.condemned[members].tolist()))

    @property
    def costs(self) -> Costs:
        costs = super().costs
        highest = costs.highest_priority.copy()
        for run in self.candidates.tolist():
            highest[run] = self.state.pods.priority[self.victims(run)[0]]
        return costs._replace(highest_priority=highest)


@dataclass
class RunsWithoutPreparation(ViolatingFirst):
    """No node is a candidate: from those with potential victims a plugin can't take pods away."""

    error: Status = NO_VICTIMS

    @property
    def candidates(self) -> IntArray:
        return np.zeros(0, dtype=np.int64)

    def rejection(self, run: int) -> Status | None:
        return self.error if self.removed(run) else NO_VICTIMS

    def rejections(self) -> list[tuple[Status, int]]:
        emptied = int(np.count_nonzero(np.bincount(self.owner, minlength=len(self.nodes))))
        counted = [(self.error, emptied), (NO_VICTIMS, len(self.nodes) - emptied)]
        return [(status, nodes) for status, nodes in counted if nodes]

    def steps(self, run: int) -> list[ReprieveStep]:
        return []


class DefaultPreemptionWithoutPreparation(DefaultPreemption):
    """Ends with an error where PreFilter ended before a plugin that follows the pods of nodes."""

    def _preempt(self, failure: Failure) -> PostFilterAnswer:
        plugin = failure.pre_filtered.unprepared
        if not plugin:
            return super()._preempt(failure)
        text = f'running RemovePod on PreFilter plugin "{plugin}": {_UNPREPARED[plugin]}'
        return super()._preempt(
            dataclasses.replace(failure, dry_run=partial(_without_preparation, failure, text))
        )


def _without_preparation(failure: Failure, text: str, nodes: IntArray) -> RunsWithoutPreparation:
    runs = failure.dry_run(nodes)
    values = {each.name: getattr(runs, each.name) for each in dataclasses.fields(ViolatingFirst)}
    return RunsWithoutPreparation(**values, error=Status("", ERROR, [text]))


class ProfileWithTwoStops(ProfileOfFirstRejection):
    """Ends the message with a full stop after what PostFilter says, whatever that ends with."""

    dry_runs = ViolatingFirst
    blames_search_apart = True

    def run_pre_filter(self, cycle: Cycle) -> PreFiltered:
        result = super().run_pre_filter(cycle)
        if result.rejected is not None:
            names = (plugin.name for plugin in self.pre_filters)
            unprepared = (name for name in names if name in _UNPREPARED and name not in cycle.prepared)
            result.unprepared = next(unprepared, "")
        return result

    def failure_message(
        self,
        nodes: int,
        counted: list[tuple[Status, int]],
        outside: int,
        pre_filtered: PreFiltered,
        post_filter: str,
    ) -> str:
        ended = f"{post_filter}." if post_filter else ""
        return super().failure_message(nodes, counted, outside, pre_filtered, ended)


class VolumeBindingOnNamedNodes(VolumeBindingOfAll):
    """PreFilter leaves only the nodes that bound claims' volumes name by their hostname label."""

    def pre_filter(self, cycle: Cycle) -> PreFilterAnswer:
        answer = super().pre_filter(cycle)
        if not isinstance(answer, FilterState):
            return answer
        volumes = [cycle.state.volumes.volumes.get(name) for name in self.bound_volumes(answer)]
        names = _named_by_all(volumes)
        return answer if names is None else NodeNames(answer, names)


class ImageLocalityByArrival(ImageLocalityOfRunningContainers):
    """Counts an image on a node by the nodes that had it when this one came."""

    def counted(self, cycle: Cycle, name: str, image: ImageOnNodes, scale: Scale) -> IntArray | int:
        return cycle.state.seen_images.scaled_as_told(name, image, scale)


class VolumeZoneByOwnLabel(VolumeZone):
    """Looks for the very label that the volume has."""

    labels_instead = {}


class QueueThatParksErrors(QueueThatHeedsAll):
    """A pod whose attempt ended with an error waits for an event."""

    parks_errors = True


class HandlersOfEverything(HandlersOfOneChange):
    """Hears of all changes of storage, since plugins that say nothing of events count as listening to all."""

    def watches(self, resource: str, action: Action) -> bool:
        return resource in _STORAGE and (resource, action) != (STORAGE_CLASS, Action.DELETE)


def _named_by_all(volumes: Iterable[PersistentVolume | None]) -> frozenset[str] | None:
    """Return the nodes that all volumes name which name any; None where that restricts nothing."""
    names: frozenset[str] | None = None
    for volume in volumes:
        if volume is None:
            return None
        named = _named_by(volume)
        if named:
            names = named if names is None else names & named
    return names


def _named_by(volume: PersistentVolume) -> frozenset[str]:
    """Return the hostnames in a volume's node affinity, of all its terms."""
    affinity = volume.spec.node_affinity
    terms = affinity.required.node_selector_terms if affinity and affinity.required else None
    named: frozenset[str] = frozenset()
    for term in terms or ():
        of_term = [
            frozenset(expression.values or ())
            for expression in term.match_expressions or ()
            if expression.key == _HOSTNAME and expression.operator == "In"
        ]
        named |= frozenset.intersection(*of_term) if of_term else frozenset()
    return named


V1_28 = V1_29.but(
    "1.28",
    registry=V1_29.registry.changed(
        VolumeBindingOnNamedNodes,
        VolumeZoneByOwnLabel,
        ImageLocalityByArrival,
        DefaultPreemptionWithoutPreparation,
    ),
    profile=ProfileWithTwoStops,
    queue=QueueThatParksErrors,
    handlers=HandlersOfEverything,
    configuration_versions=(*V1_29.configuration_versions, "kubescheduler.config.k8s.io/v1beta3"),
    drops=(*V1_29.drops, SIDECARS),
    differences=(
        Difference(
            "preemption",
            "DefaultPreemption",
            "Victims that violate budgets come first, and the first victim counts as the most important.",
            "Victims come in the order of their importance.",
        ),
        Difference(
            "preemption",
            "DefaultPreemption",
            "Where PreFilters leave no node together, a preemption ends with an error.",
            "Where PreFilters leave no node together, a preemption is tried.",
        ),
        Difference(
            "messages",
            "",
            "The part after a preemption ends with two full stops.",
            "The part after a preemption ends with one full stop.",
        ),
        Difference(
            "filters",
            VolumeBinding.name,
            "Volumes that name nodes by hostname leave only these nodes before the filters.",
            "Volumes that name nodes by hostname are looked at by the filter.",
        ),
        Difference(
            "filters",
            VolumeZone.name,
            "A node must have the very zone or region label of the volume.",
            "A node's stable zone or region label counts where it lacks the volume's beta label.",
        ),
        Difference(
            "scores",
            "ImageLocality",
            "A node counts an image by how many nodes had it when the node came or changed.",
            "A node counts an image by how many nodes have it now.",
        ),
        Difference(
            "queue",
            "",
            "Storage that goes is news for pods in flight and for those whose attempt ended with an error.",
            "Storage that goes is no news.",
        ),
        Difference(
            "queue",
            "",
            "A pod that no plugin rejected, as after an error, waits for news, at most five minutes.",
            "A pod that no plugin rejected, as after an error, is tried again after its back-off.",
        ),
        Difference(
            "pods",
            "",
            "Sidecars are ordinary init containers.",
            "Init containers that restart always are sidecars, which run beside the containers.",
        ),
    ),
)
