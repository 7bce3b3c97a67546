"""The outcome of a run with a clock: what ended it, which edits did not do what was asked, its files."""

import csv
from io import StringIO
from typing import Any

import pytest
from django.test import Client

from dashboard.models import Run
from dashboard.queries.access import visible_runs
from dashboard.services.background.execution import execute_run
from dashboard.services.results.run_sums import settled_outcome, settled_sums
from dashboard.services.workspace.runs import start_run
from dashboard.services.workspace.scenarios import create_scenario
from dashboard.services.workspace.snapshots import import_snapshot
from tests.dashboard.rows import budget, listing, node, pod

pytestmark = pytest.mark.django_db


@pytest.fixture
def snapshot(alice: Any, client: Client) -> Any:
    """Two nodes, a pod that a budget keeps, one that goes if asked, and one that fits nowhere."""
    client.force_login(alice)
    kept = pod("search-0", node="node-1")
    kept["metadata"]["labels"] = {"app": "search"}
    objects = [
        node("node-1", pool="a"), node("node-2", pool="b"), kept, pod("cart-1", node="node-1"),
        pod("huge", cpu="64"), budget("search", 0, app="search"),
    ]  # fmt: skip
    return import_snapshot(alice, "prod", [("cluster.json", listing(*objects))])


def run_of(snapshot: Any, *edits: dict[str, Any], **scenario: Any) -> Run:
    """A finished run with a clock."""
    fields = {"name": "one", "snapshot": snapshot, "driver": "timed", "edits": list(edits), **scenario}
    run = start_run(None, create_scenario(None, fields))
    execute_run(run.pk)
    run.refresh_from_db()
    assert run.status == "finished", run.error
    return run


DRAIN = {"op": "drain", "node": "node-1", "at": 20}


def test_the_outcome_says_when_and_by_what_the_run_ended(snapshot: Any, client: Client) -> None:
    cut = run_of(snapshot, until=30)
    assert {name: cut.outcome[name] for name in ("ended_by", "until", "time")} == {
        "ended_by": "until", "until": 30_000, "time": 10,
    }  # fmt: skip
    assert cut.over_time["end"] == 30_000
    assert "ended at 0:30.000, the end of its clock" in client.get(f"/runs/{cut.pk}/outcome/").text
    deletion = {"op": "delete", "kind": "Pod", "namespace": "shop", "name": "huge", "at": 5}
    quiet = run_of(snapshot, deletion)
    assert (quiet.outcome["ended_by"], quiet.over_time["end"]) == ("quiet", 5000)
    page = client.get(f"/runs/{quiet.pk}/outcome/").text
    assert "ended at 0:05.000, when nothing was left to happen" in page


def test_a_run_says_when_its_clock_is_to_end_from_its_start_on(
    snapshot: Any, client: Client, alice: Any
) -> None:
    def said(run: Run) -> Any:
        return client.get(f"/api/v1/runs/{run.pk}/").json()["clock_end"]

    deletion = {"op": "delete", "kind": "Pod", "namespace": "shop", "name": "huge", "at": 5}
    fields = {"name": "asked", "snapshot": snapshot, "driver": "timed", "edits": [deletion]}
    asked = start_run(alice, create_scenario(alice, {**fields, "until": 1200}))
    usual = start_run(alice, create_scenario(alice, fields))
    assert (said(asked), said(usual)) == (1_200_000, None)
    for run in (asked, usual):
        execute_run(run.pk)
    assert (said(asked), said(usual)) == (1_200_000, 605_000)
    Run.objects.update(outcome=None)
    assert (said(asked), said(usual)) == (1_200_000, 605_000)
    without = start_run(alice, create_scenario(alice, {"name": "instant", "snapshot": snapshot}))
    execute_run(without.pk)
    assert said(without) is None


def test_a_drain_at_an_instant_leads_with_what_budgets_refused(snapshot: Any) -> None:
    run = run_of(snapshot, DRAIN, until=60)
    [lead] = run.outcome["incomplete"]
    assert (lead["edit"], lead["title"], lead["evictions"]) == (0, "Drain of node-1 incomplete", 2)
    assert lead["problems"][0].startswith("1 of 2 evictions refused at 0:20.000: Cannot evict pod")
    assert [one["pod"] for one in lead["refused"]] == ["shop/search-0"]


def test_a_drain_before_the_start_leads_once(snapshot: Any) -> None:
    run = run_of(snapshot, {"op": "drain", "node": "node-1"}, until=60)
    assert [lead["title"] for lead in run.outcome["incomplete"]] == ["Drain of node-1 incomplete"]


def test_edits_that_came_too_late_or_met_nothing_lead(snapshot: Any) -> None:
    late = {"op": "cordon", "node": "node-2", "at": 60.001}
    short = pod("short")
    del short["metadata"]["uid"], short["metadata"]["creationTimestamp"]
    edits = [
        late,
        {**late, "at": 60},
        {"op": "add", "at": 1, "duration": 5, "manifest": short},
        {"op": "delete", "kind": "Pod", "namespace": "shop", "name": "short", "at": 30},
        {"op": "delete", "kind": "Pod", "namespace": "shop", "name": "cart-1", "at": 31},
    ]
    run = run_of(snapshot, *edits, until=60)
    leads = run.outcome["incomplete"]
    assert [(lead["edit"], lead["title"]) for lead in leads] == [
        (0, "Did not happen: cordon node-2"), (3, "Without effect: delete Pod shop/short"),
    ]  # fmt: skip
    assert leads[0]["problems"] == ["it asks for 1:00.001, and the run ended at 1:00.000"]
    assert leads[1]["problems"] == ["Pod shop/short was not there at 0:30.000"]
    assert leads[1]["seq"] == next(mark["seq"] for mark in run.over_time["edits"] if mark["edit"] == 3)


