"""A snapshot under other names: written by a worker for the page and for REST, and imported again."""

import json
from typing import Any

import pytest
from django.db.models.functions import Now

from dashboard.models import Question
from dashboard.services.background import answerer, dispatch
from dashboard.services.background.lost_work import LOSS_LIMIT, release_questions
from dashboard.services.background.question_worker import answer_question
from dashboard.services.questions import stored_questions
from dashboard.services.workspace import anonymising, snapshots
from tests.dashboard.rows import new_snapshot
from tests.dashboard.test_question_worker import DEAD


def test_the_page_gives_a_file_that_imports_without_a_name_of_the_snapshot(client: Any, alice: Any) -> None:
    client.force_login(alice)
    found = new_snapshot(alice)
    page = client.get(f"/snapshots/{found.pk}/anonymise/")
    assert "Save it under other names" in page.content.decode()
    ready = client.post(f"/snapshots/{found.pk}/anonymise/", {"key": "k"}, follow=True)
    [question] = Question.objects.all()
    address = f"/snapshots/{found.pk}/anonymise/{question.key}.json"
    assert f'href="{address}"' in ready.content.decode()
    assert "secret" not in question.asked
    file = client.get(address)
    assert "attachment" in file["Content-Disposition"]
    assert found.name not in file["Content-Disposition"]
    again = snapshots.import_snapshot(alice, "again", [("", file.content)])
    assert again.counts == found.counts
    assert again.resources == found.resources
    names = {item["metadata"]["name"] for item in json.loads(found.list_json())["items"]}
    kept = {item["metadata"]["name"] for item in json.loads(file.content)["items"]}
    assert names & kept <= {"default"}
    rest = client.post(f"/api/v1/snapshots/{found.pk}/anonymised/", {"key": "k"}, "application/json")
    assert rest.content == file.content
    assert Question.objects.count() == 1  # once for all who give the same key


def test_the_page_and_rest_say_what_is_left_out(client: Any, alice: Any) -> None:
    cluster = {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": "n", "annotations": {"acme.example/rack": "7"}},
    }
    client.force_login(alice)
    found = snapshots.import_snapshot(alice, "one", [("", json.dumps(cluster).encode())])
    page = client.post(f"/snapshots/{found.pk}/anonymise/", follow=True).content.decode()
    assert "Node.metadata.annotations: others (1)" in page
    body = client.post(
        f"/api/v1/snapshots/{found.pk}/anonymised/", {"key": "k"}, content_type="application/json"
    )
    told = json.loads(body.content)["metadata"]["annotations"]["sandtable/left-out"]
    assert told == "Node.metadata.annotations: others (1)"


def test_a_snapshot_that_is_too_large_is_refused(client: Any, alice: Any, monkeypatch: Any) -> None:
    client.force_login(alice)
    found = new_snapshot(alice)
    monkeypatch.setattr(anonymising, "MOST", 1)
    page = client.post(f"/snapshots/{found.pk}/anonymise/")
    assert page.status_code == 409
    assert "pods and nodes" in page.content.decode()
    assert not Question.objects.exists()


def test_it_is_ended_while_a_worker_writes_and_leaves_neither_a_file_nor_a_secret(
    client: Any, alice: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.force_login(alice)
    found = new_snapshot(alice)
    page, rest = f"/snapshots/{found.pk}/anonymise/", f"/api/v1/snapshots/{found.pk}/anonymised/"
    with monkeypatch.context() as still:
        still.setattr(dispatch, "send_question", lambda pk: False)
        still.setattr(stored_questions, "PATIENT_SECONDS", -1.0)
        still.setattr(anonymising, "wait_for", lambda name, seconds: None)
        told = client.post(rest, {"key": "k"}, content_type="application/json")
        assert (told.status_code, told.json()["state"]) == (202, "computing")
        name = told.json()["file"]
        assert "Cancel" in client.get(page, {"file": name}).content.decode()
        [question] = Question.objects.all()
        assert len(question.asked["secret"]) == 64
        still.setattr(answerer, "TOLD_SECONDS", 0.0)
        steps: list[int] = []

        def tell(worker: answerer.Answerer, done: int, of: int) -> None:
            steps.append(done)
            if done == 3:
                client.post(f"{page}end/", {"file": name})

        still.setattr(answerer.Answerer, "tell", tell)
        answer_question(question.pk)
        assert steps == [1, 2, 3]
    question.refresh_from_db()
    assert (question.ended, question.answer, question.asked, question.owner) == (True, None, {}, "")
    assert "It was ended" in client.get(page, {"file": name}).content.decode()
    assert client.get(f"{rest}{name}/").status_code == 409
    assert client.get(f"{page}{name}.json").status_code == 404
    again = client.post(rest, {"key": "k"}, content_type="application/json")
    assert json.loads(again.content)["items"]


def test_a_file_that_costs_worker_after_worker_keeps_no_secret(alice: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(dispatch, "send_question", lambda pk: False)
    found = new_snapshot(alice)
    name = anonymising.order_file(found, "k")
    Question.objects.update(owner=DEAD, heartbeat_at=Now(), losses=LOSS_LIMIT - 1)
    release_questions(Question.objects.all())
    told = anonymising.file_of(found, name)
    assert told is not None
    assert "given up" in told.fault
    assert Question.objects.get().asked == {}
