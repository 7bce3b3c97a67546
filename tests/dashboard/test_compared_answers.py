"""The answer of two runs: the lead, what was asked, what has no effect and why, packing, queues, moves."""

from typing import Any

import pytest

from dashboard.answers.printers.words import plain
from dashboard.models import Run
from dashboard.services.background.execution import execute_run
from dashboard.services.results.comparing import Comparison, compare_runs
from dashboard.services.workspace.runs import start_run
from dashboard.services.workspace.scenarios import create_scenario
from dashboard.services.workspace.snapshots import import_snapshot
from samples.volcano.sample import volcano_files, volcano_scenarios
from tests.dashboard.rows import controlled, listing, node
from tests.dashboard.rows import pod as bare

pytestmark = pytest.mark.django_db


def pod(name: str, **fields: Any) -> dict[str, Any]:
    """A pod of a core of the controller `web`."""
    made = bare(name, cpu="1", **fields)
    made["metadata"]["ownerReferences"] = controlled("x")["metadata"]["ownerReferences"]
    return made


def scoring(kind: str) -> dict[str, Any]:
    """A configuration that prefers empty or full nodes."""
    args = {"scoringStrategy": {"type": kind, "resources": [{"name": "cpu", "weight": 1}]}}
    fit = {"name": "NodeResourcesFit", "args": args}
    return {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "profiles": [{"schedulerName": "default-scheduler", "pluginConfig": [fit]}],
    }


def run_of(snapshot: Any, **scenario: Any) -> Run:
    """A finished run, and that without its edits."""
    fields = {"driver": "instant", "profile": "kube-1.36", **scenario}
    run = start_run(None, create_scenario(None, {"name": "one", "snapshot": snapshot, **fields}))
    for one in filter(None, (run, run.baseline)):
        execute_run(one.pk)
    run = Run.objects.get(pk=run.pk)
    assert run.status == "finished", run.error
    return run


def compared(*runs: Run) -> Comparison:
    return compare_runs(*runs)


def lead(found: Comparison) -> str:
    return plain(found.answer.lead)


def said(found: Comparison, about: str) -> list[str]:
    """What is said about something, head and all."""
    lines = [line for line in found.answer.lines if line.about == about]
    return [" ".join(filter(None, (plain(line.head), plain(line.says)))) for line in lines]


def row(found: Comparison, name: str) -> dict[str, Any]:
    return next(dict(one) for one in found.figures if one["name"] == name)


def two_nodes(pods: int) -> Any:
    """Two nodes of four cores, one of them half full, and pending pods of a core."""
    running = [pod(f"run-{number}", node="node-1") for number in range(2)]
    waiting = [pod(f"new-{number}") for number in range(pods)]
    return import_snapshot(
        None, "two", [("two.json", listing(node("node-1"), node("node-2"), *running, *waiting))]
    )


def test_the_lead_says_what_differs_most_and_who_moved() -> None:
    snapshot = two_nodes(2)
    found = compared(
        *(run_of(snapshot, config=scoring(kind)) for kind in ("LeastAllocated", "MostAllocated"))
    )
    assert found.answer.verdict == "differ"
    assert lead(found) == (
        "MostAllocated has room for a pod of 4 cpu, LeastAllocated has room for a pod of 2. "
        "No more pods wait or go; 2 pods end on another node."
    )
    assert said(found, "differently") == [
        "Asked differently: NodeResourcesFit scoringStrategy type: LeastAllocated → MostAllocated."
    ]
    over = row(found, "nodes over 90 % of cpu")
    assert (over["a"], over["b"], "better" in over) == (0, 1, False)
    largest = row(found, "largest pod that fits, by cpu")
    assert (largest["a"], largest["b"], largest["better"]) == (2000, 4000, "higher")


def test_what_is_pending_without_the_edits_too_is_subtracted() -> None:
    snapshot = two_nodes(8)
    kept = run_of(snapshot)
    more = run_of(snapshot, edits=[{"op": "add", "manifest": pod("late")}])
    both = compared(more, run_of(snapshot, edits=more.edits, config=scoring("MostAllocated")))
    assert said(both, "pending")[0].endswith("in either run: 2 of 3 wait without them too.")
    assert row(both, "pending")["without"] == {"a": 2, "b": 2}
    assert said(both, "both") == ["Asked in both: " + more.edit_results[0]["sentence"] + "."]
    alone = compared(kept, more)
    assert lead(alone).startswith(f"Run {more.pk} leaves 3 pods pending, run {kept.pk} leaves 2.")
    assert said(alone, "pending") == []


