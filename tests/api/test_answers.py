"""The answer of a run over REST: one thing said in four media, and not before it is known."""

import re
from typing import Any

import pytest
from django.test import Client

from dashboard.models import Run, Scenario
from dashboard.services.background import execution
from dashboard.services.workspace import runs
from dashboard.services.workspace.snapshots import import_snapshot
from tests.dashboard.rows import guarded_node, listing

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def unsent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dashboard.services.background.dispatch._send", lambda task, pk: True)
    monkeypatch.setattr("dashboard.services.background.bell.ring", lambda run: None)


@pytest.fixture
def run(alice: Any) -> Run:
    snapshot = import_snapshot(alice, "prod", [("cluster.json", listing(*guarded_node()))])
    edits = [{"op": "drain", "node": "node-1"}]
    scenario = Scenario.objects.create(
        name="drain", snapshot=snapshot, profile="kube-1.36", driver="instant", edits=edits, created_by=alice
    )
    return runs.start_run(alice, scenario)


def asked(client: Client, user: Any, run: Run, accept: str) -> Any:
    client.force_login(user)
    return client.get(f"/api/v1/runs/{run.pk}/answer/", headers={"accept": accept})


def test_there_is_no_answer_before_both_runs_have_ended(client: Client, alice: Any, run: Run) -> None:
    refused = asked(client, alice, run, "application/json")
    assert (refused.status_code, refused.json()["detail"]) == (409, f"Run {run.pk} has not ended.")
    execution.execute_run(run.pk)
    refused = asked(client, alice, run, "text/markdown")
    assert refused.status_code == 409
    assert refused.json()["detail"].startswith("The run without your edits is being played")
    execution.execute_run(run.baseline_id)
    assert asked(client, alice, run, "application/json").status_code == 200


def test_all_media_say_the_same(client: Client, alice: Any, run: Run) -> None:
    for pk in (run.pk, run.baseline_id):
        execution.execute_run(pk)
    as_json = asked(client, alice, run, "application/json")
    as_text, as_markdown = (asked(client, alice, run, f"text/{kind}") for kind in ("plain", "markdown"))
    assert as_json.json()["verdict"] == "not"
    assert as_json.json()["against"]["name"] == str(run.baseline_id)
    assert as_text["Content-Type"] == "text/plain; charset=utf-8"
    assert as_text.content.decode().startswith("node-1 never gets empty; nothing more is pending")
    assert as_markdown["Content-Type"] == "text/markdown; charset=utf-8"
    assert as_markdown.content.decode().startswith(
        f"**[node-1](http://testserver/runs/{run.pk}/nodes/node-1/) never gets empty; nothing more is pending"
    )


def test_as_html_it_is_one_file_that_needs_no_server(client: Client, alice: Any, run: Run) -> None:
    for pk in (run.pk, run.baseline_id):
        execution.execute_run(pk)
    answer = asked(client, alice, run, "text/html")
    assert answer["Content-Type"] == "text/html; charset=utf-8"
    page = answer.content.decode()
    assert "never gets empty; nothing more is pending" in re.sub("<[^>]+>", "", page)
    assert "prod, imported" in page
    assert "kube-1.36, instant" in page
    assert "the first by name" in page
    assert "<script" not in page
    assert set(re.findall(r'(?:href|src|url)[=(]"?([^" )>]*)', page)) <= {"#refused"}
    saved = client.get(f"/runs/{run.pk}/outcome/?save=html")
    assert saved["Content-Disposition"] == f'attachment; filename="run-{run.pk}.html"'
    assert saved.content.decode() == page


def test_other_media_are_not_spoken(client: Client, alice: Any, run: Run) -> None:
    assert asked(client, alice, run, "application/xml").status_code == 406
