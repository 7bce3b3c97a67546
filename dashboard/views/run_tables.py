"""The tables of runs: the list of all runs, and those of an outcome for export."""

from collections.abc import Callable
from typing import Any

from dashboard.services.results.outcome import unserved
from dashboard.views.tables import Column, Table


def _figure(name: str) -> Callable[[Any], Any]:
    return lambda run: (run.outcome or {}).get(name)


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
        Column("unserved", "No scheduler", lambda run: unserved(run.outcome), None, True),
        Column("started", "Started", lambda run: run.created_at.isoformat(), "created_at"),
        Column("by", "By", lambda run: str(run.created_by or "")),
    ],
    search=["scenario__name", "snapshot__name", "created_by__username"],
    filters={"status": "status", "scenario": "scenario_id", "snapshot": "snapshot_id"},
    tie_break="-pk",
)


def _plain(*names: str) -> list[Column]:
    return [Column(name, name, lambda row, name=name: row.get(name)) for name in names]


def _cut(part: str) -> Callable[[dict[str, Any]], list[dict[str, Any]]]:
    return lambda figures: figures[part]


def _failing_pods(figures: dict[str, Any]) -> list[dict[str, Any]]:
    """One row a message: how often, the first decision that said it, and the pods that are listed."""
    return [{**row, "pods": " ".join(pod["pod"] for pod in row["pods"])} for row in figures["failures"]]


def _refused_evictions(figures: dict[str, Any]) -> list[dict[str, Any]]:
    """One row for each eviction that an edit asked for and did not get."""
    return [
        {**refused, "edit": edit["title"], "budgets": " ".join(refused["budgets"])}
        for edit in figures.get("incomplete", ())
        for refused in edit["refused"]
    ]


OUTCOME_TABLES: dict[str, tuple[list[Column], Callable[[dict[str, Any]], list[dict[str, Any]]]]] = {
    "workloads": (_plain("workload", "namespace", "placed", "evicted", "pending"), _cut("by_workload")),
    "schedulers": (
        _plain("scheduler", "attempts", "placed", "evicted", "pending"),
        lambda outcome: list(outcome.get("by_scheduler", ())),
    ),
    "queues": (
        _plain("queue", "placed", "evicted", "pending"),
        lambda outcome: list(outcome.get("by_queue", ())),
    ),
    "gangs": (
        _plain(
            "group",
            "queue",
            "phase",
            "min_member",
            "pods",
            "running",
            "completed",
            "placed",
            "evicted",
            "pending",
            "message",
            "deleted",
        ),
        lambda outcome: list(outcome.get("by_group", ())),
    ),
    "namespaces": (_plain("namespace", "placed", "evicted", "pending"), _cut("by_namespace")),
    "below-replicas": (_plain("workload", "running", "replicas"), _cut("below_replicas")),
    "failures": (_plain("count", "message", "seq", "pods"), _failing_pods),
    "budgets": (_plain("seq", "pod", "node", "by"), _cut("budgets_violated")),
    "refused-evictions": (_plain("edit", "seq", "pod", "node", "budgets", "message"), _refused_evictions),
    "utilisation": (
        _plain("resource", "unit", "allocatable", "allocatable_after", "before", "after", "counts"),
        _cut("utilisation"),
    ),
}
