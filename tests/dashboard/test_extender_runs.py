"""Runs that ask extenders over HTTP: what they decide, what is stored, and that nobody is asked twice."""

import gzip
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dashboard.errors import LeaseLost
from dashboard.models import Run
from dashboard.queries import replay
from dashboard.services.background import execution, recording
from dashboard.services.workspace.runs import start_run
from dashboard.services.workspace.scenarios import create_scenario
from dashboard.services.workspace.snapshots import import_snapshot
from scheduler_core.events.explanation import AttemptInFull
from scheduler_core.objects.problems import BadInput
from tests.dashboard.rows import listing, node, pod, whole_log
from tests.extender_server import ExtenderServer, extender, from_tables

pytestmark = pytest.mark.django_db(transaction=True)

VECTORS = Path(__file__).parents[1] / "vectors" / "kube" / "extenders.jsonl.gz"
_NOT_SERVED = ('"slow"', "&{unknown}")
"""Slow answers take seconds; who no longer exists is unknown to an extender that watches the cluster."""


def cases() -> list[dict[str, Any]]:
    """Some of the recorded cases that ask for everything."""
    with gzip.open(VECTORS, "rt") as lines:
        found = [json.loads(line) for line in lines]
    return [case for case in found if not any(word in json.dumps(case) for word in _NOT_SERVED)][:6]


@contextmanager
def served(case: dict[str, Any], settings: Any) -> Iterator[ExtenderServer]:
    """Serve a case's extenders, and let its configuration and what is recorded name them."""
    with extender(from_tables(case)) as server:
        settings.EXTENDERS = [server.url]
        text = json.dumps({"config": case["config"], "expect": case["expect"]})
        for number, one in enumerate(case["config"]["extenders"]):
            named = one["urlPrefix"]
            text = text.replace(json.dumps(named)[1:-1].rstrip("/"), f"{server.url}/{number}")
        case |= json.loads(text)
        yield server


def scenario_of(user: Any, case: dict[str, Any]) -> Any:
    snapshot = import_snapshot(user, "case", [("case.json", json.dumps(case["cluster"]).encode())])
    return create_scenario(
        user,
        {
            "name": "case",
            "snapshot": snapshot,
            "profile": "kube-1.36",
            "config": case["config"],
            "controllers": "none",
        },
    )


