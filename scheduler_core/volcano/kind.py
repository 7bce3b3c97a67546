"""Volcano as a kind of scheduler: its scheduler, its controllers and its own objects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from scheduler_core.events.decisions import Decision
from scheduler_core.kube.queueing.report import Report
from scheduler_core.objects.identity import namespace_of
from scheduler_core.objects.kinds import POD_DISRUPTION_BUDGET, PRIORITY_CLASS, Kind, kind_of
from scheduler_core.objects.problems import Problem
from scheduler_core.objects.types import Pod
from scheduler_core.schedulers.actor import ApiServer
from scheduler_core.schedulers.card_tables import CARDS
from scheduler_core.schedulers.card_tables import TABLES as CARD_TABLES
from scheduler_core.schedulers.clocked import ClockedScheduler
from scheduler_core.schedulers.kind import Config, Made, Object, Play, SchedulerKind, Version
from scheduler_core.schedulers.of_imports import Unplayed
from scheduler_core.schedulers.run_parts import Clock, OwnObjects, RunPods
from scheduler_core.volcano.admission.checking import refusals
from scheduler_core.volcano.admission.new_jobs import admitted_job, with_defaults
from scheduler_core.volcano.api_kinds import (
    NUMATOPOLOGY,
    READ_BY_VOLCANO,
    VOLCANO_HYPER_NODE,
    VOLCANO_JOB,
    VOLCANO_KINDS,
    VOLCANO_POD_GROUP,
    VOLCANO_QUEUE,
)
from scheduler_core.volcano.cache.scheduler_cache import VolcanoCluster
from scheduler_core.volcano.cache.tables import TABLES
from scheduler_core.volcano.cache.vgpu_cards import VgpuCards
from scheduler_core.volcano.configuration.scheduler_conf import read_configuration
from scheduler_core.volcano.configuration.vgpu_config_map import config_map_of
from scheduler_core.volcano.controllers.actor import NAME as CONTROLLERS
from scheduler_core.volcano.controllers.actor import VolcanoControllers
from scheduler_core.volcano.devices.of_configuration import device_sharing
from scheduler_core.volcano.devices.vgpu import registration
from scheduler_core.volcano.devices.vgpu_requests import WISHES
from scheduler_core.volcano.devices.vgpu_settings import vgpu_settings
from scheduler_core.volcano.edits import VolcanoAdmission
from scheduler_core.volcano.imports.kind_faults import kind_faults
from scheduler_core.volcano.imports.references import REMEDY, missing_references
from scheduler_core.volcano.model.custom_resources import SCHEDULER_NAME, group_of
from scheduler_core.volcano.model.label_discovery import CONFIG_MAP
from scheduler_core.volcano.reporting.job_names import job_name
from scheduler_core.volcano.reporting.pods_not_made import pods_not_made
from scheduler_core.volcano.reporting.unplayed import UNPLAYED, unplayed_kinds, unplayed_parts
from scheduler_core.volcano.scheduler import VolcanoScheduler
from scheduler_core.volcano.timed_scheduler import TimedVolcano

SESSION_LIMIT = 100
"""After so many sessions a run without a clock ends, whatever is left to do."""


class VolcanoKind(SchedulerKind):
    """Volcano."""

    name = actor = SCHEDULER_NAME
    title = "Volcano"
    in_sessions = True
    versions: Mapping[str, Version] = {
        "volcano-1.16": Version(
            ("instant", "timed"), read_configuration, unread_kinds=(POD_DISRUPTION_BUDGET,)
        ),
    }
    own_kinds = READ_BY_VOLCANO
    pod_makers = frozenset({VOLCANO_JOB})
    reserved = (SCHEDULER_NAME, CONTROLLERS)
    tables: Mapping[str, type] = {**TABLES, **CARD_TABLES}
    object_admission = VolcanoAdmission()
    unplayed = frozenset(UNPLAYED)
    word_in_pods = "volcano"
    """In the name of the scheduler, in the group of Jobs that own pods, and in the keys of budgets."""
    remedies = (REMEDY,)
    card_wishes = WISHES

    def pods_wanted(self, document: dict[str, Any]) -> int:
        return sum(map(_replicas, _tasks(document)))

    def pods_of(self, document: dict[str, Any]) -> Iterator[Object]:
        """Source: volcano v1.16 pkg/controllers/job/job_controller_util.go createJobPod (the job's class)."""
        spec, namespace = document.get("spec") or {}, namespace_of(document)
        for task in _tasks(document):
            template = task.get("template") or {}
            given = template.get("spec") or {}
            name = given.get("priorityClassName") or spec.get("priorityClassName")
            pod = {
                "metadata": {
                    "namespace": namespace,
                    "labels": (template.get("metadata") or {}).get("labels"),
                },
                "spec": {**given, **({"priorityClassName": name} if name else {})},
            }
            yield from (pod for _ in range(_replicas(task)))

    def gang_of(self, document: dict[str, Any]) -> int:
        least = (document.get("spec") or {}).get("minAvailable")
        return int(least) if least else self.pods_wanted(document)

    def pods_not_made(self, decision: Decision) -> tuple[str, list[str]] | None:
        return pods_not_made(decision)

    def serves(self, built: Any) -> list[str]:
        return [SCHEDULER_NAME]

    def names_in(self, config: Config) -> list[str]:
        return [SCHEDULER_NAME]

    def pod_fields(self, pod: Pod) -> dict[str, Any]:
        """Return the pod group: pods that can have one say which, or that they have none."""
        group = group_of(pod.metadata)
        return {"group": group} if group or pod.spec.scheduler_name == SCHEDULER_NAME else {}

    def job_name(self, group: str) -> str:
        return job_name(group)

    def faults_of(self, document: Object) -> list[Problem]:
        return kind_faults([document]) if kind_of(document) in VOLCANO_KINDS else []

    def missing_references(self, objects: Iterable[Object]) -> list[str]:
        return missing_references(objects)

    def registration(self, node: Object, name: str) -> dict[str, str]:
        return registration(node, name)

    def refusals(self, objects: Iterable[Object]) -> Iterator[Problem]:
        return refusals(objects)

    def unplayed_kinds(self, numbers: Counter[Kind]) -> list[str]:
        return unplayed_kinds(numbers)

    def unplayed_parts(self, config: Object, objects: Iterable[Object]) -> Unplayed:
        return unplayed_parts(read_configuration(config), objects)

    def part(self, play: Play, clock: Clock) -> VgpuCards | None:
        """Return what tells the cards that it divides, if its configuration lets it divide some."""
        configurations = (made.built for made in play.made.values() if made.kind is self)
        dividing = next((one for one in configurations if device_sharing(one).vgpu), None)
        if dividing is None:
            return None
        maps = (item for item in play.objects if kind_of(item) == CONFIG_MAP)
        return VgpuCards(play.state, vgpu_settings(maps, config_map_of(dividing)))

    def make(self, play: Play, name: str, made: Made, api: ApiServer) -> VolcanoScheduler:
        cluster = self._cluster(play, play.objects)
        return VolcanoScheduler(name, cluster, made.built, api, SESSION_LIMIT)

    def make_clocked(self, play: Play, name: str, made: Made, api: Any) -> TimedVolcano:
        classes = [item for item in play.later if kind_of(item) == PRIORITY_CLASS]
        cluster = self._cluster(play, [*play.objects, *classes])
        return TimedVolcano(name, cluster, made.built, api)

    def _cluster(self, play: Play, objects: Iterable[Object]) -> VolcanoCluster:
        cards = play.parts.get(self.name)
        if not isinstance(cards, VgpuCards):
            return VolcanoCluster(play.state, objects, play.epoch)
        told = (part.tables().get(CARDS, {}).values() for part in play.parts.values())
        cards.begin({row["node"] for rows in told for row in rows})
        return VolcanoCluster(play.state, objects, play.epoch, cards.written)

    def own_objects(self, scheduler: ClockedScheduler) -> Mapping[Kind, OwnObjects]:
        """Return where objects go that sessions read; the others nobody reads without controllers."""
        assert isinstance(scheduler, TimedVolcano)
        kinds = (VOLCANO_POD_GROUP, VOLCANO_QUEUE, VOLCANO_HYPER_NODE, NUMATOPOLOGY)
        return dict.fromkeys(kinds, _ReadBySessions(scheduler.cluster))

    def controllers(self, play: Play, scheduler: Any, pods: RunPods) -> VolcanoControllers:
        return VolcanoControllers(scheduler.cluster, pods, with_defaults(play.objects), admitted_job)


class _ReadBySessions:
    """Objects of Volcano's that only sessions read: nobody is woken by them."""

    def __init__(self, cluster: VolcanoCluster) -> None:
        self._cluster = cluster

    def put(self, document: Mapping[str, Any]) -> Report:
        """Let an object come or change."""
        self._cluster.put(dict(document))
        return Report()

    def drop(self, document: Mapping[str, Any]) -> Report | None:
        """Let an object go; None if it isn't there."""
        return Report() if self._cluster.drop(dict(document)) else None


def _tasks(job: Object) -> list[Object]:
    found = (job.get("spec") or {}).get("tasks") or ()
    return [task for task in found if task]


def _replicas(task: Object) -> int:
    """Return how many pods a task has: none where it says nothing, as its kind has no default."""
    return int(task.get("replicas") or 0)


KIND = VolcanoKind()
