"""The tables of Volcano's Jobs, PodGroups and Queues in a snapshot, with the columns of `kubectl get`."""

from operator import attrgetter

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce, Concat

from dashboard.amounts import number
from dashboard.kinds.volcano.queries.objects import objects_of
from dashboard.models import Pod, Snapshot, VolcanoObject
from dashboard.views.tables import Column, Table
from scheduler_core.volcano.api_kinds import VOLCANO_JOB, VOLCANO_POD_GROUP, VOLCANO_QUEUE

QUEUE_PHASES = {"groups_pending": "Pending", "groups_inqueue": "Inqueue", "groups_running": "Running"}


def _made(row: VolcanoObject) -> str | None:
    return row.created_at.isoformat() if row.created_at else None


def _devices(row: VolcanoObject) -> str:
    return ", ".join(f"{number(amount)} {name}" for name, amount in row.devices.items() if amount)


def _gangs(title: str, minimum: str) -> Table:
    """The columns that Jobs and PodGroups have in common."""
    return Table(
        columns=[
            Column("namespace", "Namespace", lambda row: row.namespace, "namespace"),
            Column("name", title, lambda row: row.name, "name", natural=True),
            Column("status", "Status", lambda row: row.phase, "phase"),
            Column("minimum", minimum, lambda row: row.minimum, "minimum", True),
            Column("running", "Running", lambda row: row.running, "running", True),
            Column("pods", "Pods here", lambda row: row.pods, "pods", True),
            Column("devices", "Devices asked", _devices),
            Column("queue", "Queue", lambda row: row.queue, "queue"),
            Column("created_at", "Made", _made, "created_at"),
        ],
        search=["name", "namespace", "queue"],
        filters={"namespace": "namespace", "queue": "queue", "status": "phase"},
    )  # fmt: skip


JOBS = _gangs("Job", "Min available")
POD_GROUPS = _gangs("Pod group", "Min member")
QUEUES = Table(
    columns=[
        Column("name", "Queue", lambda row: row.name, "name", natural=True),
        Column("parent", "Parent", lambda row: row.queue, "queue"),
        Column("state", "State", lambda row: row.phase, "phase"),
        Column("weight", "Weight", lambda row: row.weight, "weight", True),
        Column("groups", "Pod groups", lambda row: row.groups, "groups", True),
        *(Column(name, phase, attrgetter(name), name, True) for name, phase in QUEUE_PHASES.items()),
    ],
    search=["name", "queue"],
    filters={"parent": "queue", "state": "phase"},
)


def jobs_of(snapshot: Snapshot) -> QuerySet[VolcanoObject]:
    """The snapshot's Jobs with how many `pods` of each are there."""
    name = Concat(Value(f"{VOLCANO_JOB}/"), OuterRef("namespace"), Value("/"), OuterRef("name"))
    return objects_of(snapshot, VOLCANO_JOB).defer(None).annotate(pods=_count(Pod, snapshot, workload=name))


def pod_groups_of(snapshot: Snapshot) -> QuerySet[VolcanoObject]:
    """The snapshot's pod groups with how many `pods` of each are there."""
    name = Concat(OuterRef("namespace"), Value("/"), OuterRef("name"))
    return (
        objects_of(snapshot, VOLCANO_POD_GROUP).defer(None).annotate(pods=_count(Pod, snapshot, group=name))
    )


def queues_of(snapshot: Snapshot) -> QuerySet[VolcanoObject]:
    """The snapshot's queues with how many pod `groups` each has, by phase too."""

    def groups(**phase: str) -> Coalesce:
        return _count(VolcanoObject, snapshot, kind=str(VOLCANO_POD_GROUP), queue=OuterRef("name"), **phase)

    by_phase = {name: groups(phase=phase) for name, phase in QUEUE_PHASES.items()}
    return objects_of(snapshot, VOLCANO_QUEUE).annotate(groups=groups(), **by_phase)


def _count(model: type[Pod] | type[VolcanoObject], snapshot: Snapshot, **wanted: object) -> Coalesce:
    """A subquery that counts the snapshot's rows of a model that are like this."""
    rows = model.objects.filter(Q(snapshot=snapshot), **wanted).order_by()
    return Coalesce(Subquery(rows.values("snapshot").annotate(number=Count("pk")).values("number")), 0)
