"""Why a pod waits, over REST: where, until when, what would wake it, and which events did not."""

from typing import Any

import pytest

from dashboard.models import Run
from dashboard.queries import waiting
from dashboard.services.background.execution import execute_run
from dashboard.services.workspace.runs import start_run
from dashboard.services.workspace.scenarios import create_scenario
from dashboard.services.workspace.snapshots import import_snapshot
from tests.dashboard.rows import listing, new_run, node, pod

pytestmark = pytest.mark.django_db


def arriving(manifest: dict[str, Any], at: float) -> dict[str, Any]:
    """The edit by which an object comes at a second of the run."""
    metadata = {
        name: value for name, value in manifest["metadata"].items() if name in ("name", "namespace", "labels")
    }
    return {"op": "add", "at": at, "manifest": {**manifest, "metadata": metadata}}


@pytest.fixture
def timed(alice: Any) -> Run:
    """`huge` fits nowhere; `early` comes and waits until a node comes, the second of two."""
    cluster = listing(node("node-1", cpu="1"), pod("huge", cpu="64"))
    edits = [
        arriving(pod("early", cpu="3"), 5),
        arriving(pod("held", schedulingGates=[{"name": "quota.example/hold"}]), 5),
        arriving(node("node-2", cpu="2"), 6),
        arriving(node("node-3", cpu="4"), 7),
    ]
    fields = {"name": "waits", "snapshot": import_snapshot(alice, "one", [("", cluster)]), "edits": edits}
    run = start_run(alice, create_scenario(alice, {**fields, "driver": "timed", "until": 60}))
    execute_run(run.pk)
    return run


def ask(client: Any, run: Run, name: str, at: int | None = None) -> Any:
    query = {"pod": name} if at is None else {"pod": name, "at": at}
    return client.get(f"/api/v1/runs/{run.pk}/waiting/", query)


def test_a_pod_that_no_scheduler_serves_is_told_so(as_alice: Any, alice: Any) -> None:
    cluster = listing(node("node-1"), pod("odd", schedulerName="custom"), pod("even"))
    fields = {"name": "odd", "snapshot": import_snapshot(alice, "odd", [("", cluster)])}
    run = start_run(alice, create_scenario(alice, {**fields, "driver": "timed"}))
    execute_run(run.pk)
    answer = ask(as_alice, run, "shop/odd").json()
    assert answer["unasked"] == "no scheduler of this run serves the schedulerName custom"
    assert (answer["place"], ask(as_alice, run, "shop/even").json()["unasked"]) == (None, "")


def seq_of(client: Any, run: Run, **wanted: Any) -> int:
    """The first decision with these fields."""
    rows = client.get(f"/api/v1/runs/{run.pk}/decisions/").json()["results"]
    return next(int(row["seq"]) for row in rows if all(row[name] == value for name, value in wanted.items()))


def test_a_pod_that_waits_is_told_until_when_for_what_and_which_events_did_not_help(
    as_bob: Any, timed: Run
) -> None:
    body = ask(as_bob, timed, "shop/huge").json()
    assert body["at"] == Run.objects.get(pk=timed.pk).decisions
    assert (body["pod"], body["attempt"], body["since"]) == ("uid-huge", 1, 1)
    place = body["place"]
    assert (place["actor"], place["part"]) == ("kube-scheduler", "unschedulable")
    assert (place["waiting"]["since"], place["waiting"]["latest"]) == (10, 330_000)
    assert [row["plugin"] for row in place["would_wake"]] == ["NodeResourcesFit"]
    assert "a node comes" in place["would_wake"][0]["events"]
    heard = body["heard"]
    assert (heard["events"], heard["woke"], heard["skipped"], heard["unheard"]) == (3, 0, 2, 1)
    assert [(row["event"], row["plugin"], row["count"], row["last"]) for row in heard["answers"]] == [
        ("NodeAdd", "NodeResourcesFit", 2, 7000),
        ("AssignedPodAdd", "", 1, 7010),
    ]
    assert heard["answers"][0]["reason"].startswith("the node is too small")


def test_the_event_that_woke_a_pod_ends_the_count(as_bob: Any, timed: Run) -> None:
    second = seq_of(as_bob, timed, kind="change", object="Node node-3")
    before, woken = (ask(as_bob, timed, "shop/early", seq).json() for seq in (second - 1, second))
    assert (before["place"]["part"], before["heard"]["skipped"]) == ("unschedulable", 1)
    assert (woken["place"]["part"], woken["place"]["would_wake"]) == ("active", [])
    counted = [(row["answer"], row["count"]) for row in woken["heard"]["answers"]]
    assert counted == [("Queue", 1), ("QueueSkip", 1)]
    assert ask(as_bob, timed, "shop/early").json()["place"] is None


def test_a_gated_pod_names_its_gates_and_waits_for_no_instant(as_bob: Any, timed: Run) -> None:
    body = ask(as_bob, timed, "shop/held").json()
    assert body["attempt"] is None
    row = body["place"]["waiting"]
    assert (row["gate"], row["gates"], row["latest"]) == ("SchedulingGates", ["quota.example/hold"], None)
    [wakes] = body["place"]["would_wake"]
    assert (wakes["plugin"], wakes["events"]) == ("SchedulingGates", ["the pod itself loses its last gate"])


def test_of_a_pod_that_waits_for_very_long_the_last_decisions_are_looked_at(
    as_bob: Any, timed: Run, monkeypatch: Any
) -> None:
    monkeypatch.setattr(waiting, "LONGEST_LOOK", 3)
    body = ask(as_bob, timed, "uid-huge").json()
    assert (body["attempt"], body["since"]) == (1, body["at"] - 3)
    assert 0 < body["heard"]["events"] < 3


@pytest.mark.parametrize("back", [False, True])
def test_any_decision_may_be_asked_about_after_any_other(as_bob: Any, timed: Run, back: bool) -> None:
    last = Run.objects.get(pk=timed.pk).decisions
    seqs = sorted(range(2, last + 1), reverse=back)
    kept = [ask(as_bob, timed, "uid-huge", seq).json() for seq in seqs]
    waiting.forget_all()
    assert kept[-1] == ask(as_bob, timed, "uid-huge", seqs[-1]).json()
    assert [body["heard"]["events"] for body in kept] == sorted(
        (body["heard"]["events"] for body in kept), reverse=back
    )


def test_what_cannot_be_asked_is_a_problem(as_bob: Any, as_charlie: Any, timed: Run, alice: Any) -> None:
    assert as_bob.get(f"/api/v1/runs/{timed.pk}/waiting/").json()["errors"][0]["field"] == "pod"
    assert ask(as_charlie, timed, "shop/huge").status_code == 404
    assert ask(as_bob, timed, "shop/huge", 9999).status_code == 404
    missing = ask(as_bob, timed, "shop/nobody")
    assert (missing.status_code, "shop/nobody" in missing.json()["detail"]) == (404, True)
    Run.objects.filter(pk=timed.pk).update(engine_version="old")
    assert ask(as_bob, timed, "shop/huge").status_code == 409


def test_without_a_clock_nobody_waits_for_an_event(as_bob: Any, alice: Any) -> None:
    snapshot = import_snapshot(alice, "still", [("", listing(node("n"), pod("huge", cpu="64")))])
    run = start_run(alice, create_scenario(alice, {"name": "still", "snapshot": snapshot}))
    execute_run(run.pk)
    answer = ask(as_bob, run, "shop/huge")
    assert answer.status_code == 409
    assert "No clock" in answer.json()["detail"]
    assert ask(as_bob, new_run(alice), "shop/huge").status_code == 409
