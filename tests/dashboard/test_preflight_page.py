"""Preflight as a page: what is said of a manifest, what would make it fit, files, and a change tried."""

import re
from typing import Any

import pytest
import yaml
from django.test import Client

from dashboard.models import Run, Scenario, Snapshot
from dashboard.services.background import dispatch, warm_worlds
from dashboard.services.background.execution import execute_run
from dashboard.services.questions import stored_questions
from dashboard.services.workspace.runs import start_run
from dashboard.services.workspace.snapshots import import_snapshot
from tests.dashboard.answers.test_preflight import deployment
from tests.dashboard.rows import listing, node

pytestmark = pytest.mark.django_db
NINE = yaml.safe_dump(deployment(9))
HTMX = {"HX-Request": "true"}


@pytest.fixture
def snapshot(alice: Any) -> Snapshot:
    warm_worlds.forget_worlds()
    return import_snapshot(alice, "small", [("cluster.json", listing(node("node-1"), node("node-2")))])


@pytest.fixture
def page(client: Client, alice: Any) -> Client:
    client.force_login(alice)
    return client


def sent(page: Client, snapshot: Snapshot, what: str = "", **fields: Any) -> str:
    headers = fields.pop("headers", HTMX)
    answer = page.post(f"/snapshots/{snapshot.pk}/preflight/{what}", fields, headers=headers)
    assert answer.status_code == 200, answer
    return answer.content.decode()


def words(markup: str) -> str:
    return " ".join(re.sub("<[^>]*>", "", markup).split())


def test_a_part_says_what_comes_of_it_and_which_line_binds(page: Client, snapshot: Snapshot) -> None:
    body = sent(page, snapshot, manifest=NINE)
    assert "default/api: 8 of 9 fit: 8 in free room; 1 finds no node" in words(body)
    assert 'id="preflight-answer" class="preflight-answer" hx-swap-oob="true"' in body
    assert "✕ binds 1 pod" in body
    line = NINE.splitlines().index("            cpu: '1'") + 1
    assert f'<span class="num">{line}</span>' in body
    assert body.count("finds no node</td>") == 1
    assert "0/2 nodes are available: 2 Insufficient cpu." in body
    assert not Scenario.objects.exists()


def test_the_whole_page_has_the_field_and_the_answer(page: Client, snapshot: Snapshot) -> None:
    assert "Will it fit?" in page.get(f"/snapshots/{snapshot.pk}/preflight/").text
    body = sent(page, snapshot, manifest=NINE, headers={})
    assert "8 of 9 fit" in words(body)
    assert "hx-swap-oob" not in body
    assert f"--snapshot {snapshot.pk}" in body
    assert "exit code 1: some find no node" in body
    one = NINE.replace("replicas: 9", "replicas: 1")
    assert "exit code 0: all fit" in sent(page, snapshot, manifest=one, headers={})


def test_what_is_wrong_names_object_and_field_and_keeps_the_answer(page: Client, snapshot: Snapshot) -> None:
    wrong = deployment(1)
    wrong["spec"]["replica"] = 3
    body = sent(page, snapshot, manifest=yaml.safe_dump(wrong))
    assert "<b>Deployment api</b> <code>spec.replica</code>" in body
    assert "preflight-answer" not in body
    assert "preflight-problems" in sent(page, snapshot, manifest="a: [")


def test_while_a_worker_is_at_it_the_part_looks_again_and_is_ended(
    page: Client, snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(dispatch, "send_question", lambda pk: False)
        patched.setattr(stored_questions, "wait_for", lambda key, seconds: None)
        patched.setattr(stored_questions, "PATIENT_SECONDS", 0.0)
        body = sent(page, snapshot, manifest=NINE)
        assert "data-asking" in body
        assert "load delay:400ms" in body
        assert ">Cancel</button>" in body
        assert "It was ended." in sent(page, snapshot, "end/", manifest=NINE)
        assert "It was ended." in sent(page, snapshot, manifest=NINE)
    assert "8 of 9 fit" in words(sent(page, snapshot, manifest=NINE, again="1"))


@pytest.mark.parametrize(
    ("kind", "begins"), [("md", "**"), ("json", "{"), ("xml", "<?xml"), ("html", "<!doctype html>")]
)
def test_the_answer_as_a_file(page: Client, snapshot: Snapshot, kind: str, begins: str) -> None:
    answer = page.post(f"/snapshots/{snapshot.pk}/preflight.{kind}", {"manifest": NINE})
    assert answer["Content-Disposition"] == f'attachment; filename="preflight-{snapshot.pk}.{kind}"'
    assert answer.content.decode().lower().startswith(begins)


def test_a_change_that_is_tried_makes_all_fit_as_its_trial_said(
    page: Client, snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dispatch, "send_run", lambda pk: True)
    body = sent(page, snapshot, "would-fit/", manifest=NINE, workload="Deployment/default/api")
    assert "default/api: 8 of 8 fit with this change: have 8 pods instead of 9." in words(body)
    edits = re.findall(r'name="edits" value="([^"]*)"', body)
    assert edits
    for one in edits:
        text = one.replace("&quot;", '"').replace("&#x27;", "'")
        made = page.post(f"/snapshots/{snapshot.pk}/preflight/scenario/", {"manifest": NINE, "edits": text})
        scenario = Scenario.objects.order_by("-pk")[0]
        assert made["Location"] == f"/scenarios/{scenario.pk}/"
        run = start_run(scenario.created_by, scenario)
        execute_run(run.pk)
        assert Run.objects.get(pk=run.pk).status == "finished"
        ends = page.get(f"/api/v1/runs/{run.pk}/").json()["outcome"]
        assert ends["pending"] == 0, text
    assert "Try it" in body


def test_viewers_see_no_preflight(client: Client, bob: Any, snapshot: Snapshot) -> None:
    client.force_login(bob)
    assert client.get(f"/snapshots/{snapshot.pk}/preflight/").status_code == 403
    assert "Preflight" not in client.get(f"/snapshots/{snapshot.pk}/").text
