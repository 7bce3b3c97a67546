"""The tables of what Volcano's controllers make Jobs of: job flows, job templates and CronJobs."""

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet

from dashboard.answers.printers.words import plain
from dashboard.kinds.volcano.answers.flows import lead
from dashboard.kinds.volcano.queries.objects import PAGES, objects_of
from dashboard.kinds.volcano.services.flows import Flow
from dashboard.models import Snapshot, VolcanoObject
from dashboard.views.tables import Column, Table

_NAMESPACE = Column("namespace", "Namespace", lambda row: row.namespace, "namespace")
_QUEUE = Column("queue", "Queue", lambda row: row.queue, "queue")
_MINIMUM = Column("minimum", "Min available", lambda row: row.minimum, "minimum", True)


def _name(title: str) -> Column:
    return Column("name", title, lambda row: row.name, "name", natural=True)


def _made(row: VolcanoObject) -> str | None:
    return f"{row.created_at:%Y-%m-%d %H:%M}" if row.created_at else None


_MADE = Column("created_at", "Made", _made, "created_at")


def _said(part: str, field: str) -> Any:
    """Return how a row is asked for a field of its spec or status."""
    return lambda row: (row.object.get(part) or {}).get(field)


def _jobs_made(row: VolcanoObject) -> str:
    return ", ".join((row.object.get("status") or {}).get("jobDependsOnList") or ())


def _suspended(row: VolcanoObject) -> str:
    return "suspended" if (row.object.get("spec") or {}).get("suspend") else "on time"


JOB_TEMPLATES = Table(
    columns=[
        _NAMESPACE, _name("Job template"), _MINIMUM, _QUEUE,
        Column("jobs", "Jobs made of it", _jobs_made), _MADE,
    ],
    search=["name", "namespace", "queue"],
    filters={"namespace": "namespace", "queue": "queue"},
)  # fmt: skip
CRON_JOBS = Table(
    columns=[
        _NAMESPACE,
        _name("CronJob"),
        Column("schedule", "Schedule", _said("spec", "schedule")),
        Column("time_zone", "Time zone", _said("spec", "timeZone")),
        Column("state", "State", _suspended),
        Column("concurrency", "Concurrency", _said("spec", "concurrencyPolicy")),
        Column("active", "Active Jobs", lambda row: row.running, "running", True),
        Column("last_start", "Last start", _said("status", "lastScheduleTime")),
        _QUEUE,
        _MADE,
    ],
    search=["name", "namespace", "queue"],
    filters={"namespace": "namespace", "queue": "queue"},
)


def job_flows(flows: Sequence[Flow]) -> Table:
    """Return the table of job flows, each with the sentence about it."""
    by_key = {flow.key: flow for flow in flows}

    def says(row: VolcanoObject) -> str:
        flow = by_key.get(str(row))
        return plain(lead(flow)) if flow is not None else ""

    return Table(
        columns=[
            _NAMESPACE,
            _name("Job flow"),
            Column("status", "Status", lambda row: row.phase, "phase"),
            Column("says", "How far it has come", says),
            _MADE,
        ],
        search=["name", "namespace"],
        filters={"namespace": "namespace", "status": "phase"},
    )


def rows_of(snapshot: Snapshot, page: str) -> QuerySet[VolcanoObject]:
    """The snapshot's objects of a page, whole."""
    return objects_of(snapshot, PAGES[page][1]).defer(None)
