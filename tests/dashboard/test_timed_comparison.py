"""Two runs with a clock compared: instants, nodes that come, pods that finish, what is the same question."""

from typing import Any

import pytest
from django.test import Client

from dashboard.models import Run
from dashboard.queries.comparison import differences
from dashboard.queries.comparison_settings import different_settings, settings_sentence
from dashboard.queries.counterparts import counterparts
from dashboard.services.background.execution import execute_run
from dashboard.services.results.comparing import compare_runs
from dashboard.services.workspace.runs import start_run
from dashboard.services.workspace.scenarios import create_scenario
from dashboard.services.workspace.snapshots import import_snapshot
from tests.dashboard.rows import listing, node, pod

pytestmark = pytest.mark.django_db


def arriving(document: dict[str, Any], at: float, **more: Any) -> dict[str, Any]:
    """The edit by which an object comes at a second of the run."""
    metadata = {key: value for key, value in document["metadata"].items() if key in ("name", "namespace")}
    return {"op": "add", "at": at, "manifest": {**document, "metadata": metadata}, **more}


@pytest.fixture
def snapshot(alice: Any) -> Any:
    """One node, a pod on it and one that waits."""
    objects = [node("node-1"), pod("on", node="node-1"), pod("waits", cpu="8")]
    return import_snapshot(alice, "prod", [("cluster.json", listing(*objects))])


def run_of(snapshot: Any, *edits: dict[str, Any], **scenario: Any) -> Run:
    """A finished run with a clock, unless `scenario` says otherwise."""
    fields = {"name": "one", "snapshot": snapshot, "driver": "timed", "edits": list(edits), **scenario}
    run = start_run(None, create_scenario(None, fields))
    execute_run(run.pk)
    run.refresh_from_db()
    assert run.status == "finished", run.error
    return run


def test_the_same_decisions_at_other_instants_are_no_difference_and_are_told(snapshot: Any) -> None:
    late = arriving(pod("late"), 20)
    a, b = (run_of(snapshot, late, attempt_seconds=seconds, until=60) for seconds in (0.01, 0.5))
    compared = compare_runs(a, b)
    found = compared.differences
    assert found.first is None
    assert found.retiming is not None
    assert (found.retiming.count, found.retiming.seq) == (2, 2)
    assert (found.retiming.a, found.retiming.b) == (10, 500)
    assert compared.sentence == (
        "Both runs decide alike: all 5 decisions are the same, but 2 at another instant, "
        "the first being decision 2: at 0:00.010 against 0:00.500."
    )
    assert "0.01 s an attempt against 0.5 s" in compared.inputs
    instants = {row["name"]: (row["a"], row["b"]) for row in compared.figures if row.get("unit") == "ms"}
    assert instants["the last decision"] == (20_010, 20_500)


def test_clocks_with_one_end_are_no_difference_whether_it_was_asked_for_or_not(snapshot: Any) -> None:
    late = arriving(pod("late"), 20)
    unasked, asked = run_of(snapshot, late), run_of(snapshot, late, until=620)
    assert [run.outcome and run.outcome["until"] for run in (unasked, asked)] == [620_000, 620_000]
    assert different_settings(unasked, asked) == []
    assert different_settings(unasked, run_of(snapshot, late, until=60)) == ["until"]


def test_nodes_that_come_and_go_count_as_they_are_at_the_end(snapshot: Any) -> None:
    more = arriving(node("node-2", cpu="16"), 5)
    gone = {"op": "delete", "kind": "Node", "name": "node-2", "at": 90}
    a, b = run_of(snapshot, more, until=60), run_of(snapshot, more, gone, until=120)
    compared = compare_runs(a, b)
    assert [row.node for row in compared.differences.nodes] == ["node-2"]
    [row] = compared.differences.nodes
    assert row.allocatable["cpu"] == 16_000
    assert row.a is not None
    assert row.a.pods == 1
    assert row.b is None
    cpu = next(row for row in compared.utilisation if row["resource"] == "cpu")
    assert cpu["allocatable"] == {"a": 20_000, "b": 4_000}
    assert (cpu["a"], cpu["b"]) == (8_500, 500)