def test_a_score_that_decides_nothing_is_told_as_the_reason() -> None:
    one = import_snapshot(None, "one", [("one.json", listing(node("node-1"), pod("new")))])
    found = compared(*(run_of(one, config=scoring(kind)) for kind in ("LeastAllocated", "MostAllocated")))
    assert found.answer.verdict == "alike"
    assert lead(found).endswith(
        "No effect, because no pod had more than one node to choose from: no score decides."
    )


def test_where_no_reason_can_be_told_only_the_likeness_is() -> None:
    snapshot = two_nodes(6)
    found = compared(run_of(snapshot, profile="kube-1.35"), run_of(snapshot, profile="kube-1.36"))
    assert found.answer.verdict == "alike"
    assert "No effect" not in lead(found)


@pytest.fixture
def shares() -> Any:
    return import_snapshot(None, "shares", volcano_files("queues"))


def test_a_weight_has_no_effect_where_the_queue_asks_for_no_more(shares: Any) -> None:
    planned = volcano_scenarios("queues")[0]
    edits = planned.get("edits", [])
    fields = {
        name: planned[name] for name in ("profile", "config", "controllers", "driver") if name in planned
    }
    kept = run_of(shares, edits=edits, **fields)
    more = run_of(shares, edits=[*edits, {"op": "set-queue", "name": "prod", "weight": 9}], **fields)
    found = compared(kept, more)
    assert lead(found).endswith(
        "No effect, because prod asks only for 8 nvidia.com/gpu and deserves all of it."
    )
    by_capacity = {
        "actions": "enqueue, allocate",
        "tiers": [{"plugins": [{"name": name} for name in ("gang", "predicates", "capacity")]}],
    }
    weighed = [[{"op": "set-queue", "name": "research", "weight": weight}] for weight in (2, 9)]
    twice = [run_of(shares, edits=edits, **{**fields, "config": by_capacity}) for edits in weighed]
    assert lead(compared(*twice)).endswith(
        "No effect, because no plugin of the configuration goes by the weight of research: "
        "capacity goes by what it deserves."
    )
    [queues] = [table for table in found.answer.tables if table.name == "queues"]
    assert found.queue_resources[:2] == ["nvidia.com/gpu", "cpu"]
    [by_cpu] = [one for one in compare_runs(kept, more, "cpu").answer.tables if one.name == "queues"]
    assert by_cpu.columns[0].title == "queue, in cpu"
    rows = [[plain(cell) for cell in cells] for cells in queues.rows]
    assert rows == [
        ["prod", "8", "8", "6", "6", "6", "6", "", "", "research 6", "75 % → 75 %"],
        ["research", "8", "8", "10", "10", "", "", "6", "6", "", "125 % → 125 %"],
        ["all 2", "16", "16", "16", "16", "6", "6", "6", "6", "", ""],
    ]


def test_moved_pods_are_counted_by_workload_and_zone() -> None:
    zone = "topology.kubernetes.io/zone"
    waiting = [pod(f"new-{number}") for number in range(2)]
    nodes = [node("node-1", **{zone: "eu-a"}), node("node-2", **{zone: "eu-b"})]
    held = pod("old", node="node-1")
    snapshot = import_snapshot(None, "zones", [("zones.json", listing(*nodes, held, *waiting))])
    found = compared(
        *(run_of(snapshot, config=scoring(kind)) for kind in ("LeastAllocated", "MostAllocated"))
    )
    [moved] = found.differences.moved
    assert (moved.elsewhere, moved.pods) == (len(found.differences.pods), 3)
    assert sum(a for a, _ in moved.zones.values()) == sum(b for _, b in moved.zones.values()) == 3


def test_nodes_that_could_be_emptied_are_counted_once_a_run_has_finished() -> None:
    run = run_of(two_nodes(0))
    assert run.outcome["emptiable"] == {"nodes": 1, "tried": 2, "of": 2}
