"""The tables of runs: the list of all runs, and those of an outcome for export."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dashboard.answers.causes import rows_of_causes
from dashboard.answers.jobs_waiting import rows_of_jobs
from dashboard.services.results.listed_runs import listed_figure
from dashboard.shapes.outcome import Figures
from dashboard.views.tables import Column, Table, plain_columns


def _figure(name: str) -> Callable[[Any], Any]:
    return lambda run: listed_figure(run, name)


RUNS = Table(
    columns=[
        Column("run", "Run", lambda run: run.pk, "pk"),
        Column(
            "scenario", "Scenario", lambda run: run.scenario.name if run.scenario else "", "scenario__name"
        ),
        Column("snapshot", "Snapshot", lambda run: run.snapshot.name, "snapshot__name"),
        Column("scheduler", "Scheduler", lambda run: f"{run.profile}, {run.driver}", "profile"),
        Column("status", "Status", lambda run: run.status, "status"),
        Column("decisions", "Decisions", lambda run: run.decisions, "decisions", True),
        Column("placed", "Placed", _figure("placed"), None, True),
        Column("evicted", "Evicted", _figure("evicted"), None, True),
        Column("deleted", "Deleted by controllers", _figure("deleted"), None, True),
        Column("pending", "Pending", _figure("pending"), None, True),
        Column("unserved", "No scheduler", _figure("unserved"), None, True),
        Column("started", "Started", lambda run: run.created_at.isoformat(), "created_at"),
        Column("by", "By", lambda run: str(run.created_by or "")),
    ],
    search=["scenario__name", "snapshot__name", "created_by__username"],
    filters={"status": "status", "scenario": "scenario_id", "snapshot": "snapshot_id"},
    tie_break="-pk",
)


Rows = Sequence[Mapping[str, Any]]


def _failing_pods(figures: Figures) -> Rows:
    """One row a message: how often, the first decision that said it, and the pods that are listed."""
    return [{**row, "pods": " ".join(pod["pod"] for pod in row["pods"])} for row in figures["failures"]]


def _refused_evictions(figures: Figures) -> Rows:
    """One row for each eviction that an edit asked for and did not get."""
    return [
        {**refused, "edit": edit["title"], "budgets": " ".join(refused["budgets"])}
        for edit in figures.get("incomplete", ())
        for refused in edit["refused"]
    ]


OutcomeTable = tuple[list[Column], Callable[[Figures], Rows]]
"""Columns, and what makes the rows of an outcome."""


def _table(rows_of: Callable[[Figures], Rows], *names: str) -> OutcomeTable:
    return plain_columns(*names), rows_of


OUTCOME_TABLES: dict[str, OutcomeTable] = {
    "workloads": _table(
        lambda found: found["by_workload"], "workload", "namespace", "placed", "evicted", "pending"
    ),
    "schedulers": _table(
        lambda found: found.get("by_scheduler", []), "scheduler", "attempts", "placed", "evicted", "pending"
    ),
    "queues": _table(lambda found: found.get("by_queue", []), "queue", "placed", "evicted", "pending"),
    "gangs": _table(
        lambda found: found.get("by_group", []), "group", "queue", "phase", "min_member", "pods", "running",
        "completed", "placed", "evicted", "pending", "message", "deleted",
    ),
    "namespaces": _table(
        lambda found: found["by_namespace"], "namespace", "placed", "evicted", "pending"
    ),
    "below-replicas": _table(lambda found: found["below_replicas"], "workload", "running", "replicas"),
    "failures": _table(_failing_pods, "count", "message", "seq", "pods"),
    "budgets": _table(lambda found: found["budgets_violated"], "seq", "pod", "node", "by"),
    "refused-evictions": _table(
        _refused_evictions, "edit", "seq", "pod", "node", "budgets", "message"
    ),
    "flows": _table(
        lambda found: found.get("flows", []), "by", "whom", "priority", "pods", "free", "evicting", "pending",
        "gone", "seq",
    ),
    "jobs-waiting": _table(rows_of_jobs, "kind", "job", "group", "queue", "pods", "asks", "seq", "why"),
    "causes": _table(rows_of_causes, "cause", "workload", "pods", "nodes", "of", "seq", "why"),
    "utilisation": _table(
        lambda found: found["utilisation"], "resource", "unit", "allocatable", "allocatable_after", "before",
        "after", "counts",
    ),
}  # fmt: skip