def test_a_pod_that_comes_with_its_node_and_nodes_that_come_count_in_the_utilisation(snapshot: Any) -> None:
    more = node("node-3", cpu="8")
    bound = pod("bound", node="node-3", cpu="2")
    del more["metadata"]["uid"], bound["metadata"]["uid"], bound["metadata"]["creationTimestamp"]
    edits = [{"op": "add", "at": 5, "manifest": more}, {"op": "add", "at": 6, "manifest": bound}]
    run = run_of(snapshot, *edits, until=60)
    cpu = run.outcome["utilisation"][0]
    assert (cpu["allocatable"], cpu["allocatable_after"]) == (8_000, 16_000)
    assert (cpu["before"], cpu["after"]) == (1_000, 3_000)
    assert run.outcome["pending"] == 1


def test_a_run_of_before_gets_its_sums_when_it_is_asked(snapshot: Any, client: Client) -> None:
    run = run_of(snapshot, DRAIN, until=60)
    longest = run.over_time["queue"]["longest"]
    older = {name: value for name, value in run.outcome.items() if name not in ("ended_by", "until", "time")}
    Run.objects.filter(pk=run.pk).update(over_time=None, outcome=older)
    run.refresh_from_db()
    sums = settled_sums(run)
    assert sums is not None
    assert sums.outcome == older
    run.refresh_from_db()
    assert (run.over_time["end"], run.over_time["queue"]["longest"]) == (50_010, longest)
    assert client.get(f"/runs/{run.pk}/outcome/").status_code == 200


def test_a_run_that_has_not_begun_has_nothing_to_sum_up(snapshot: Any, client: Client) -> None:
    run = start_run(None, create_scenario(None, {"name": "one", "snapshot": snapshot}))
    assert settled_sums(run) is None
    assert client.get(f"/runs/{run.pk}/outcome/").status_code == 200
    answer = client.get(f"/api/v1/runs/{run.pk}/over-time/")
    assert (answer.status_code, answer.json()["detail"]) == (409, f"Run {run.pk} has no decisions to sum up.")


def test_a_list_of_runs_does_not_read_how_each_went(snapshot: Any, alice: Any) -> None:
    run = run_of(snapshot, until=60)
    listed = visible_runs(alice).get(pk=run.pk)
    assert "over_time" in listed.get_deferred_fields()
    assert settled_outcome(listed) == run.outcome
    assert "over_time" in listed.get_deferred_fields()


def test_rest_gives_the_run_over_time(snapshot: Any, client: Client) -> None:
    run = run_of(snapshot, DRAIN, until=60)
    assert client.get(f"/api/v1/runs/{run.pk}/over-time/").json() == run.over_time


@pytest.mark.parametrize("table", ["queue", "requested", "pools", "waits-by-priority", "waits-by-workload"])
def test_each_table_is_a_file(snapshot: Any, client: Client, table: str) -> None:
    run = run_of(snapshot, DRAIN, until=60)
    answer = client.get(f"/runs/{run.pk}/outcome/?table={table}&format=csv")
    assert answer["Content-Disposition"] == f'attachment; filename="run-{run.pk}-{table}.csv"'
    rows = list(csv.DictReader(StringIO(answer.text)))
    found = run.over_time
    if table == "queue":
        assert [int(row["seq"]) for row in rows] == found["queue"]["seq"]
        assert [int(row["waiting"]) for row in rows] == [
            sum(counts) for counts in zip(*found["queue"]["parts"].values(), strict=True)
        ]
    elif table == "requested":
        assert len(rows) == len(found["requested"]["seq"]) * len(found["requested"]["series"])
    elif table == "pools":
        assert {(row["pool"], row["mean"]) for row in rows} == {
            (row["pool"], str(row["mean"])) for row in found["pools"]
        }
    else:
        assert sum(int(row["waiting"]) for row in rows) == 1
        assert {row["waiting_longest_pod"] for row in rows} >= {"shop/huge"}


def test_gated_pods_are_told_among_the_reasons(alice: Any, client: Client) -> None:
    client.force_login(alice)
    gated = pod("gated", schedulingGates=[{"name": "example.com/quota"}])
    objects = [node("node-1"), gated, pod("huge", cpu="64")]
    run = run_of(import_snapshot(alice, "gates", [("cluster.json", listing(*objects))]), until=30)
    told = {row["message"]: [one["pod"] for one in row["pods"]] for row in run.outcome["failures"]}
    assert told.pop("Not tried: waits until its scheduling gates are removed.") == ["shop/gated"]
    assert list(told.values()) == [["shop/huge"]]
    page = client.get(f"/runs/{run.pk}/outcome/").text
    assert "2 pods are</b> still pending, with 2 different messages" in page
    assert "never tried" not in page


def test_evictions_that_an_edit_asked_for_are_not_called_a_cost(snapshot: Any, client: Client) -> None:
    run = run_of(snapshot, {"op": "drain", "node": "node-1"}, until=60)
    page = client.get(f"/runs/{run.pk}/outcome/").text
    lead = page[page.index("outcome-say") : page.index('<div class="trust"')]
    assert "2 evictions asked: 1 done and 1 refused for ever." in lead
    assert "is-preempt" not in lead