@pytest.fixture(autouse=True)
def unsent(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("dashboard.services.background.dispatch._send", lambda task, pk: True)
    monkeypatch.setattr("dashboard.services.background.bell.ring", lambda run_id: None)
    # The recorded configurations leave a second for an answer, which a busy machine may need longer for.
    monkeypatch.setattr("dashboard.services.workspace.extenders.calling.seconds_of", lambda extender: 60.0)
    monkeypatch.setattr("dashboard.services.workspace.extenders.calling.LONGEST_DECISION_SECONDS", 600.0)
    replay.forget_all()
    yield
    replay.forget_all()


def decided(run: Run) -> list[dict[str, Any]]:
    return [json.loads(line) for line in whole_log(run).split(b"\n")]


@pytest.mark.parametrize("number", range(6))
def test_a_recorded_case_asked_over_http_is_decided_as_recorded(
    number: int, alice: Any, settings: Any
) -> None:
    case = cases()[number]
    with served(case, settings) as server:
        run = start_run(alice, scenario_of(alice, case), schedule=case["schedule"])
        execution.execute_run(run.pk)
        asked = len(server.asked)
    run.refresh_from_db()
    assert run.status == "finished", run.error
    cycles = case["expect"]["cycles"]
    log = decided(run)
    names = ("outcome", "chosen", "message", "nominated_after", "best")
    assert [[row[name] for name in names] for row in log] == [
        [cycle["result"], *(cycle[name] for name in names[1:])] for cycle in cycles
    ]
    stored = sum(len(row.get("exchanges", ())) for row in log)
    assert stored == asked == sum(len(cycle.get("extender_calls", ())) for cycle in cycles)
    # The server is gone by now: every explanation is worked out from what is stored.
    for seq, cycle in enumerate(cycles, start=1):
        whole = replay.explanation(run, seq)
        assert isinstance(whole, AttemptInFull)
        assert msgspec.to_builtins(whole.filter) == cycle["filter"]
        told = [(call.verb, call.nodes, call.error) for call in whole.extenders]
        assert told == [
            (call["verb"], call["nodes"], call.get("error")) for call in cycle.get("extender_calls", ())
        ]


@pytest.mark.parametrize("dies_at", [1, 2])
def test_a_worker_that_takes_over_reads_what_was_answered_and_asks_only_what_was_not(
    dies_at: int, alice: Any, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = cases()[0]
    with served(case, settings) as server:
        scenario = scenario_of(alice, case)
        undisturbed = start_run(alice, scenario, schedule=case["schedule"])
        execution.execute_run(undisturbed.pk)
        questions = list(server.asked)
    case = cases()[0]
    with served(case, settings) as server:
        run = start_run(alice, scenario_of(alice, case), schedule=case["schedule"])
        append, stored = recording.append_chunk, []

        def dying(*arguments: Any, **named: Any) -> None:
            append(*arguments, **named)
            stored.append(arguments)
            if len(stored) == dies_at:
                raise LeaseLost("killed")

        monkeypatch.setattr(recording, "append_chunk", dying)
        execution.execute_run(run.pk)
        assert len(stored) == dies_at
        monkeypatch.setattr(recording, "append_chunk", append)
        Run.objects.filter(pk=run.pk).update(status="queued", owner="")
        before = len(server.asked)
        assert before > 0
        execution.execute_run(run.pk)
        assert server.asked == questions
    run.refresh_from_db()
    assert run.status == "finished"
    assert [row["outcome"] for row in decided(run)] == [row["outcome"] for row in decided(undisturbed)]


def test_a_scenario_whose_extender_nobody_has_allowed_is_refused_with_its_field(alice: Any) -> None:
    case = cases()[0]
    with pytest.raises(BadInput) as refused:
        scenario_of(alice, case)
    problem = refused.value.problems[0]
    assert (problem.object, problem.field) == ("KubeSchedulerConfiguration", "extenders[0].urlPrefix")
    assert "SANDTABLE_EXTENDERS" in problem.message


def test_a_run_fails_with_the_field_once_the_permission_is_gone(alice: Any, settings: Any) -> None:
    case = cases()[0]
    with served(case, settings) as server:
        run = start_run(alice, scenario_of(alice, case), schedule=case["schedule"])
        settings.EXTENDERS = []
        execution.execute_run(run.pk)
        assert server.asked == []
    run.refresh_from_db()
    assert run.status == "failed"
    assert run.problems[0]["field"] == "extenders[0].urlPrefix"


def test_a_scenario_keeps_the_addresses_of_its_extenders_and_no_keys(alice: Any, settings: Any) -> None:
    case = cases()[0]
    with served(case, settings):
        case["config"]["extenders"][0]["tlsConfig"] = {"serverName": "extender"}
        case["config"]["clientConnection"] = {"kubeconfig": "/etc/kubernetes/scheduler.conf"}
        kept = scenario_of(alice, case).config
    assert kept["extenders"] == case["config"]["extenders"]
    assert "clientConnection" not in kept


def test_a_binding_that_an_extender_refuses_counts_for_nothing_in_the_sums(alice: Any, settings: Any) -> None:
    """Where a clock moves a pod has its node before it is bound; if that fails, it waits on as before."""
    refusals = iter([b'{"Error": "the node is locked"}'])
    with extender(lambda path, body: (200, next(refusals, b"{}"))) as server:
        settings.EXTENDERS = [server.url]
        cluster = listing(node("a", cpu="1"), pod("p", cpu="1"))
        planned = {
            "name": "locked",
            "snapshot": import_snapshot(alice, "small", [("small.json", cluster)]),
            "config": {"extenders": [{"urlPrefix": server.url, "bindVerb": "bind"}]},
            "driver": "timed",
        }
        run = start_run(alice, create_scenario(alice, planned))
        execution.execute_run(run.pk)
        assert server.asked == ["/bind", "/bind"]
    run.refresh_from_db()
    assert run.status == "finished", run.error
    assert [row["outcome"] for row in decided(run)] == [
        *("scheduled", "returned"),
        *("woken", "scheduled", "bound"),
    ]
    assert run.progress["placed"] == 1
    assert run.outcome["placed"] == 1
    (waited,) = run.over_time["waits"]["by_priority"]
    assert waited["placed"]["count"] == 1
