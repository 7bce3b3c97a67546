"""A run held against an exact solver: as a page that a button leads to, and over REST."""

from typing import Any

import pytest
from django.test import Client

from dashboard.answers.optimum import answer_of
from dashboard.answers.printers.text import text
from dashboard.models import Question
from dashboard.services.background import dispatch, warm_worlds
from dashboard.services.questions import stored_questions as questions
from scheduler_core.world.optimum.results import Optimum
from tests.builders import container, node, pod
from tests.dashboard.test_comparison import run_of
from tests.dashboard.test_why_pending import imported

pytestmark = pytest.mark.django_db


def asking(name: str, cpu: str) -> dict[str, Any]:
    return pod(name, namespace="shop", containers=[container(requests={"cpu": cpu})])


CLUSTER = [node("a", cpu="4"), node("b", cpu="4"), asking("1", "1"), asking("2", "1"), asking("wide", "4")]


@pytest.fixture
def page(client: Client, alice: Any) -> Client:
    warm_worlds.forget_worlds()
    client.force_login(alice)
    return client


def test_a_run_is_held_against_the_solver_by_a_button(page: Client, alice: Any) -> None:
    run = run_of(imported(alice, *CLUSTER))
    outcome = page.get(f"/runs/{run.pk}/outcome/").content.decode()
    assert f'href="/runs/{run.pk}/optimum/"' in outcome
    body = page.get(f"/runs/{run.pk}/optimum/").content.decode()
    said = "An exact solver would have placed <b>1 more</b> of 1 pending pod (priority 0: 1), proven"
    assert said in body
    told = page.get(f"/api/v1/runs/{run.pk}/optimum/").json()
    assert (told["state"], told["optimum"]["more"], told["optimum"]["proven"]) == ("answered", 1, True)
    assert Question.objects.get(kind="optimum").answered_at is not None
    assert told["optimum"]["placed"][0]["pod"] == "shop/wide"
    text = page.get(f"/api/v1/runs/{run.pk}/optimum/", headers={"accept": "text/markdown"})
    assert "1 more" in text.content.decode()


def test_a_run_by_the_clock_says_why_not(page: Client, alice: Any) -> None:
    run = run_of(imported(alice, *CLUSTER), driver="timed")
    assert "/optimum/" not in page.get(f"/runs/{run.pk}/outcome/").content.decode()
    told = page.get(f"/api/v1/runs/{run.pk}/optimum/").json()
    assert "by the clock" in told["problems"][0]["message"]
    assert "pods come and go by the clock" in page.get(f"/runs/{run.pk}/optimum/").content.decode()


def test_the_solver_is_ended_by_a_button_and_asked_again(
    page: Client, alice: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = run_of(imported(alice, *CLUSTER))
    address = f"/runs/{run.pk}/optimum/"
    with monkeypatch.context() as still:
        still.setattr(dispatch, "send_question", lambda pk: False)
        still.setattr(questions, "PATIENT_SECONDS", -1.0)
        still.setattr(questions, "wait_for", lambda key, seconds: None)
        assert f'action="{address}end/"' in page.get(address).content.decode()
        ended = page.post(f"{address}end/", follow=True).content.decode()
    assert "It was ended." in ended
    assert page.get(f"/api/v1{address}").json()["ended"]
    assert "1 more" in page.get(address, {"again": "1"}).content.decode()
    assert page.delete(f"/api/v1{address}").status_code == 204
    assert not page.get(f"/api/v1{address}").json()["ended"]


def test_pods_that_were_not_asked_about_are_told_in_their_number() -> None:
    left_out = {"its gates": 16, "a scheduler that takes no part": 1}
    told = text(answer_of(Optimum(91, 30, 0, {}, None, proven=False, left_out=left_out)))
    assert told.startswith("An exact solver found a node for no more of 91 pending pods. That is not proven")
    assert "16 pods wait for their gates: not asked about." in told
    assert "1 pod waits for a scheduler that takes no part: not asked about." in told
    assert "1 pod waits for its gates" in text(
        answer_of(Optimum(91, 30, 0, {}, None, proven=False, left_out={"its gates": 1}))
    )
