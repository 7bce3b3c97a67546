"""Volcano's Jobs, PodGroups and Queues in a snapshot, and where their pages are."""

from typing import Any

from django.db.models import QuerySet
from django.urls import reverse

from dashboard.kinds.pages import Found, Tab
from dashboard.models import Pod, Snapshot, VolcanoObject
from dashboard.queries.searching import best_named
from scheduler_core.objects.kinds import Kind
from scheduler_core.volcano.api_kinds import (
    VOLCANO_CRON_JOB,
    VOLCANO_HYPER_NODE,
    VOLCANO_JOB,
    VOLCANO_JOB_FLOW,
    VOLCANO_JOB_TEMPLATE,
    VOLCANO_POD_GROUP,
    VOLCANO_QUEUE,
)
from scheduler_core.volcano.controllers.job.job import FINISHED
from scheduler_core.volcano.model.custom_resources import SCHEDULER_NAME
from scheduler_core.world.edits.operations.set_queue import present

PAGES = {
    "jobs": ("Volcano's Jobs", VOLCANO_JOB),
    "podgroups": ("Pod groups", VOLCANO_POD_GROUP),
    "queues": ("Queues", VOLCANO_QUEUE),
    "jobflows": ("Job flows", VOLCANO_JOB_FLOW),
    "jobtemplates": ("Job templates", VOLCANO_JOB_TEMPLATE),
    "cronjobs": ("Volcano’s CronJobs", VOLCANO_CRON_JOB),
}
_LATER = (VOLCANO_JOB_FLOW, VOLCANO_JOB_TEMPLATE, VOLCANO_CRON_JOB, VOLCANO_HYPER_NODE)
"""Snapshots of before their pages were there count them, and have no rows of them."""
_PAGES = {kind: page for page, (_, kind) in PAGES.items()}
_MAKING_NO_PODS = ("Aborting", "Aborted", "Completing", "Terminating", *FINISHED)
"""Phases of Jobs in which their controller makes no pods."""
_FOUND = [("queue", VOLCANO_QUEUE), ("job", VOLCANO_JOB)]
"""What is searched for by name; pod groups are called as their jobs are, or by a number."""


def tabs(snapshot: Snapshot) -> list[Tab]:
    """Return the lists of Volcano's kinds of which a snapshot has any."""
    tabs = [
        Tab(f"volcano-{page}", reverse("snapshot-volcano", args=[snapshot.pk, page]), title, number)
        for page, (title, kind) in PAGES.items()
        if (number := _number(snapshot, kind))
    ]
    if number := _number(snapshot, VOLCANO_HYPER_NODE):
        address = reverse("snapshot-hyper-nodes", args=[snapshot.pk])
        tabs.append(Tab("volcano-hypernodes", address, "Hyper nodes", number))
    return tabs


def _number(snapshot: Snapshot, kind: Kind) -> int:
    counted: int = snapshot.counts.get(str(kind), 0)
    return objects_of(snapshot, kind).count() if counted and kind in _LATER else counted


def jobs_without_pods(snapshot: Snapshot) -> int:
    """Return how many Jobs of Volcano's own scheduler want pods and have none, not even ended ones.

    Source: volcano v1.16 pkg/controllers/job/job_controller_actions.go syncJob, state/factory.go.
    """
    if not snapshot.counts.get(str(VOLCANO_JOB)):
        return _flows_without_jobs(snapshot)
    rows = objects_of(snapshot, VOLCANO_JOB).defer(None).exclude(phase__in=_MAKING_NO_PODS)
    wanting = [row.owner or f"{VOLCANO_JOB}/{row}" for row in rows if _wants_pods(row.object)]
    if not wanting:
        return 0
    pods = Pod.objects.filter(snapshot=snapshot).exclude(workload="").order_by()
    having = set(pods.values_list("workload", flat=True).distinct())
    return sum(workload not in having for workload in wanting)


def _flows_without_jobs(snapshot: Snapshot) -> int:
    """Return how many flows have yet to begin where there is no Job at all: their first Jobs wait.

    Source: volcano v1.16 pkg/controllers/jobflow/state/.
    """
    if not snapshot.counts.get(str(VOLCANO_JOB_FLOW)):
        return 0
    return objects_of(snapshot, VOLCANO_JOB_FLOW).filter(phase__in=("", "Pending")).count()


def _wants_pods(job: dict[str, Any]) -> bool:
    spec = job.get("spec") or {}
    is_its = (spec.get("schedulerName") or SCHEDULER_NAME) == SCHEDULER_NAME
    is_leaving = (job.get("metadata") or {}).get("deletionTimestamp")
    return is_its and not is_leaving and any(task.get("replicas") for task in spec.get("tasks") or () if task)


def job_address(snapshot: Snapshot, workload: str) -> str | None:
    """Return the page of `Kind/namespace/name` if it is a Job of Volcano's that the snapshot has."""
    kind, _, name = workload.partition("/")
    return _address(snapshot, VOLCANO_JOB, *_parts(name)) if kind == str(VOLCANO_JOB) else None


def group_address(snapshot: Snapshot, group: str) -> str | None:
    """Return the page of the pod group `namespace/name`."""
    return _address(snapshot, VOLCANO_POD_GROUP, *_parts(group))


def queue_address(snapshot: Snapshot, queue: str) -> str | None:
    """Return the page of a queue."""
    return _address(snapshot, VOLCANO_QUEUE, "", queue)


def found_in(snapshot: Snapshot, text: str, most: int) -> list[tuple[str, list[Found]]]:
    """Return queues and Jobs by words of their names, at most so many of each."""
    return [
        (called, [_told(snapshot, called, kind, row) for row in _best(snapshot, kind, text)[:most]])
        for called, kind in _FOUND
    ]


def _best(snapshot: Snapshot, kind: Kind, text: str) -> QuerySet[VolcanoObject]:
    return best_named(objects_of(snapshot, kind), text, ["namespace", "name"])


def _told(snapshot: Snapshot, called: str, kind: Kind, row: VolcanoObject) -> Found:
    says = f"in {row.namespace}" if row.namespace else row.phase.lower()
    address = reverse("snapshot-volcano-detail", args=[snapshot.pk, _PAGES[kind], str(row)])
    return Found(called, row.name, says, address)


def objects_of(snapshot: Snapshot, kind: Kind) -> QuerySet[VolcanoObject]:
    """Return the snapshot's objects of a kind, without the objects themselves."""
    return VolcanoObject.objects.filter(snapshot=snapshot, kind=str(kind)).defer("object")


def queues_as_given(snapshot: Snapshot, most: int) -> dict[str, dict[str, str]]:
    """Return what each queue says, by its name and the field of the edit `set-queue`."""
    rows = VolcanoObject.objects.filter(snapshot=snapshot, kind=str(VOLCANO_QUEUE)).order_by("name")
    return {row.name: present(row.object) for row in rows[:most]}


def made_by(snapshot: Snapshot, owner: str) -> QuerySet[VolcanoObject]:
    """Return the pod groups that a workload (`Kind/namespace/name`) has."""
    return objects_of(snapshot, VOLCANO_POD_GROUP).filter(owner=owner)


def _parts(name: str) -> tuple[str, str]:
    namespace, _, rest = name.partition("/")
    return namespace, rest


def _address(snapshot: Snapshot, kind: Kind, namespace: str, name: str) -> str | None:
    row = objects_of(snapshot, kind).filter(namespace=namespace, name=name).first()
    return reverse("snapshot-volcano-detail", args=[snapshot.pk, _PAGES[kind], str(row)]) if row else None