def test_who_finished_or_was_deleted_is_gone_and_not_evicted(snapshot: Any) -> None:
    deleted = {"op": "delete", "kind": "Pod", "namespace": "shop", "name": "on", "at": 30}
    late = pod("late")
    a = run_of(snapshot, arriving(late, 5), until=120)
    b = run_of(snapshot, arriving(late, 5, duration=10), deleted, until=120)
    ends = {row.name: (row.a, row.b) for row in differences(a, b).pods if row.name != "waits"}
    assert {name: b.place for name, (_, b) in ends.items() if b} == {"late": "gone", "on": "gone"}
    assert {name: a.place for name, (a, _) in ends.items() if a} == {"late": "node", "on": "node"}
    assert b.outcome["evicted"] == 0
    assert b.outcome["below_replicas"] == []


def test_a_pod_that_comes_under_another_uid_is_the_same_pod(snapshot: Any) -> None:
    runs = []
    for uid in ("one", "other"):
        late = arriving(pod("late"), 5)
        late["manifest"]["metadata"]["uid"] = uid
        runs.append(run_of(snapshot, late, until=45))
    assert [run.over_time["waits"]["all"]["placed"]["longest"]["uid"] for run in runs] == ["one", "other"]
    assert differences(*runs).first is None


def test_a_difference_about_no_pod_has_words_and_a_page(client: Client, alice: Any, snapshot: Any) -> None:
    client.force_login(alice)
    taint = {"op": "patch", "kind": "Node", "name": "node-1", "patch": {"spec": {"unschedulable": True}}}
    a, b = (
        run_of(snapshot, arriving(pod("late"), 5), until=60),
        run_of(snapshot, {**taint, "at": 5}, until=60),
    )
    compared = compare_runs(a, b)
    assert "lets Pod shop/late come" in compared.sentence
    assert "changes Node node-1" in compared.sentence
    assert "At 0:05.000, with decision 3," in compared.sentence
    page = client.get(f"/compare/?a={a.pk}&b={b.pk}").text
    assert "<b>Node node-1</b>" in page
    assert "at 0:05.000" in page
    assert f"Run {a.pk} ended at 1:00.000, the end of its clock." in page


def test_another_clock_is_another_question(snapshot: Any) -> None:
    config = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}
    run = run_of(snapshot, driver="instant")
    timed = run_of(snapshot, until=60)
    assert counterparts(run, Run.objects.all()) == []
    assert counterparts(timed, Run.objects.all()) == []
    older = run_of(snapshot, driver="instant", profile="kube-1.13")
    assert counterparts(run, Run.objects.all()) == [older]
    for changed in ({"until": 90}, {"attempt_seconds": 0.5}, {"ready_seconds": 5}):
        Run.objects.filter(pk=older.pk).update(driver="timed", config=config, **{"until": 60, **changed})
        assert counterparts(timed, Run.objects.all()) == []
        Run.objects.filter(pk=older.pk).update(
            until=60, attempt_seconds=timed.attempt_seconds, ready_seconds=timed.ready_seconds
        )
        assert counterparts(timed, Run.objects.all()) == [older]


def test_a_run_with_a_clock_beside_one_without_is_told(snapshot: Any) -> None:
    a, b = run_of(snapshot, driver="instant"), run_of(snapshot)
    assert f"a clock moves in run {b.pk} only" in settings_sentence(a, b)
    assert "a clock moves" not in settings_sentence(b, b)


def test_an_eviction_that_is_asked_for_is_told_by_the_pods_name(snapshot: Any, client: Client) -> None:
    drain = {"op": "drain", "node": "node-1"}
    compared = compare_runs(run_of(snapshot, drain, driver="instant"), run_of(snapshot, drain, until=60))
    assert "asks for the eviction of shop/on" in compared.sentence
    assert "uid-on" not in compared.sentence


def test_pods_that_differ_by_attempts_only_are_not_said_to_end_differently(
    snapshot: Any, client: Client, alice: Any
) -> None:
    client.force_login(alice)
    a, b = run_of(snapshot, until=60), run_of(snapshot, until=1200)
    page = client.get(f"/compare/?a={a.pk}&b={b.pk}").text
    assert "Pods that differ" in page
    assert "1, all by attempts or evictions only" in page
    assert "end differently" not in page
