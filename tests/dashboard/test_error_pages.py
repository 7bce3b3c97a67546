"""What a reader sees when there is no page, or none for them, or when the server fails."""

from typing import Any

import pytest
from django.template.loader import get_template
from django.test import Client

from dashboard.views import home
from tests.dashboard.rows import new_run

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("address", ["/runs/99999/", "/compare/?a=99999&b=3", "/nowhere/"])
def test_what_is_not_there_is_told_on_a_page(client: Client, alice: Any, address: str) -> None:
    client.force_login(alice)
    answer = client.get(address)
    assert answer.status_code == 404
    assert "There is nothing here" in answer.text
    assert 'aria-label="Main"' in answer.text


def test_what_is_not_allowed_is_told_on_a_page(client: Client, bob: Any) -> None:
    client.force_login(bob)
    answer = client.post("/scenarios/create/")
    assert answer.status_code == 403
    assert "This needs the role operator." in answer.text
    assert 'href="/runs/"' in answer.text


def test_a_host_that_is_not_served_is_told_on_a_page(client: Client) -> None:
    answer = client.get("/", headers={"Host": "evil.example"})
    assert answer.status_code == 400
    assert "This request was not understood" in answer.text


def test_a_failing_server_answers_with_a_page(
    client: Client, alice: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.force_login(alice)
    client.raise_request_exception = False
    monkeypatch.setattr(home, "data_size", lambda: 1 / 0)
    answer = client.get("/")
    assert answer.status_code == 500
    assert "Something went wrong in the server" in answer.text
    assert 'href="/runs/"' in answer.text


@pytest.mark.parametrize("accept", ["text/html", "application/json"])
def test_the_page_of_debugging_shows_the_traceback_and_no_secret(
    client: Client, alice: Any, monkeypatch: pytest.MonkeyPatch, settings: Any, accept: str
) -> None:
    settings.DEBUG = True
    client.force_login(alice)
    client.raise_request_exception = False

    def fail(password: str = "hunter-in-a-variable") -> int:
        raise RuntimeError(f"cannot connect to redis://:{password}@127.0.0.1/0")

    monkeypatch.setattr(home, "data_size", fail)
    answer = client.get("/?token=hunter", headers={"Accept": accept, "Authorization": "Basic hunter"})
    assert answer.status_code == 500
    assert "RuntimeError: cannot connect to redis://:***@127.0.0.1/0" in answer.text
    for secret in ("hunter", "SECRET_KEY", client.cookies["sandtable_session"].value):
        assert secret not in answer.text


def test_a_request_that_is_not_understood_has_its_page() -> None:
    assert "not understood" in get_template("400.html").render()


@pytest.mark.parametrize("query", ["a=x&b={run}", "a=99999999999999999999&b={run}", "a={run}&b=x", "a=x&b=y"])
def test_what_is_no_number_of_a_run_is_told_beside_the_field(client: Client, alice: Any, query: str) -> None:
    client.force_login(alice)
    answer = client.get("/compare/?" + query.format(run=new_run(alice).pk))
    assert answer.status_code == 200
    assert "A run is named by its number." in answer.text
